// SPDX-License-Identifier: Apache-2.0
// The words of error messages. "{e}" and "{f}" stand for `expected` and `found`, "{e:x}" for the number in hexadecimal,
// "{e:d}", "{e:k}" and "{e:w}" for the name of a dtype, of a cbor_kind and of a selection_error.
#pragma once

#include <cstdint>
#include <string_view>
#include <tgmap/error.hpp>

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Returns the phrase with places for the two numbers.
std::string_view phrase(errc) noexcept;

/// Arguments of failures of simple_packing, which have phrases of their own.
inline constexpr char packed_range[] = "range of the elements";  ///< bad_parameter: no scale fits it
inline constexpr char packed_error[] = "max_error";              ///< not_representable: no number of bits keeps it
inline constexpr char packed_element[] = "simple_packing";       ///< not_representable with these parameters

/// Arguments of archive_changed, for files that were read before.
inline constexpr char changed_size[] = "size";
inline constexpr char changed_time[] = "time of change";
inline constexpr char changed_number[] = "number of the file";

/// Returns the phrase of a failure with such an argument, or that of an edit of metadata, whose argument is the phrase
/// (bad_key with `edit_error`); empty for all others.
std::string_view argument_phrase(const failure&) noexcept;

/// Returns the phrase without numbers, for std::error_code::message().
std::string_view plain_phrase(errc) noexcept;

/// Returns the name of a `cbor_kind`, empty if there is none; and the phrase of a `selection_error`. They are here
/// because error messages show them.
std::string_view kind_name(std::uint64_t kind) noexcept;
std::string_view selection_error_phrase(std::uint64_t fault) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
