// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/read/extract/extractor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <set>
#include <span>
#include <tgmap/decode/decode_many.hpp>
#include <tgmap/decode/executor.hpp>
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/tools/caption.hpp>
#include <utility>

#include "cli/app/cli_error.hpp"
#include "cli/app/write_error_text.hpp"
#include "cli/input/elements.hpp"
#include "cli/input/hash_mismatch.hpp"
#include "cli/print/json.hpp"
#include "cli/print/progress.hpp"
#include "cli/verbs/read/extract/element_coordinates.hpp"
#include "convert/npy.hpp"
#include "convert/raw.hpp"
#include "convert/value_table.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

namespace {

/// The elements of a slice, and where they are in the object.
struct sliced_elements {
  tensor elements;
  grids::slice part;
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
sliced_elements decode_slice(const object& from, const grids::slice_spec& slice, const decode_options& how) {
  grids::slice part = resolve(slice, from.descriptor().shape());
  const part_reader reader(from, how);
  return {.elements = reader.slab(part.slab()), .part = std::move(part)};
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
  const std::optional<grids::slice_spec>& slice_of(std::size_t i) const { return all_.origins[i].from->slice; }

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
        put(begin + number, elements, grids::full_slice(elements.shape()));
      });
    };
    decode_in_order(some, how(), take, run_);
  }

  void put(std::size_t i, const tensor& elements, const grids::slice& part) {
    if (given_.verify) hashes_.count(file_of(i), all_.objects[i]);
    if (is_text(to_.form)) return put_text(i, elements, part);
    const std::vector<std::uint64_t> shape = part.shape();
    put(i, [&](const convert::write_function& to) {
      to_.form == extract_form::raw ? convert::write_raw(elements, to) : convert::write_npy(elements, shape, to);
    });
  }

  void put_text(std::size_t i, const tensor& elements, const grids::slice& part) {
    const found_coordinates found = find_coordinates(all_.origins[i].source, all_.objects[i], part);
    if (found.are_indices() || !found.why_no_degrees.empty()) hint_indices(i, found.why_no_degrees);
    const std::vector<std::uint64_t> shape = part.shape();
    const convert::value_table table{.elements = elements, .shape = shape, .coordinates = found.coordinates};
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

}  // namespace

void extract_all(const extract_options& given, const extract_objects& all, const extract_destination& to,
                 std::vector<std::string> names, session& run) {
  extractor(given, all, to, std::move(names), run).write_all();
}

}  // namespace tgmap::cli
