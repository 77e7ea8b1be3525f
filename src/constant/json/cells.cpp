// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <new>
#include <tgmap/constant/cells.hpp>
#include <utility>
#include <vector>

#include "constant/model/output_buffer.hpp"
#include "core/or_throw.hpp"
#include "core/text/escape.hpp"
#include "json/writer.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

std::string_view non_finite_name(double value) noexcept {
  if (std::isnan(value)) return std::signbit(value) ? "-NaN" : "NaN";
  return value > 0 ? "Infinity" : "-Infinity";
}

void append_cell_text(std::string& to, double value, dtype cells) {
  if (!std::isfinite(value)) {
    to += non_finite_name(value);
    return;
  }
  std::array<char, json_text::max_float_size> digits;
  char* const begin = digits.data();
  to.append(begin, cells == dtype::float64
                       ? json_text::write_float(begin, value, json_text::short_notation)
                       : json_text::write_float(begin, static_cast<float>(value), json_text::short_notation));
}

void put_cell(json_text::writer<>& to, double value) {
  std::isfinite(value) ? to.floating(value) : to.string(non_finite_name(value));
}

/// A `cell_addresses` object iterates over the addresses of the cells of one block.
class cell_addresses {
 public:
  /// Errors: throws tgmap::error (bad_constant).
  cell_addresses(const tensor_constant& of, std::uint64_t block) : type_(of.type()) {
    for (std::size_t i = 0; i < type_.mapped_count(); ++i) labels_.push_back(of.label(block, i));
    indices_.resize(type_.indexed_count());
  }

  /// Appends `key=abc x=2`. Escapes labels.
  void append_text(std::string& to) const {
    auto label = labels_.begin();
    auto index = indices_.begin();
    bool is_first = true;
    for (const auto& one : type_.dimensions()) {
      if (!std::exchange(is_first, false)) to += ' ';
      to += one.name;
      to += '=';
      to += one.is_mapped() ? core::escaped(*label++) : std::to_string(*index++);
    }
  }

  /// Writes `{"key":"abc","x":2}`.
  void put(json_text::writer<>& to) const {
    auto label = labels_.begin();
    auto index = indices_.begin();
    to.begin_object();
    for (const auto& one : type_.dimensions()) {
      to.key(one.name);
      one.is_mapped() ? to.string(*label++) : to.integer(*index++);
    }
    to.end_object();
  }

  /// Moves to the next cell of the block.
  void advance() noexcept {
    std::size_t at = indices_.size();
    for (auto one = type_.dimensions().rbegin(); one != type_.dimensions().rend(); ++one) {
      if (one->is_mapped()) continue;
      if (++indices_[--at] < one->size) return;
      indices_[at] = 0;
    }
  }

 private:
  const tensor_type& type_;
  std::vector<std::string_view> labels_{};
  std::vector<std::uint64_t> indices_{};
};

/// Calls `each(address, value)` for each cell until it returns false.
template <class Each>
void for_each_cell(const tensor_constant& from, Each&& each) {
  const std::uint64_t in_block = from.type().block_cells();
  for (std::uint64_t block = 0; block < from.blocks(); ++block) {
    cell_addresses at(from, block);
    for (std::uint64_t cell = 0; cell < in_block; ++cell, at.advance())
      if (!each(at, from.value(block * in_block + cell))) return;
  }
}

/// Passes text to an output buffer. Takes no more after an error.
class buffered_text final : public core::text_sink {
 public:
  explicit buffered_text(output_buffer& to) noexcept : to_(to) {}
  bool take(std::string_view piece) override {
    to_.put(piece);
    return !to_.error();
  }

 private:
  output_buffer& to_;
};

/// Calls `write(buffer)` and sends everything to the sink, also what was written before a failure.
template <class Write>
failure write_buffered(sink& to, Write&& write) noexcept try {
  output_buffer out(to);
  failure why;
  try {
    write(out);
  } catch (const tgmap::error& thrown) {
    why = thrown.details();
  }
  const failure of_sink = out.finish();
  return why ? why : of_sink;
} catch (const std::bad_alloc&) {
  return {.code = tgmap::errc::out_of_memory};
}

