// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <new>
#include <string>
#include <tgmap/constant/write.hpp>
#include <vector>

#include "constant/json/cell_formatter.hpp"
#include "constant/model/block_sequence.hpp"
#include "constant/model/output_buffer.hpp"
#include "json/escape.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

using namespace json;

bool is_long(form wanted) noexcept { return wanted == form::long_form || wanted == form::long_value; }
bool is_hex(form wanted) noexcept { return wanted == form::hex || wanted == form::hex_value; }
bool is_value_only(form wanted) noexcept {
  return wanted == form::long_value || wanted == form::short_value || wanted == form::hex_value;
}

/// Writes a JSON string with its quotes through `put(std::string_view)`, with the escapes of Vespa. The text must be
/// UTF-8.
template <class Put>
void write_json_string(std::string_view text, Put&& put) {
  put(std::string_view("\""));
  json_text::put_escaped(text, json_text::escapes::vespa, [&](std::string_view piece) { return put(piece), true; });
  put(std::string_view("\""));
}

/// Returns the member that holds the cells.
std::string_view content_member(const tensor_type& type, form wanted) noexcept {
  if (is_long(wanted) || type.is_sparse()) return "cells";
  return type.is_mixed() ? "blocks" : "values";
}

/// A `cell_address` is the address of one cell of a block after the other: `"key":"a","x":"0"`. The text that all cells
/// of a row share is made once.
class cell_address {
 public:
  explicit cell_address(const tensor_type& type) noexcept : type_(type) {}

  /// Starts at the first cell of a block. Throws std::bad_alloc.
  /// Errors: bad_constant.
  void set_labels(const tensor_constant&, std::uint64_t block, failure&);
  void put(output_buffer&) const noexcept;
  void next();  ///< throws std::bad_alloc

 private:
  void update_texts();

  const tensor_type& type_;
  std::array<std::string, max_rank> labels_{};     ///< quoted labels of mapped dimensions, by dimension
  std::array<std::uint64_t, max_rank> indexes_{};  ///< in indexed dimensions
  std::size_t last_ = max_rank;                    ///< the last indexed dimension, or max_rank
  std::string before_{}, after_{};                 ///< the texts around the last index
};

void cell_address::set_labels(const tensor_constant& constant, std::uint64_t block, failure& why) {
  std::size_t mapped = 0;
  const auto all = type_.dimensions();
  for (std::size_t d = 0; d < all.size(); ++d) {
    indexes_[d] = 0;
    if (!all[d].is_mapped()) {
      last_ = d;
      continue;
    }
    const std::string_view label = writable_label(constant, block, mapped++, why);
    if (why) return;
    labels_[d].clear();
    write_json_string(label, [&](std::string_view piece) { labels_[d].append(piece); });
  }
  update_texts();
}

void cell_address::update_texts() {
  before_.clear();
  after_.clear();
  const auto all = type_.dimensions();
  for (std::size_t d = 0; d < all.size(); ++d) {
    std::string& to = last_ < d ? after_ : before_;
    if (d > 0) to += ',';
    to.append("\"").append(all[d].name).append("\":");
    if (d == last_)
      (to += '"', after_ += '"');
    else if (all[d].is_mapped())
      to += labels_[d];
    else
      to.append("\"").append(std::to_string(indexes_[d])).append("\"");
  }
}

void cell_address::put(output_buffer& out) const noexcept {
  out.put(before_);
  if (last_ == max_rank) return;
  constexpr std::size_t max_digits = 20;
  char* const digits = out.reserve(max_digits);
  out.commit(std::to_chars(digits, digits + max_digits, indexes_[last_]).ptr);
  out.put(after_);
}

void cell_address::next() {
  const auto all = type_.dimensions();
  bool same_row = true;
  for (std::size_t d = last_ == max_rank ? 0 : last_ + 1; d-- > 0;) {
    if (all[d].is_mapped()) continue;
    if (++indexes_[d] < all[d].size) break;
    indexes_[d] = 0;
    same_row = false;
  }
  if (!same_row) update_texts();
}

