// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tgmap/archive.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/session.hpp"
#include "cli/app/write_error_text.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/decode_error.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/hash_mismatch.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/selector.hpp"
#include "cli/input/sliced_target.hpp"
#include "cli/options/decode_limit_options.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/grid_obstacle.hpp"
#include "cli/print/json.hpp"
#include "cli/print/progress.hpp"
#include "cli/verbs/read/extract/extract_destination.hpp"
#include "convert/export/element_export.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

namespace {

using convert::exported_object;
using edit::hash_check;

struct extract_options {
  std::vector<std::string> from;
  std::string to;
  std::string format;
  selection_options chosen;
  output_options outputs;
  bool stored = false;
  bool as_stored = false;
  bool verify = false;
  bool json = false;
};

/// The selected objects in the order of the targets, and pins of their archives.
struct extract_objects {
  std::vector<exported_object> all{};
  std::vector<pin> pins{};
};

/// An `extract_report` says which objects cannot be written, and what was written.
class extract_report final : public convert::export_visitor {
 public:
  extract_report(const extract_destination& to, std::span<const exported_object> all,
                 std::span<const std::string> names, bool as_json, session& run)
      : to_(to),
        all_(all),
        names_(names),
        as_json_(as_json),
        run_(run),
        bar_(run, "writing " + to.to, payload_bytes()) {}

  /// Goes on after an error if every object has its own file.
  bool attempt(std::size_t i, const std::function<void()>& write) override {
    const exported_object& one = all_[i];
    const std::string name = one.address();
    bool fine = false;
    try {
      with_words(write);
      fine = true;
    } catch (const error& why) {
      const failure& cause = why.details();
      run_.report.failed(name, one.part && cause.code == errc::out_of_range
                                   ? slice_error(*one.part, one.of.descriptor().shape(), cause)
                                   : decode_error(one.of, cause, name, one.archive));
    } catch (const cli_error& why) {
      run_.report.failed(name, why);
    }
    bar_.update(done_ += one.of.payload_size());
    return is_complete_ = fine || to_.what != extract_destination::kind::npz;
  }

  /// Says once for each reason that there are no latitudes and longitudes.
  std::string no_degrees(std::size_t i, const grid_obstacle& of) override {
    std::string why = text_of(of, all_[i].of.descriptor().shape());
    if (hinted_.insert(why).second)
      run_.report.hint(all_[i].address() +
                       (why.empty() ? ": the message has no latitudes and longitudes for these elements"
                                    : ": no coordinates: " + core::escaped(why)) +
                       "; the columns have indices");
    return why;
  }

  void written(std::size_t i, std::uint64_t bytes) override {
    if (!as_json_) return;
    const exported_object& one = all_[i];
    const bool npz = to_.what == extract_destination::kind::npz;
    json line{{"file", one.archive},
              {"message", or_null(one.in.index())},
              {"object", one.of.index()},
              {"output", npz ? to_.to : names_[i]},
              {"bytes", bytes}};
    if (npz) line["member"] = names_[i];
    if (one.part) line["slice"] = one.part->text;
    lines_ += json_line(line);
  }

  bool is_complete() const noexcept { return is_complete_; }
  const std::string& lines() const noexcept { return lines_; }  ///< of --json, to be printed when the files exist

 private:
  std::uint64_t payload_bytes() const {
    std::uint64_t out = 0;
    for (const exported_object& each : all_) out += each.of.payload_size();
    return out;
  }

