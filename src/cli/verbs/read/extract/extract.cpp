// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <tgmap/decode/decode_many.hpp>
#include <tgmap/decode/executor.hpp>
#include <tgmap/decode/part_reader.hpp>
#include <utility>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/progress.hpp"
#include "cli/app/session.hpp"
#include "cli/app/verb.hpp"
#include "cli/app/write_error_text.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/elements.hpp"
#include "cli/input/hash_mismatch.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/selector.hpp"
#include "cli/input/sliced_target.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/caption.hpp"
#include "cli/print/json.hpp"
#include "cli/verbs/read/extract/element_coordinates.hpp"
#include "cli/verbs/read/extract/extract_destination.hpp"
#include "convert/npy.hpp"
#include "convert/raw.hpp"
#include "convert/value_table.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

namespace {

/// The elements of a slice, and where they are in the object.
struct sliced_elements {
  tensor elements;
  box part;
};

/// The result of one slice, or its exception.
struct slice_result {
  sliced_elements part{};
  std::exception_ptr thrown{};
};

/// Decodes objects in several threads with bounded memory, and passes them on in order. The receiver returns false to
/// stop.
void decode_in_order(std::span<const object> objects, const decode_options& how, const tensor_receiver& take,
                     session& run) {
  decode_many_options options{
      .decode = how, .failures = on_failure::keep_going, .max_bytes = run.limits.read_ahead_bytes()};
  options.decode.executor = &run.workers();
  decode_each(objects, take, options);
}

/// Makes `count` slices with `make(number)` in several threads, and passes them to `take` in order, until it returns
/// false.
void slices_in_order(std::size_t count, const std::function<sliced_elements(std::size_t)>& make,
                     const std::function<bool(std::size_t, slice_result&&)>& take, session& run) {
  executor& on = run.decoders();
  for (std::size_t begin = 0; begin < count; begin += on.concurrency()) {
    std::vector<slice_result> some(std::min<std::size_t>(on.concurrency(), count - begin));
    auto piece = [&](std::size_t i) noexcept {
      try {
        some[i].part = make(begin + i);
      } catch (...) {
        some[i].thrown = std::current_exception();
      }
    };
    on.run(some.size(), {[](void* to, std::size_t i) noexcept { (*static_cast<decltype(piece)*>(to))(i); }, &piece});
    for (std::size_t i = 0; i < some.size(); ++i)
      if (!take(begin + i, std::move(some[i]))) return;
  }
}

/// Decodes a slice; reads only what is needed, as far as the codecs allow. Errors: tgmap::error; cli_error.
sliced_elements decode_slice(const object& from, const slice_spec& slice, const decode_options& how) {
  box part = resolve(slice, from.descriptor().shape());
  const part_reader reader(from, how);
  return {.elements = reader.slab({part.start, part.count, part.stride}), .part = std::move(part)};
}

/// The selected objects in the order of the targets, and pins of their archives.
struct extract_objects {
  struct origin {
    const sliced_target* from = nullptr;
    std::optional<std::size_t> message{};  ///< its number; empty if it was named by offset
    tgmap::message source{};
  };

  std::vector<object> objects{};
  std::vector<origin> origins{};  ///< one per object
  std::vector<pin> pins{};