/// A `json_writer` writes one constant. Throws std::bad_alloc; other errors are in the output buffer.
class json_writer {
 public:
  json_writer(const tensor_constant&, const write_options&, output_buffer&);
  void write();

 private:
  void write_content();
  void write_cells();          ///< an array of addresses and values
  void write_cells_object();   ///< {label: value}
  void write_blocks_object();  ///< {label: dense cells}
  void write_blocks();         ///< an array of addresses and dense cells

  void write_dense(const std::byte* block);
  void write_rows(const std::byte* block);
  void write_values(const std::byte* cells, std::uint64_t count, std::string_view separator);
  void write_label(std::uint64_t block, std::size_t mapped);

  const std::byte* cells_of(std::uint64_t block) const noexcept {
    return from_.bytes().data() + block * from_.type().block_bytes();
  }
  const tensor_constant& from_;
  write_options options_;
  output_buffer& out_;
  block_sequence order_;
  cell_formatter number_, dense_;       ///< for single cells, and for dense cells
  std::vector<std::uint64_t> sizes_{};  ///< of indexed dimensions
};

json_writer::json_writer(const tensor_constant& constant, const write_options& options, output_buffer& out)
    : from_(constant),
      options_(options),
      out_(out),
      order_(constant, options.order),
      number_(number_formatter(constant.type().cell_type(), options.style)),
      dense_(is_hex(options.form) ? hex_formatter(constant.type().cell_type()) : number_) {
  for (const dimension& one : constant.type().dimensions())
    if (!one.is_mapped()) sizes_.push_back(one.size);
}

void json_writer::write() {
  if (is_value_only(options_.form)) return write_content();
  out_.put("{\"type\":\"");
  out_.put(from_.type().text());  // names need no escapes
  out_.put("\",\"");
  out_.put(content_member(from_.type(), options_.form));
  out_.put("\":");
  write_content();
  out_.put('}');
}

void json_writer::write_content() {
  const tensor_type& type = from_.type();
  if (is_long(options_.form) || (type.is_sparse() && type.mapped_count() > 1)) return write_cells();
  if (type.mapped_count() == 0) return write_dense(cells_of(0));
  if (type.is_sparse()) return write_cells_object();
  return type.mapped_count() == 1 ? write_blocks_object() : write_blocks();
}

void json_writer::write_cells() {
  cell_address address(from_.type());
  out_.put('[');
  for (std::uint64_t i = 0; i < from_.blocks() && !out_.error(); ++i) {
    if (i > 0) out_.put(',');
    failure why;
    address.set_labels(from_, order_[i], why);
    if (why) return out_.fail(why);
    const std::byte* cell = cells_of(order_[i]);
    const std::size_t width = tgmap::element_size(from_.type().cell_type());
    for (std::uint64_t n = 0; n < from_.type().block_cells() && !out_.error(); ++n, cell += width) {
      out_.put(n > 0 ? ",{\"address\":{" : "{\"address\":{");
      address.put(out_);
      out_.put("},\"value\":");
      out_.commit(number_.format(out_.reserve(number_.max_size), cell, 1));
      out_.put('}');
      address.next();
    }
  }
  out_.put(']');
}

void json_writer::write_cells_object() {
  out_.put('{');
  for (std::uint64_t i = 0; i < from_.blocks() && !out_.error(); ++i) {
    if (i > 0) out_.put(',');
    write_label(order_[i], 0);
    out_.put(':');
    out_.commit(number_.format(out_.reserve(number_.max_size), cells_of(order_[i]), 1));
  }
  out_.put('}');
}

void json_writer::write_blocks_object() {
  out_.put('{');
  for (std::uint64_t i = 0; i < from_.blocks() && !out_.error(); ++i) {
    if (i > 0) out_.put(',');
    write_label(order_[i], 0);
    out_.put(':');
    write_dense(cells_of(order_[i]));
  }
  out_.put('}');
}