  const extract_destination& to_;
  std::span<const exported_object> all_;
  std::span<const std::string> names_;
  const bool as_json_;
  session& run_;
  progress_bar bar_;
  std::uint64_t done_ = 0;
  bool is_complete_ = true;
  std::set<std::string> hinted_{};  ///< reasons for indices that were said
  std::string lines_{};
};

std::vector<sliced_target> read_targets(const extract_options& given) {
  std::vector<sliced_target> out = parse_sliced_targets(given.from);
  if (given.stored && std::ranges::any_of(out, [](const sliced_target& t) { return t.slice.has_value(); }))
    throw usage_error("--stored takes whole payloads; leave out the slice or --stored");
  return out;
}

/// `numbered`: scans if needed to get the numbers of messages.
void find_in(const sliced_target& from, const selector& chosen, bool numbered, std::size_t most, extract_objects& out,
             session& run) {
  const target& what = from.address;
  const archive in = open_archive(what, run);
  out.pins.push_back(in.pin());  // before an error: kept objects outlive it
  const auto take = [&](const message& m, key_lookup&, std::optional<std::size_t> object) {
    out.all.push_back({.in = m, .of = m[object.value()], .archive = what.file, .part = from.slice});
    if (numbered && !what.offset && !m.index()) scan_all(in, what, run);  // the message was found from the end
    return out.all.size() < most;
  };
  // Throws for a message that the user named and that cannot be read.
  if (what.one_message())
    if (const message named = find_message(in, what); named.version() == 1) named.size();
  const tally sum = chosen.visit_all(what, in, run, take);
  chosen.report(what, in, sum, run);
}

/// Returns the selected objects, at most two if the destination takes one. Reports and skips what cannot be read.
extract_objects find_objects(std::span<const sliced_target> targets, const extract_options& given,
                             const extract_destination& to, session& run) {
  const std::size_t most = to.takes_several() ? std::numeric_limits<std::size_t>::max() : 2;
  const selector chosen(given.chosen);
  extract_objects out;
  for (const sliced_target& each : targets)
    if (out.all.size() < most)
      run.report.guard(each.address.file, [&] { find_in(each, chosen, to.takes_several(), most, out, run); });
  return out;
}

/// Returns the names of all objects, of which none is that of an input. Errors: usage_error; cli_error.
std::vector<std::string> names_of(std::span<const exported_object> all, const std::vector<sliced_target>& from,
                                  const extract_destination& to) {
  std::vector<std::string> out = to.names_of(all);
  for (const sliced_target& each : from) {
    if (to.what == extract_destination::kind::npz)
      refuse_to_overwrite(each.address, to.to);
    else
      for (const std::string& name : out) refuse_to_overwrite(each.address, name);
  }
  return out;
}

/// Writes all objects under these names.
void extract_all(const extract_options& given, std::span<const exported_object> all, const extract_destination& to,
                 const std::vector<std::string>& names, session& run) {
  output_options outputs = given.outputs;
  outputs.is_text = is_text(to.format);
  edit::output_set files = outputs_for(outputs, run);
  convert::export_writer writer = to.what == extract_destination::kind::npz
                                      ? convert::export_writer(files, to.to)
                                      : convert::export_writer(files, to.names.makes_folders());
  hash_check hashes;
  const convert::export_options how{.format = to.format,
                                    .strides = given.as_stored ? stride_policy::ignore : stride_policy::apply,
                                    .hashes = given.verify ? &hashes : nullptr,
                                    .grids = run.grids(),
                                    .workers = &run.workers(),
                                    .decoders = &run.decoders(),
                                    .max_bytes = run.limits.read_ahead_bytes()};
  extract_report report(to, all, names, given.json, run);
  writer.check_overwrite(names);
  convert::export_elements(all, names, writer, how, report);
  report_unverified(hashes, run);
  if (!report.is_complete()) return run.report.hint(to.to + ": not written because an object is missing");
  writer.finish();
  run.out.write(report.lines());
}

void run_extract(const extract_options& given, session& run) {
  const std::vector<sliced_target> targets = read_targets(given);
  if (given.verify) use_no_index(run);
  auto to = extract_destination::parse(given.to, given.format, given.stored);
  const bool one_archive = std::ranges::all_of(
      targets, [&](const sliced_target& each) { return each.address.file == targets.front().address.file; });
  if (to.names.is_folder() && !one_archive) to.names.add_archive_to_object_name();
  if (given.json && is_standard_output(to.to))
    throw usage_error("--json and the object cannot both go to standard output");

  std::vector<target> addresses;
  addresses.reserve(targets.size());
  for (const sliced_target& each : targets) addresses.push_back(each.address);
  require_keys({{.option = fmt::format("'{}'", given.to), .keys = to.names.keys()}}, addresses, given.chosen, run);

  const extract_objects found = find_objects(targets, given, to, run);
  if (found.all.size() > 1 && !to.takes_several())
    throw usage_error(
        "several objects need -o with keys in brackets, for example 'f[@message]_[@object].npy', a folder, out/, or an "
        ".npz");
  const bool complete = run.report.status() != exit_status::failed;
  if (found.all.empty() && complete)
    run.report.failed(targets.front().address.file, "no object is selected",
                      "run `tgmap ls --objects` to see what there is");
  if (found.all.empty()) return;
  if (!complete && to.what == extract_destination::kind::npz)
    return run.report.hint(to.to + ": not written because an object is missing");
  run.report.guard(to.to, [&] { extract_all(given, found.all, to, names_of(found.all, targets, to), run); });
}

}  // namespace

action declare_extract(CLI::App& app, session& run) {
  const auto given = std::make_shared<extract_options>();
  given->chosen.objects = true;
  given->outputs.takes_folder = true;
  add_targets(app, given->from,
              std::string(target_forms) + "; a slice such as [10:20,::4] after it takes a part of each object");
  app.add_option("-o,--output", given->to,
                 "The file to write; - is standard output; for several objects a name with keys such as [@message] and "
                 "[@object], a folder, out/, or an .npz. Default for values as text: standard output")
      ->type_name("OUT");
  const auto format =
      app.add_option("--format", given->format,
                     "npy; raw: only the elements in C order; csv, text or json: values with coordinates")
          ->check(CLI::IsMember({"npy", "raw", "csv", "text", "json"}))
          ->type_name("FORMAT");
  add_where(app, given->chosen);
  const auto as_stored =
      app.add_flag("--as-stored", given->as_stored, "Ignore strides and take elements in stored order");
  app.add_flag("--stored", given->stored, "Write the payload as stored, without decoding")
      ->excludes(format)
      ->excludes(as_stored);
  add_verify(app, given->verify, "of each object, and leave out those that differ");
  add_decode_limits(app, run, decoding_verb::one_object);
  add_output_options(app, given->outputs);
  app.add_flag("-j,--json", given->json, "Print what was written, one JSON object per object");
  return [given, &run] { run_extract(*given, run); };
}

}  // namespace tgmap::cli
