// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/constant/tensor_constant.hpp>
#include <tgmap/write/sink.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// A `form` is a form of JSON. Vespa names them long, short, long-value, short-value, hex and hex-value.
enum class form : std::uint8_t {
  long_form,    ///< `{"type":..., "cells":[{"address":{...},"value":...}]}`
  short_form,   ///< `{"type":..., ...}` with `values`, `cells` or `blocks`, the shortest for the type
  long_value,   ///< only the cells of `long_form`; needs an extended reader
  short_value,  ///< only the content of `short_form`; needs an extended reader unless dense or with one mapped
                ///< dimension
  hex,          ///< as `short_form` with cells as hexadecimal digits; needs an extended reader
  hex_value,    ///< only the content of `hex`; needs an extended reader
};

/// A `number_style` is a way to format numbers.
enum class number_style : std::uint8_t {
  shortest,  ///< the fewest digits that give the same cell; "NaN", "-NaN", "Infinity", "-Infinity"
  upstream,  ///< as Vespa's Java: every cell as a double, 1.0E10; NaN and infinities are lost as null
};

/// A `block_order` is the order in which blocks are written.
enum class block_order : std::uint8_t {
  as_stored,  ///< as in the constant
  sorted,     ///< by the bytes of their labels
};

/// Options for writing constants.
struct write_options {
  constant::form form = form::short_form;       ///< default: short_form, which every reader accepts
  number_style style = number_style::shortest;  ///< default: shortest, which loses nothing
  block_order order = block_order::as_stored;   ///< default: as_stored, which needs no sorting
};

/// Returns the name of a form, such as "short-value".
TGMAP_API std::string_view to_string_view(form) noexcept;
/// Returns the form with that name, or nothing.
TGMAP_API std::optional<form> form_from_name(std::string_view) noexcept;

/// Writes a constant to a sink as JSON without spaces and without a newline. The same constant and options always give
/// the same text.
/// Errors: bad_constant; those of the sink; tgmap::errc::out_of_memory.
/// Complexity: O(cells), in pieces of at most 1 MiB; `sorted` needs O(blocks log blocks) more and 4 bytes a block.
TGMAP_API void write_json(const tensor_constant&, const write_options&, sink&);
TGMAP_API void write_json(const tensor_constant&, const write_options&, sink&, failure&) noexcept;
inline void write_json(const tensor_constant& from, sink& to) { write_json(from, write_options(), to); }
inline void write_json(const tensor_constant& from, sink& to, failure& why) noexcept {
  write_json(from, write_options(), to, why);
}
/// Returns a constant as JSON.
/// Errors: bad_constant, tgmap::errc::out_of_memory.
TGMAP_API std::string to_json(const tensor_constant&, const write_options& = {});
TGMAP_API std::string to_json(const tensor_constant&, const write_options&, failure&) noexcept;
inline std::string to_json(const tensor_constant& from, failure& why) noexcept {
  return to_json(from, write_options(), why);
}

/// Writes a constant to a sink as typed binary, as Vespa does. `form` and `style` have no effect.
/// Errors: bad_constant; too_large (a label or a count of 2^31 or more); those of the sink; tgmap::errc::out_of_memory.
/// Complexity: O(cells).
TGMAP_API void write_typed_binary(const tensor_constant&, const write_options&, sink&);
TGMAP_API void write_typed_binary(const tensor_constant&, const write_options&, sink&, failure&) noexcept;
inline void write_typed_binary(const tensor_constant& from, sink& to) { write_typed_binary(from, write_options(), to); }
inline void write_typed_binary(const tensor_constant& from, sink& to, failure& why) noexcept {
  write_typed_binary(from, write_options(), to, why);
}

/// The default limit of cells in a sample.
inline constexpr std::uint64_t default_sample_cells = 1'000'000;

/// Returns a small constant of a type, to show its form: cells are 1, 2, 3 and so on, and the labels of each mapped
/// dimension are `a` and `b`.
/// Errors: too_large (more than `max_cells`), tgmap::errc::out_of_memory.
TGMAP_API tensor_constant make_sample(const tensor_type&, std::uint64_t max_cells = default_sample_cells);
TGMAP_API tensor_constant make_sample(const tensor_type&, std::uint64_t max_cells, failure&) noexcept;
inline tensor_constant make_sample(const tensor_type& type, failure& why) noexcept {
  return make_sample(type, default_sample_cells, why);
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
