// SPDX-License-Identifier: Apache-2.0
#include "constant/write/json_writer.hpp"

#include <algorithm>

#include "constant/write/cell_address.hpp"
#include "constant/write/json_string.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

bool long_cells(form wanted) noexcept { return wanted == form::long_form || wanted == form::long_value; }
bool hex_parts(form wanted) noexcept { return wanted == form::hex || wanted == form::hex_value; }
bool value_alone(form wanted) noexcept {
  return wanted == form::long_value || wanted == form::short_value || wanted == form::hex_value;
}

/// The member that holds what is written.
std::string_view member_of(const tensor_type& type, form wanted) noexcept {
  if (long_cells(wanted) || type.is_sparse()) return "cells";
  return type.is_mixed() ? "blocks" : "values";
}

}  // namespace

json_writer::json_writer(const tensor_constant& from, const write_options& options, output& out)
    : from_(from),
      options_(options),
      out_(out),
      order_(from, options.order),
      number_(number_text_of(from.type().cell_type(), options.style)),
      part_(hex_parts(options.form) ? hex_text_of(from.type().cell_type()) : number_) {
  for (const dimension& one : from.type().dimensions())
    if (!one.is_mapped()) sizes_.push_back(one.size);
}

void json_writer::write() {
  if (value_alone(options_.form)) return write_content();
  out_.put("{\"type\":\"");
  out_.put(from_.type().text());  // names need no escapes
  out_.put("\",\"");
  out_.put(member_of(from_.type(), options_.form));
  out_.put("\":");
  write_content();
  out_.put('}');
}

void json_writer::write_content() {
  const tensor_type& type = from_.type();
  if (long_cells(options_.form) || (type.is_sparse() && type.mapped_count() > 1)) return write_cells();
  if (type.mapped_count() == 0) return write_dense(cells_of(0));
  if (type.is_sparse()) return write_cells_object();
  return type.mapped_count() == 1 ? write_blocks_object() : write_blocks();
}

void json_writer::write_cells() {
  cell_address address(from_.type());
  out_.put('[');
  for (std::uint64_t i = 0; i < from_.blocks() && !out_.failed(); ++i) {
    if (i > 0) out_.put(',');
    failure why;
    address.set_labels(from_, order_[i], why);
    if (why) return out_.fail(why);
    const std::byte* cell = cells_of(order_[i]);
    const std::size_t width = tgmap::element_size(from_.type().cell_type());
    for (std::uint64_t n = 0; n < from_.type().block_cells() && !out_.failed(); ++n, cell += width) {
      out_.put(n > 0 ? ",{\"address\":{" : "{\"address\":{");
      address.put(out_);
      out_.put("},\"value\":");
      out_.wrote(number_.put(out_.room(number_.most), cell, 1));
      out_.put('}');
      address.next();
    }
  }
  out_.put(']');
}

void json_writer::write_cells_object() {
  out_.put('{');
  for (std::uint64_t i = 0; i < from_.blocks() && !out_.failed(); ++i) {
    if (i > 0) out_.put(',');
    write_label(order_[i], 0);
    out_.put(':');
    out_.wrote(number_.put(out_.room(number_.most), cells_of(order_[i]), 1));
  }
  out_.put('}');
}

void json_writer::write_blocks_object() {
  out_.put('{');
  for (std::uint64_t i = 0; i < from_.blocks() && !out_.failed(); ++i) {
    if (i > 0) out_.put(',');
    write_label(order_[i], 0);
    out_.put(':');
    write_dense(cells_of(order_[i]));
  }
  out_.put('}');
}

void json_writer::write_blocks() {
  out_.put('[');
  for (std::uint64_t i = 0; i < from_.blocks() && !out_.failed(); ++i) {
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
  const std::string_view label = written_label(from_, block, mapped, why);
  if (why) return out_.fail(why);
  spell_json(label, [&](std::string_view piece) { out_.put(piece); });
}

void json_writer::write_dense(const std::byte* block) {
  if (!hex_parts(options_.form)) return write_rows(block);
  out_.put('"');
  write_run(block, from_.type().block_cells(), {});
  out_.put('"');
}

/// Numbers of one row, or of anything: as many at once as the buffer takes.
void json_writer::write_run(const std::byte* cells, std::uint64_t count, std::string_view between) {
  const std::size_t width = tgmap::element_size(from_.type().cell_type());
  const std::uint64_t at_once = output::most / 4 / part_.most;
  while (count > 0 && !out_.failed()) {
    const auto now = static_cast<std::size_t>(std::min(count, at_once));
    out_.wrote(part_.put(out_.room(now * part_.most), cells, now));
    cells += now * width;
    count -= now;
    if (count > 0) out_.put(between);
  }
}

void json_writer::write_rows(const std::byte* block) {
  if (sizes_.empty()) {  // a scalar is an array of one
    out_.put('[');
    write_run(block, 1, ",");
    return out_.put(']');
  }
  const std::size_t outer = sizes_.size() - 1;
  const std::uint64_t row = sizes_.back(), rows = from_.type().block_cells() / row;
  const std::size_t row_bytes = static_cast<std::size_t>(row) * tgmap::element_size(from_.type().cell_type());
  std::array<std::uint64_t, max_rank> at{};
  std::size_t opened = outer;
  for (std::uint64_t i = 0; i < rows && !out_.failed(); ++i, block += row_bytes) {
    for (std::size_t d = 0; d <= opened; ++d) out_.put('[');
    write_run(block, row, ",");
    out_.put(']');
    opened = 0;
    for (std::size_t d = outer; d-- > 0 && ++at[d] == sizes_[d]; ++opened) {
      at[d] = 0;
      out_.put(']');
    }
    if (i + 1 < rows) out_.put(',');
  }
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