void json_writer::write_blocks() {
  out_.put('[');
  for (std::uint64_t i = 0; i < from_.blocks() && !out_.error(); ++i) {
    out_.put(i > 0 ? ",{\"address\":{" : "{\"address\":{");
    std::size_t mapped = 0;
    for (const dimension& one : from_.type().dimensions()) {
      if (!one.is_mapped()) continue;
      out_.put(mapped > 0 ? ",\"" : "\"");
      out_.put(one.name);
      out_.put("\":");
      write_label(order_[i], mapped++);
    }
    out_.put("},\"values\":");
    write_dense(cells_of(order_[i]));
    out_.put('}');
  }
  out_.put(']');
}

void json_writer::write_label(std::uint64_t block, std::size_t mapped) {
  failure why;
  const std::string_view label = writable_label(from_, block, mapped, why);
  if (why) return out_.fail(why);
  write_json_string(label, [&](std::string_view piece) { out_.put(piece); });
}

void json_writer::write_dense(const std::byte* block) {
  if (!is_hex(options_.form)) return write_rows(block);
  out_.put('"');
  write_values(block, from_.type().block_cells(), {});
  out_.put('"');
}

/// Writes cells, as many at once as the buffer can take.
void json_writer::write_values(const std::byte* cells, std::uint64_t count, std::string_view separator) {
  const std::size_t width = tgmap::element_size(from_.type().cell_type());
  const std::uint64_t max_count = output_buffer::capacity / 4 / dense_.max_size;
  while (count > 0 && !out_.error()) {
    const auto now = static_cast<std::size_t>(std::min(count, max_count));
    out_.commit(dense_.format(out_.reserve(now * dense_.max_size), cells, now));
    cells += now * width;
    count -= now;
    if (count > 0) out_.put(separator);
  }
}

void json_writer::write_rows(const std::byte* block) {
  if (sizes_.empty()) {  // a scalar is written as an array of one
    out_.put('[');
    write_values(block, 1, ",");
    return out_.put(']');
  }
  const std::size_t outer = sizes_.size() - 1;
  const std::uint64_t row = sizes_.back(), rows = from_.type().block_cells() / row;
  const std::size_t row_bytes = static_cast<std::size_t>(row) * tgmap::element_size(from_.type().cell_type());
  std::array<std::uint64_t, max_rank> at{};
  std::size_t opened = outer;
  for (std::uint64_t i = 0; i < rows && !out_.error(); ++i, block += row_bytes) {
    for (std::size_t d = 0; d <= opened; ++d) out_.put('[');
    write_values(block, row, ",");
    out_.put(']');
    opened = 0;
    for (std::size_t d = outer; d-- > 0 && ++at[d] == sizes_[d]; ++opened) {
      at[d] = 0;
      out_.put(']');
    }
    if (i + 1 < rows) out_.put(',');
  }
}

class string_sink final : public sink {
 public:
  explicit string_sink(std::string& to) noexcept : to_(to) {}
  failure write(std::span<const std::span<const std::byte>> pieces) noexcept override try {
    for (const auto piece : pieces) to_.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    return {};
  } catch (const std::exception&) {  // std::length_error, too
    return {.code = tgmap::errc::out_of_memory};
  }

 private:
  std::string& to_;
};

}  // namespace

void write_json(const tensor_constant& constant, const write_options& options, sink& sink, failure& why) noexcept try {
  why = check_writable(constant);
  if (why) return;
  output_buffer out(sink);
  json_writer(constant, options, out).write();
  why = out.finish();
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
}

void write_json(const tensor_constant& constant, const write_options& options, sink& sink) {
  failure why;
  write_json(constant, options, sink, why);
  tgmap::detail::raise_if(why);
}

std::string to_json(const tensor_constant& constant, const write_options& options, failure& why) noexcept {
  std::string out;
  string_sink to(out);
  write_json(constant, options, to, why);
  return why ? std::string() : out;
}

std::string to_json(const tensor_constant& constant, const write_options& options) {
  failure why;
  std::string out = to_json(constant, options, why);
  tgmap::detail::raise_if(why);
  return out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