  /// Returns "14", or "@1234" for a message named by its offset.
  std::string message_label(std::size_t i) const;
  /// Returns the address, for example "forecast.tgm:14:0".
  std::string name(std::size_t i) const;
};

std::string extract_objects::message_label(std::size_t i) const {
  const auto& number = origins[i].message;
  return number ? std::to_string(*number) : "@" + std::to_string(objects[i].frame().message().offset());
}

std::string extract_objects::name(std::size_t i) const {
  return origins[i].from->address.file + (origins[i].message ? ":" : "") + message_label(i) + ":" +
         std::to_string(objects[i].index());
}

std::optional<std::size_t> number_of(const archive& in, const message& m, const target& what, bool numbered,
                                     session& run) {
  if (const auto known = m.index(); known || !numbered || what.offset) return known;
  scan_all(in, what, run);  // the message was found from the end
  return m.index();
}

void find_in(const sliced_target& from, const selector& chosen_objects, bool numbered, std::size_t most,
             extract_objects& out, session& run) {
  const target& what = from.address;
  const archive in = open_archive(what, run);
  out.pins.push_back(in.pin());  // before an error: kept objects outlive it
  const auto take = [&](const message& m, key_lookup&, std::optional<std::size_t> object) {
    out.objects.push_back(m[object.value()]);
    out.origins.push_back({&from, number_of(in, m, what, numbered, run), m});
    return out.objects.size() < most;
  };
  // Throws for a message that the user named and that cannot be read.
  if (what.one_message())
    if (const message named = find_message(in, what); named.version() == 1) named.size();
  const tally sum = chosen_objects.visit_all(what, in, run, take);
  chosen_objects.report(what, in, sum, run);
}

/// Returns the selected objects, at most `most`. `numbered`: scan if needed to get the numbers of messages. Reports and
/// skips what cannot be read. Errors: usage_error.
extract_objects find_objects(std::span<const sliced_target> targets, const selection_options& chosen, bool numbered,
                             std::size_t most, session& run) {
  const selector chosen_objects(chosen);
  extract_objects out;
  for (const sliced_target& each : targets)
    if (out.objects.size() < most)
      run.report.guard(each.address.file, [&] { find_in(each, chosen_objects, numbered, most, out, run); });
  return out;
}

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

std::vector<sliced_target> read_targets(const extract_options& given) {
  std::vector<sliced_target> out = parse_sliced_targets(given.from);
  if (given.stored && std::any_of(out.begin(), out.end(), [](const sliced_target& t) { return t.slice.has_value(); }))
    throw usage_error("--stored takes whole payloads; leave out the slice or --stored");
  return out;
}

/// Returns the name of the file or member of each object, all different and none an input.
/// Errors: usage_error; cli_error.
std::vector<std::string> names_of(const extract_objects& all, const std::vector<sliced_target>& from,
                                  const extract_destination& to) {
  std::vector<extracted_object> named;
  for (std::size_t i = 0; i < all.objects.size(); ++i)
    named.push_back(
        {all.origins[i].source, all.objects[i], all.origins[i].from->address.file, all.message_label(i), all.name(i)});
  std::vector<std::string> out = extract_names(to, named);
  for (const sliced_target& each : from) {
    if (to.what == extract_destination::kind::npz)
      refuse_to_overwrite(each.address, to.to);
    else
      for (const std::string& name : out) refuse_to_overwrite(each.address, name);
  }
  return out;
}

output_options outputs_of(const extract_options& given, const extract_destination& to) {
  output_options out = given.outputs;
  out.is_text = is_text(to.form);
  return out;
}

/// Writes all objects. Reports objects that cannot be decoded, and goes on if every object has its own file.
class extractor {
 public:
  extractor(const extract_options& given, const extract_objects& all, const extract_destination& to,
            std::vector<std::string> names, session& run)
      : given_(given),
        all_(all),
        to_(to),
        names_(std::move(names)),
        run_(run),
        writer_(to, outputs_of(given, to), run),
        bar_(run, "writing " + to.to, total()) {}

  void write_all() {
    writer_.allow(names_);
    const std::size_t count = all_.objects.size();
    for (std::size_t i = 0, end = 0; i < count && more_; i = end) {
      end = i + 1;
      if (given_.stored) {
        write(i, [&] { write_payload(i); });
      } else if (slice_of(i)) {
        while (end < count && slice_of(end)) ++end;
        write_slices(i, end);
      } else {
        while (end < count && !slice_of(end)) ++end;
        write_whole(i, end);
      }
    }
    report_unverified(hashes_, run_);
    if (!more_) return run_.report.hint(to_.to + ": not written because an object is missing");
    writer_.finish();
    run_.out.write(report_);
  }

 private:
  const std::optional<slice_spec>& slice_of(std::size_t i) const { return all_.origins[i].from->slice; }

  const std::string& file_of(std::size_t i) const { return all_.origins[i].from->address.file; }

  std::uint64_t total() const {
    std::uint64_t out = 0;
    for (const object& each : all_.objects) out += each.payload_size();
    return out;
  }

  decode_options how() const {
    return {.strides = given_.as_stored ? stride_policy::ignore : stride_policy::apply, .verify = given_.verify};
  }

  /// Runs `work` for object `i` and reports its errors. Returns false to stop.
  template <class Work>
  bool write(std::size_t i, Work&& work) {
    const object& of = all_.objects[i];
    const std::string name = all_.name(i);
    bool fine = false;
    try {
      with_words(work);
      fine = true;
    } catch (const error& why) {
      run_.report.failed(name, decode_error(of, why.details(), name, file_of(i)));
    } catch (const cli_error& why) {
      run_.report.failed(name, why);
    }
    bar_.update(done_ += of.payload_size());
    return more_ = fine || to_.what != extract_destination::kind::npz;
  }

  void write_payload(std::size_t i) {
    if (const failure why = given_.verify ? hashes_.check_object(file_of(i), all_.objects[i]) : failure{})
      throw error(why);
    put(i, [&](const convert::write_function& to) { convert::copy_payload(all_.objects[i], to); });
  }

  void write_slices(std::size_t begin, std::size_t end) {
    const auto make = [&](std::size_t i) { return decode_slice(all_.objects[begin + i], *slice_of(begin + i), how()); };
    const auto take = [&](std::size_t i, slice_result&& slice) {
      return write(begin + i, [&] {
        if (slice.thrown) std::rethrow_exception(slice.thrown);
        put(begin + i, slice.part.elements, slice.part.part);
      });
    };
    slices_in_order(end - begin, make, take, run_);
  }

  void write_whole(std::size_t begin, std::size_t end) {
    const auto some = std::span(all_.objects).subspan(begin, end - begin);
    const auto take = [&](std::size_t number, tensor&& elements, const failure& why) {
      return write(begin + number, [&] {
        if (why) throw error(why);
        put(begin + number, elements, resolve({.text = "[...]"}, elements.shape()));
      });
    };
    decode_in_order(some, how(), take, run_);
  }

