// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/constant/tensor_constant.hpp>
#include <tgmap/write/sink.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// What is written. Upstream's names: long, short, long-value, short-value, hex, hex-value.
enum class form : std::uint8_t {
  long_form,    ///< `{"type":..., "cells":[{"address":{...},"value":...}]}`
  short_form,   ///< `{"type":..., ...}` with `values`, `cells` or `blocks`, whichever is shortest for the type
  long_value,   ///< the cells of long alone; only extended readers take it
  short_value,  ///< the content of short alone; constants may be so where dense or of one mapped dimension
  hex,          ///< as short, cells as hexadecimal digits; only extended readers take it
  hex_value,    ///< the content of hex alone
};

/// How numbers are spelled.
enum class number_style : std::uint8_t {
  shortest,  ///< the fewest digits that read back as the same cell; "NaN", "-NaN", "Infinity" and "-Infinity"
  upstream,  ///< as Vespa's Java writes: every cell as a double, 1.0E10; null for what is not finite, which loses it
};

/// In which order blocks come.
enum class block_order : std::uint8_t {
  as_stored,
  sorted,  ///< by the bytes of their labels
};

struct write_options {
  constant::form form = form::short_form;
  number_style style = number_style::shortest;
  block_order order = block_order::as_stored;
};

/// The name of a form and back: "short-value".
TGMAP_API std::string_view to_string_view(form) noexcept;
TGMAP_API std::optional<form> form_from_name(std::string_view) noexcept;

/// Writes JSON. One text for one constant and one set of options, without spaces or a line's end.
/// O(cells), in pieces of at most 1 MiB; with `sorted` O(blocks log blocks) and 4 bytes a block.
/// Errors: bad_constant; those of the sink; tgmap::errc::out_of_memory.
TGMAP_API void write_json(const tensor_constant&, const write_options&, sink&);
TGMAP_API void write_json(const tensor_constant&, const write_options&, sink&, failure&) noexcept;
inline void write_json(const tensor_constant& from, sink& to) { write_json(from, write_options(), to); }
inline void write_json(const tensor_constant& from, sink& to, failure& why) noexcept {
  write_json(from, write_options(), to, why);
}
TGMAP_API std::string to_json(const tensor_constant&, const write_options& = {});
TGMAP_API std::string to_json(const tensor_constant&, const write_options&, failure&) noexcept;
inline std::string to_json(const tensor_constant& from, failure& why) noexcept {
  return to_json(from, write_options(), why);
}

/// Writes typed binary, as upstream does. Style and form do not count. O(cells).
/// Errors: bad_constant; too_large (a label or a count of 2^31 and more); those of the sink.
TGMAP_API void write_typed_binary(const tensor_constant&, const write_options&, sink&);
TGMAP_API void write_typed_binary(const tensor_constant&, const write_options&, sink&, failure&) noexcept;
inline void write_typed_binary(const tensor_constant& from, sink& to) { write_typed_binary(from, write_options(), to); }
inline void write_typed_binary(const tensor_constant& from, sink& to, failure& why) noexcept {
  write_typed_binary(from, write_options(), to, why);
}

/// A small constant of a type, to show how one is written: dense parts 1, 2, 3 and so on, labels `a` and `b` for each
/// mapped dimension. Errors: too_large (more than `most_cells`).
inline constexpr std::uint64_t default_sample_cells = 1'000'000;
TGMAP_API tensor_constant make_sample(const tensor_type&, std::uint64_t most_cells = default_sample_cells);
TGMAP_API tensor_constant make_sample(const tensor_type&, std::uint64_t most_cells, failure&) noexcept;
inline tensor_constant make_sample(const tensor_type& type, failure& why) noexcept {
  return make_sample(type, default_sample_cells, why);
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
