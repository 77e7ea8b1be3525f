// SPDX-License-Identifier: Apache-2.0
#include "convert/export/element_export.hpp"

#include <algorithm>
#include <exception>
#include <tgmap/decode/decode_many.hpp>
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/tools/caption.hpp>
#include <utility>
#include <vector>

#include "convert/export/element_coordinates.hpp"
#include "convert/npy.hpp"
#include "convert/raw.hpp"
#include "convert/value_table.hpp"

namespace tgmap::convert {

namespace {

/// The elements of a part of an object, or why there are none.
struct decoded_part {
  tensor elements{};
  grids::slice part{};
  std::exception_ptr thrown{};
};

/// Decodes a part; reads only what is needed, as far as the codecs allow. Errors: throws tgmap::error.
decoded_part decode_part(const object& from, const grids::slice_spec& wanted, const decode_options& how) {
  failure why;
  decoded_part out{.part = grids::resolve(wanted, from.descriptor().shape(), why)};
  if (why) throw error(why);
  out.elements = part_reader(from, how).slab(out.part.slab());
  return out;
}

/// Makes `count` parts with `make(number)` in several threads, and passes them to `take` in order, until it returns
/// false.
void parts_in_order(std::size_t count, const std::function<decoded_part(std::size_t)>& make,
                    const std::function<bool(std::size_t, decoded_part&&)>& take, executor* on) {
  const std::size_t width = on != nullptr ? on->concurrency() : 1;
  for (std::size_t begin = 0; begin < count; begin += width) {
    std::vector<decoded_part> some(std::min(width, count - begin));
    auto piece = [&](std::size_t i) noexcept {
      try {
        some[i] = make(begin + i);
      } catch (...) {
        some[i].thrown = std::current_exception();
      }
    };
    if (on == nullptr)
      piece(0);
    else
      on->run(some.size(), {[](void* to, std::size_t i) noexcept { (*static_cast<decltype(piece)*>(to))(i); }, &piece});
    for (std::size_t i = 0; i < some.size(); ++i)
      if (!take(begin + i, std::move(some[i]))) return;
  }
}

/// An `element_export` is one export.
class element_export {
 public:
  element_export(std::span<const exported_object> all, std::span<const std::string> names, export_writer& writer,
                 const export_options& how, export_visitor& visitor)
      : all_(all), names_(names), writer_(writer), how_(how), visitor_(visitor) {}

  void write_all() {
    const std::size_t count = all_.size();
    for (std::size_t i = 0, end = 0; i < count && more_; i = end) {
      end = i + 1;
      if (how_.format == element_format::stored) {
        write(i, [&] { write_payload(i); });
        continue;
      }
      const bool parts = all_[i].part.has_value();
      while (end < count && all_[end].part.has_value() == parts) ++end;
      parts ? write_parts(i, end) : write_whole(i, end);
    }
  }

 private:
  decode_options decoding() const { return {.strides = how_.strides, .verify = how_.hashes != nullptr}; }

  bool write(std::size_t i, const std::function<void()>& work) { return more_ = visitor_.attempt(i, work); }

  void write_payload(std::size_t i) {
    const exported_object& one = all_[i];
    if (const failure why = how_.hashes != nullptr ? how_.hashes->check_object(one.archive, one.of) : failure{})
      throw error(why);
    put(i, [&](const write_function& to) { copy_payload(one.of, to); });
  }

  void write_parts(std::size_t begin, std::size_t end) {
    const auto make = [&](std::size_t i) {
      return decode_part(all_[begin + i].of, all_[begin + i].part.value(), decoding());
    };
    const auto take = [&](std::size_t i, decoded_part&& decoded) {
      return write(begin + i, [&] {
        if (decoded.thrown) std::rethrow_exception(decoded.thrown);
        put(begin + i, decoded.elements, decoded.part);
      });
    };
    parts_in_order(end - begin, make, take, how_.decoders);
  }

  void write_whole(std::size_t begin, std::size_t end) {
    std::vector<object> objects;
    for (const exported_object& each : all_.subspan(begin, end - begin)) objects.push_back(each.of);
    decode_many_options how{.decode = decoding(), .failures = on_failure::keep_going, .max_bytes = how_.max_bytes};
    how.decode.executor = how_.workers;
    const auto take = [&](std::size_t number, tensor&& elements, const failure& why) {
      return write(begin + number, [&] {
        if (why) throw error(why);
        put(begin + number, elements, grids::full_slice(elements.shape()));
      });
    };
    decode_each(objects, take, how);
  }

  void put(std::size_t i, const tensor& elements, const grids::slice& part) {
    if (how_.hashes != nullptr) how_.hashes->count(all_[i].archive, all_[i].of);
    if (is_text(how_.format)) return put_text(i, elements, part);
    const std::vector<std::uint64_t> shape = part.shape();
    put(i, [&](const write_function& to) {
      how_.format == element_format::raw ? write_raw(elements, to) : write_npy(elements, shape, to);
    });
  }

  void put_text(std::size_t i, const tensor& elements, const grids::slice& part) {
    const element_coordinates found = find_coordinates(all_[i].in, all_[i].of, part, how_.grids);
    std::string reason;
    if (found.are_indices() || found.obstacle) reason = visitor_.no_degrees(i, found.obstacle);
    const std::vector<std::uint64_t> shape = part.shape();
    const value_table table{.elements = elements, .shape = shape, .coordinates = found.coordinates};
    put(i, [&](const write_function& to) {
      if (how_.format == element_format::csv) return write_csv(table, to);
      if (how_.format == element_format::text) return write_columns(table, to);
      write_json(
          table, [&](json_text::writer<>& line) { put_members(all_[i], reason, line); }, to);
    });
  }

  /// Writes the first members of the JSON of an object: its address and name, and why it has no degrees.
  static void put_members(const exported_object& of, const std::string& reason, json_text::writer<>& to) {
    const std::string name = caption_of(of.of).name_text;
    const auto message = of.in.index();
    put_name(to, "file", of.archive);
    message ? to.key("message").integer(*message) : to.key("message").null();
    to.key("object").integer(of.of.index());
    name.empty() ? to.key("name").null() : to.key("name").string(name);
    if (of.part) to.key("slice").string(of.part->text);
    if (!reason.empty()) to.key("no_coordinates").string(reason);
  }

  void put(std::size_t i, const file_content& content) { visitor_.written(i, writer_.write(names_[i], content)); }

  std::span<const exported_object> all_;
  std::span<const std::string> names_;
  export_writer& writer_;
  const export_options& how_;
  export_visitor& visitor_;
  bool more_ = true;
};

}  // namespace

void export_elements(std::span<const exported_object> all, std::span<const std::string> names, export_writer& writer,
                     const export_options& how, export_visitor& visitor) {
  element_export(all, names, writer, how, visitor).write_all();
}

}  // namespace tgmap::convert
