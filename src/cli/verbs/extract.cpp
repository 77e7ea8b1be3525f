// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <tgmap/decode/decode_many.hpp>
#include <tgmap/decode/executor.hpp>
#include <tgmap/decode/part_reader.hpp>
#include <unordered_map>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/progress.hpp"
#include "cli/app/session.hpp"
#include "cli/app/verb.hpp"
#include "cli/input/elements.hpp"
#include "cli/input/overwrite_check.hpp"
#include "cli/input/slice.hpp"
#include "cli/print/json.hpp"
#include "cli/verbs/extract_output.hpp"
#include "convert/npy.hpp"
#include "convert/raw.hpp"

namespace tgmap::cli {

namespace {

/// The elements of a slice, and their shape without the dimensions dropped by an index.
struct sliced {
  tensor elements;
  std::vector<std::uint64_t> shape;
};

/// The result of one slice, or its exception.
struct slice_outcome {
  sliced part{};
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
void slices_in_order(std::size_t count, const std::function<sliced(std::size_t)>& make,
                     const std::function<bool(std::size_t, slice_outcome&&)>& take, session& run) {
  executor& on = run.decoders();
  for (std::size_t begin = 0; begin < count; begin += on.concurrency()) {
    std::vector<slice_outcome> some(std::min<std::size_t>(on.concurrency(), count - begin));
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
sliced decode_slice(const object& from, const slice_spec& slice, const decode_options& how) {
  box part = resolve(slice, from.descriptor().shape());
  const part_reader reader(from, how);
  return {.elements = reader.slab({part.start, part.count, part.stride}), .shape = std::move(part.shape)};
}

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
    throw usage_error("standard input can be read only once; save it to a file first");
  if (given.stored && std::any_of(out.begin(), out.end(), [](const sliced_target& t) { return t.slice.has_value(); }))
    throw usage_error("--stored takes whole payloads; leave out the slice or --stored");
  return out;
}

/// Returns the name of the file or member of each object, all different and none an input.
/// Errors: usage_error; cli_error.
std::vector<std::string> names_of(const extract_objects& all, const std::vector<sliced_target>& from,
                                  const extract_destination& to) {
  std::vector<std::string> out;
  std::unordered_map<std::string_view, std::size_t> seen;
  out.reserve(all.objects.size());  // keeps views of the names valid
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
    if (!more_) return run_.report.hint(given_.to + ": not written because an object is missing");
    writer_.finish();
    run_.out.write(told_);
  }

 private:
  const std::optional<slice_spec>& slice_of(std::size_t i) const { return all_.origins[i].from->slice; }

  std::uint64_t total() const {
    std::uint64_t out = 0;
    for (const object& each : all_.objects) out += each.payload_size();
    return out;
  }

  decode_options how() const { return {.strides = given_.as_stored ? stride_policy::ignore : stride_policy::apply}; }

  /// Runs `work` for object `i` and reports its errors. Returns false to stop.
  template <class Work>
  bool write(std::size_t i, Work&& work) {
    const object& of = all_.objects[i];
    const std::string name = all_.name(i);
    const auto refuse = [&](const cli_error& why) {
      run_.report.failed(why.file().empty() ? name : why.file(), why.what(), why.next_step());
    };
    bool fine = false;
    try {
      work();
      fine = true;
    } catch (const error& why) {
      refuse(decode_error(of, why.details(), name, all_.origins[i].from->address.file));
    } catch (const cli_error& why) {
      refuse(why);
    }
    bar_.update(done_ += of.payload_size());
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
    told_ += json_line(line);  // printed when the files exist
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
  if (given.json && is_standard_output(given.to))
    throw usage_error("--json and the object cannot both go to standard output");

  constexpr std::size_t all_there_are = std::numeric_limits<std::size_t>::max();
  const extract_objects all =
      find_objects(targets, given.chosen, to.takes_several(), to.takes_several() ? all_there_are : 2, run);
  if (all.objects.size() > 1 && !to.takes_several())
    throw usage_error(
        "several objects need -o with [@message] and [@object], for example 'f[@message]_[@object].npy', a folder, or "
        "an "
        ".npz");
  const bool complete = run.report.status() != exit_status::failed;
  if (all.objects.empty() && complete)
    run.report.failed(targets.front().address.file, "no object is selected",
                      "run `tgmap ls --objects` to see what there is");
  if (all.objects.empty()) return;
  if (!complete && to.what == extract_destination::kind::npz)
    return run.report.hint(given.to + ": not written because an object is missing");
  run.report.guard(given.to, [&] { extractor(given, all, to, names_of(all, targets, to), run).write_all(); });
}

}  // namespace

action declare_extract(CLI::App& app, session& run) {
  const auto given = std::make_shared<extract_options>();
  given->chosen.objects = true;
  add_targets(app, given->from,
              std::string(target_forms) + "; a slice such as [10:20,::4] after it takes a part of each object");
  app.add_option("-o,--output", given->to,
                 "The file to write; - is standard output; for several objects a name with [@message] and [@object], a "
                 "folder, or an .npz")
      ->required()
      ->type_name("OUT");
  const auto format = app.add_option("--format", given->format, "npy, or raw: only the elements in C order")
                          ->check(CLI::IsMember({"npy", "raw"}))
                          ->type_name("FORMAT");
  add_where(app, given->chosen);
  const auto as_stored =
      app.add_flag("--as-stored", given->as_stored, "Ignore strides and take elements in stored order");
  app.add_flag("--stored", given->stored, "Write the payload as stored, without decoding")
      ->excludes(format)
      ->excludes(as_stored);
  add_decode_limits(app, run, decoding_verb::one_object);
  add_output_options(app, given->outputs);
  app.add_flag("-j,--json", given->json, "Print what was written, one JSON object per object");
  return [given, &run] { run_extract(*given, run); };
}

}  // namespace tgmap::cli
