// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <unordered_map>

#include "cli/complaint.hpp"
#include "cli/extract_decode.hpp"
#include "cli/extract_objects.hpp"
#include "cli/extract_output.hpp"
#include "cli/json.hpp"
#include "cli/progress.hpp"
#include "cli/same_file.hpp"
#include "cli/undecodable.hpp"
#include "cli/verb.hpp"
#include "convert/npy.hpp"
#include "convert/raw.hpp"

namespace tgmap::cli {

namespace {

struct extract_options {
  std::vector<std::string> from;
  std::string to;
  std::string format;
  selection_options chosen;
  output_options outputs;
  bool stored = false;
  bool as_stored = false;
  bool json = false;
};

std::vector<sliced_target> read_targets(const extract_options& given) {
  std::vector<sliced_target> out;
  for (const std::string& text : given.from) out.push_back(parse_sliced_target(text));
  if (std::count_if(out.begin(), out.end(), [](const sliced_target& t) { return t.address.file == "-"; }) > 1)
    throw usage_error("standard input can be read once; save it to a file first");
  if (given.stored && std::any_of(out.begin(), out.end(), [](const sliced_target& t) { return t.slice.has_value(); }))
    throw usage_error("--stored takes payloads whole; leave the slice or --stored out");
  return out;
}

/// The name of each object's file or member: each another one, none that of an input. Throws usage_error, complaint.
std::vector<std::string> names_of(const extract_objects& all, const std::vector<sliced_target>& from,
                                  const extract_destination& to) {
  std::vector<std::string> out;
  std::unordered_map<std::string_view, std::size_t> seen;
  out.reserve(all.objects.size());  // views of them stay
  for (std::size_t i = 0; i < all.objects.size(); ++i) {
    out.push_back(to.name_of(all, i));
    const auto [other, first] = seen.emplace(out.back(), i);
    if (!first)
      throw usage_error(
          fmt::format("'{}' and '{}' would both be written to '{}'{}", all.name(other->second), all.name(i), out.back(),
                      to.what == extract_destination::kind::pattern ? "; put [@message] and [@object] into -o"
                                                                    : "; extract them in two calls"));
  }
  for (const sliced_target& each : from) {
    if (to.what == extract_destination::kind::npz)
      refuse_to_overwrite(each.address, to.to);
    else
      for (const std::string& name : out) refuse_to_overwrite(each.address, name);
  }
  return out;
}

/// Writes everything; what could not be decoded is reported, and passed over where the others have files of their own.
class extraction {
 public:
  extraction(const extract_options& given, const extract_objects& all, const extract_destination& to,
             std::vector<std::string> names, session& run)
      : given_(given),
        all_(all),
        to_(to),
        names_(std::move(names)),
        run_(run),
        writer_(to, given.outputs, run),
        bar_(run, "writing " + given.to, total()) {}

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
    if (!more_) return run_.report.hint(given_.to + ": not written, for an object of it is missing");
    writer_.finish();
    run_.out.write(told_);
  }

 private:
  const std::optional<slice_text>& slice_of(std::size_t i) const { return all_.origins[i].from->slice; }

  std::uint64_t total() const {
    std::uint64_t out = 0;
    for (const object& each : all_.objects) out += each.payload_size();
    return out;
  }

  decode_options how() const { return {.strides = given_.as_stored ? stride_policy::ignore : stride_policy::apply}; }

  /// Does the work for object `i`; false: no more.
  template <class Work>
  bool write(std::size_t i, Work&& work) {
    const object& of = all_.objects[i];
    const std::string name = all_.name(i);
    const auto refuse = [&](const complaint& why) {
      run_.report.failed(why.file().empty() ? name : why.file(), why.what(), why.next_step());
    };
    bool fine = false;
    try {
      work();
      fine = true;
    } catch (const error& why) {
      refuse(undecodable(of, why.details(), name, all_.origins[i].from->address.file));
    } catch (const complaint& why) {
      refuse(why);
    }
    bar_.at(done_ += of.payload_size());
    return more_ = fine || to_.what != extract_destination::kind::npz;
  }

  void write_payload(std::size_t i) {
    put(i, [&](const convert::write_function& to) { convert::copy_payload(all_.objects[i], to); });
  }

  void write_slices(std::size_t begin, std::size_t end) {
    const auto make = [&](std::size_t i) { return decode_slice(all_.objects[begin + i], *slice_of(begin + i), how()); };
    const auto take = [&](std::size_t i, slice_outcome&& slice) {
      return write(begin + i, [&] {
        if (slice.thrown) std::rethrow_exception(slice.thrown);
        put(begin + i, slice.part.elements, slice.part.shape);
      });
    };
    slices_in_order(end - begin, make, take, run_);
  }