/// Returns the sizes of the indexed dimensions.
std::vector<std::uint64_t> block_shape(const tensor_type& type) {
  std::vector<std::uint64_t> out;
  for (const auto& one : type.dimensions())
    if (!one.is_mapped()) out.push_back(one.size);
  return out;
}

/// Writes the cells of a block as nested arrays, from `cell` on.
void put_block(json_text::writer<>& to, const tensor_constant& of, std::span<const std::uint64_t> shape,
               std::uint64_t& cell) {
  if (shape.empty()) return put_cell(to, of.value(cell++));
  to.begin_array();
  for (std::uint64_t i = 0; i < shape.front(); ++i) put_block(to, of, shape.subspan(1), cell);
  to.end_array();
}

/// Returns the first cell of the block that an address names.
/// Errors: those of `find`; no_such_cell.
std::uint64_t first_cell(const tensor_constant& of, address at) {
  std::vector<address_part> whole(at.begin(), at.end());
  for (const auto& one : of.type().dimensions())
    if (!one.is_mapped()) whole.emplace_back(one.name, 0);
  const auto cell = of.find(whole);
  if (!cell) tgmap::detail::raise({.code = errc::no_such_cell});
  return *cell;
}

}  // namespace

std::string cell_text(double value, dtype cells) {
  std::string out;
  append_cell_text(out, value, cells);
  return out;
}

bool names_block(const tensor_type& type, address at) noexcept {
  return type.is_mixed() && at.size() == type.mapped_count() &&
         std::all_of(at.begin(), at.end(), [&](const auto& part) {
           const auto number = type.find(part.dimension);
           return number && type.dimensions()[*number].is_mapped();
         });
}

std::string value_json(const tensor_constant& of, address at, failure& why) noexcept try {
  why = {};
  std::string out;
  core::text_builder text(out);
  json_text::writer<> to(text, json_text::ascii_style);
  if (names_block(of.type(), at)) {
    std::uint64_t cell = first_cell(of, at);
    put_block(to, of, block_shape(of.type()), cell);
  } else {
    put_cell(to, of.cell(at));
  }
  return out;
} catch (const tgmap::error& thrown) {
  why = thrown.details();
  return {};
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

std::string value_json(const tensor_constant& of, address at) {
  return core::or_throw([&](failure& why) { return value_json(of, at, why); });
}

void write_cells(const tensor_constant& from, sink& to, failure& why) noexcept {
  why = write_buffered(to, [&](output_buffer& out) {
    std::string line;
    for_each_cell(from, [&](const cell_addresses& at, double value) {
      line.clear();
      at.append_text(line);
      if (!line.empty()) line += '\t';
      append_cell_text(line, value, from.type().cell_type());
      line += '\n';
      out.put(line);
      return !out.error();
    });
  });
}

void write_cells(const tensor_constant& from, sink& to) {
  core::or_throw([&](failure& why) { write_cells(from, to, why); });
}

void write_cells_json(const tensor_constant& from, sink& to, failure& why) noexcept {
  why = write_buffered(to, [&](output_buffer& out) {
    buffered_text text(out);
    json_text::writer<> json(text, json_text::ascii_style);
    json.begin_object();
    json.key("type").string(from.type().text());
    json.key("cells").begin_array();
    for_each_cell(from, [&](const cell_addresses& at, double value) {
      json.begin_object();
      at.put(json.key("address"));
      put_cell(json.key("value"), value);
      json.end_object();
      return !json.is_stopped();
    });
    json.end_array();
    json.end_object();
    out.put('\n');
  });
}

void write_cells_json(const tensor_constant& from, sink& to) {
  core::or_throw([&](failure& why) { write_cells_json(from, to, why); });
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