  void put(std::size_t i, const tensor& elements, const box& part) {
    if (given_.verify) hashes_.count(file_of(i), all_.objects[i]);
    if (is_text(to_.form)) return put_text(i, elements, part);
    put(i, [&](const convert::write_function& to) {
      to_.form == extract_form::raw ? convert::write_raw(elements, to) : convert::write_npy(elements, part.shape, to);
    });
  }

  void put_text(std::size_t i, const tensor& elements, const box& part) {
    const found_coordinates found = find_coordinates(all_.origins[i].source, all_.objects[i], part);
    if (found.are_indices() || !found.why_no_degrees.empty()) hint_indices(i, found.why_no_degrees);
    const convert::value_table table{.elements = elements, .shape = part.shape, .coordinates = found.coordinates};
    put(i, [&](const convert::write_function& to) {
      if (to_.form == extract_form::csv) return convert::write_csv(table, to);
      if (to_.form == extract_form::text) return convert::write_columns(table, to);
      const auto put_members = [&](json_text::writer<>& line) { put_json_members(i, found.why_no_degrees, line); };
      convert::write_json(table, put_members, to);
    });
  }

  /// Says once for each reason that there are no latitudes and longitudes.
  void hint_indices(std::size_t i, const std::string& why) {
    if (!hinted_.insert(why).second) return;
    run_.report.hint(all_.name(i) +
                     (why.empty() ? ": the message has no latitudes and longitudes for these elements"
                                  : ": no coordinates: " + core::escaped(why)) +
                     "; the columns have indices");
  }

  /// Writes the first members of the JSON of an object: its address and name, and why it has no degrees.
  void put_json_members(std::size_t i, const std::string& why_no_degrees, json_text::writer<>& to) const {
    failure unreadable;
    const std::string name = caption_of(all_.objects[i].metadata(unreadable)).name_text;
    const std::optional<std::size_t> message = all_.origins[i].message;
    put_name(to, "file", all_.origins[i].from->address.file);
    cli::put(to.key("message"), message ? json(*message) : json());
    to.key("object").integer(all_.objects[i].index());
    cli::put(to.key("name"), name.empty() ? json() : json(name));
    if (slice_of(i)) to.key("slice").string(slice_of(i)->text);
    if (!why_no_degrees.empty()) to.key("no_coordinates").string(why_no_degrees);
  }

  void put(std::size_t i, const extract_content& content) {
    const std::uint64_t bytes = writer_.write(names_[i], content);
    if (given_.json) add_to_report(i, bytes);
  }

  void add_to_report(std::size_t i, std::uint64_t bytes) {
    const auto& from = all_.origins[i];
    const bool npz = to_.what == extract_destination::kind::npz;
    json line{{"file", file_of(i)},
              {"message", from.message ? json(*from.message) : json()},
              {"object", all_.objects[i].index()},
              {"output", npz ? to_.to : names_[i]},
              {"bytes", bytes}};
    if (npz) line["member"] = names_[i];
    if (slice_of(i)) line["slice"] = slice_of(i)->text;
    report_ += json_line(line);  // printed when the files exist
  }

  const extract_options& given_;
  const extract_objects& all_;
  const extract_destination& to_;
  const std::vector<std::string> names_;
  session& run_;
  extract_writer writer_;
  progress_bar bar_;
  edit::hash_check hashes_;
  std::uint64_t done_ = 0;
  bool more_ = true;
  std::set<std::string> hinted_{};  ///< reasons for indices that were said
  std::string report_;
};

void run_extract(const extract_options& given, session& run) {
  const std::vector<sliced_target> targets = read_targets(given);
  if (given.verify) use_no_index(run);
  auto to = extract_destination::parse(given.to, given.format, given.stored);
  const bool one_archive = std::all_of(targets.begin(), targets.end(), [&](const sliced_target& each) {
    return each.address.file == targets.front().address.file;
  });
  if (to.names.is_folder() && !one_archive) to.names.add_archive_to_object_name();
  if (given.json && is_standard_output(to.to))
    throw usage_error("--json and the object cannot both go to standard output");

  std::vector<target> addresses;
  for (const sliced_target& each : targets) addresses.push_back(each.address);
  require_keys({{.option = fmt::format("'{}'", given.to), .keys = to.names.keys()}}, addresses, given.chosen, run);

  constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
  const extract_objects all =
      find_objects(targets, given.chosen, to.takes_several(), to.takes_several() ? no_limit : 2, run);
  if (all.objects.size() > 1 && !to.takes_several())
    throw usage_error(
        "several objects need -o with keys in brackets, for example 'f[@message]_[@object].npy', a folder, out/, or an "
        ".npz");
  const bool complete = run.report.status() != exit_status::failed;
  if (all.objects.empty() && complete)
    run.report.failed(targets.front().address.file, "no object is selected",
                      "run `tgmap ls --objects` to see what there is");
  if (all.objects.empty()) return;
  if (!complete && to.what == extract_destination::kind::npz)
    return run.report.hint(to.to + ": not written because an object is missing");
  run.report.guard(to.to, [&] { extractor(given, all, to, names_of(all, targets, to), run).write_all(); });
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