  void write_whole(std::size_t begin, std::size_t end) {
    const auto some = std::span(all_.objects).subspan(begin, end - begin);
    const auto take = [&](std::size_t number, tensor&& elements, const failure& why) {
      return write(begin + number, [&] {
        if (why) throw error(why);
        put(begin + number, elements, elements.shape());
      });
    };
    decode_in_order(some, how(), take, run_);
  }

  void put(std::size_t i, const tensor& elements, std::span<const std::uint64_t> shape) {
    put(i, [&](const convert::write_function& to) {
      to_.form == extract_form::raw ? convert::write_raw(elements, to) : convert::write_npy(elements, shape, to);
    });
  }

  void put(std::size_t i, const extract_content& content) {
    const std::uint64_t bytes = writer_.write(names_[i], content);
    if (given_.json) tell(i, bytes);
  }

  void tell(std::size_t i, std::uint64_t bytes) {
    const auto& from = all_.origins[i];
    const bool npz = to_.what == extract_destination::kind::npz;
    json line{{"file", from.from->address.file},
              {"message", from.message ? json(*from.message) : json()},
              {"object", all_.objects[i].index()},
              {"output", npz ? given_.to : names_[i]},
              {"bytes", bytes}};
    if (npz) line["member"] = names_[i];
    if (slice_of(i)) line["slice"] = slice_of(i)->text;
    told_ += json_line(line);  // once it is there
  }

  const extract_options& given_;
  const extract_objects& all_;
  const extract_destination& to_;
  const std::vector<std::string> names_;
  session& run_;
  extract_writer writer_;
  progress_bar bar_;
  std::uint64_t done_ = 0;
  bool more_ = true;
  std::string told_;
};

void run_extract(const extract_options& given, session& run) {
  const std::vector<sliced_target> targets = read_targets(given);
  const auto to = extract_destination::parse(given.to, given.format, given.stored);
  if (given.json && names_standard_output(given.to))
    throw usage_error("--json and the object cannot both go to standard output");

  constexpr std::size_t all_there_are = std::numeric_limits<std::size_t>::max();
  const extract_objects all =
      find_objects(targets, given.chosen, to.takes_several(), to.takes_several() ? all_there_are : 2, run);
  if (all.objects.size() > 1 && !to.takes_several())
    throw usage_error(
        "several objects need -o with [@message] and [@object] in it, as in 'f[@message]_[@object].npy', "
        "or a folder, or an .npz");
  const bool complete = run.report.status() != exit_status::failed;
  if (all.objects.empty() && complete)
    run.report.failed(targets.front().address.file, "no object is selected",
                      "run `tgmap ls --objects` to see what there is");
  if (all.objects.empty()) return;
  if (!complete && to.what == extract_destination::kind::npz)
    return run.report.hint(given.to + ": not written, for an object of it is missing");
  run.report.guard(given.to, [&] { extraction(given, all, to, names_of(all, targets, to), run).write_all(); });
}

}  // namespace

action declare_extract(CLI::App& app, session& run) {
  const auto given = std::make_shared<extract_options>();
  given->chosen.objects = true;
  add_targets(app, given->from,
              std::string(target_forms) + "; a slice such as [10:20,::4] behind it takes a part of each object");
  app.add_option("-o,--output", given->to,
                 "The file to write, - is standard output; for several objects a name with [@message] and [@object], a "
                 "folder, or an .npz")
      ->required()
      ->type_name("OUT");
  const auto format = app.add_option("--format", given->format, "npy, or raw: the elements alone, in C order")
                          ->check(CLI::IsMember({"npy", "raw"}))
                          ->type_name("FORMAT");
  add_where(app, given->chosen);
  const auto as_stored =
      app.add_flag("--as-stored", given->as_stored, "Take elements in the order stored, whatever the strides say");
  app.add_flag("--stored", given->stored, "The payload as it lies, whatever has to be undone to read it")
      ->excludes(format)
      ->excludes(as_stored);
  add_decode_limits(app, run, decoding_verb::one_object);
  add_output_options(app, given->outputs);
  app.add_flag("-j,--json", given->json, "Tell what was written, one JSON object for each object");
  return [given, &run] { run_extract(*given, run); };
}

}  // namespace tgmap::cli
