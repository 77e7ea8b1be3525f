// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <system_error>
#include <tgmap/error.hpp>
#include <type_traits>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// An `errc` is an error of tensor constants.
///
/// The values are part of the ABI and are never reused. docs/errors.md describes each error and its next step.
/// The calls of this component also return `tgmap::errc` (memory, archives) and errors of the operating system.
/// `expected`, `found` and `offset` below are members of `failure`.
enum class errc : int {
  // type specifications
  bad_type = 1,        ///< not of the form `tensor<cell type>(dimension,...)`: offset = the wrong byte
  unknown_cell_type,   ///< not one of double, float, bfloat16, int8
  bad_dimension,       ///< a dimension has no valid name, or neither `{}` nor `[size]` follows it
  bad_size,            ///< a size is not 1 to 2147483647: expected = max
  unbound_dimension,   ///< `[]` is not allowed in a constant
  repeated_dimension,  ///< two dimensions have the same name
  scalar_cell_type,    ///< a type without dimensions must have cells of double
  too_large,           ///< too many cells, labels or bytes of text: expected = max, found = number, if known
  no_type,             ///< no type was declared, and the file has no member `type`
  type_mismatch,       ///< the file states other dimensions than were declared

  // JSON
  bad_json = 20,     ///< not JSON, or incomplete
  trailing_content,  ///< text follows the document
  unexpected_token,  ///< a value of the wrong kind
  unknown_member,    ///< an object has a member that is not allowed
  repeated_member,   ///< an object has a member twice
  missing_member,    ///< a cell lacks address or value, or a block lacks address or values
  mixed_forms,       ///< two of cells, values and blocks, or one of them beside labels
  wrong_form,        ///< this type does not have this form
  no_content,        ///< a file without content, although `require_content` is set

  // addresses
  unknown_dimension = 40,  ///< an address names a dimension that the type lacks, or that is not allowed here
  missing_dimension,       ///< an address lacks a dimension
  bad_label,               ///< a label is not a string, or not UTF-8
  empty_label,             ///< a label is empty
  bad_index,               ///< the label of an indexed dimension is not a number
  index_range,             ///< an index is too large: expected = size of the dimension, found = the index
  repeated_address,        ///< a cell, a label or a block comes twice
  no_such_cell,            ///< no cell is stored at the address

  // values
  array_length = 60,  ///< an array has the wrong length: expected = size of the dimension, found = elements
  not_a_number,       ///< a value is neither a number nor a word for one, such as "NaN"
  out_of_cell_range,  ///< int8 cannot hold the value
  bad_hex,            ///< not hexadecimal digits, or the wrong number of digits

  // typed binary, LZ4 and the form in archives
  bad_tag = 80,     ///< the tag is not one of a tensor: found = the tag
  truncated,        ///< the data ends too early: expected = bytes needed, found = bytes left
  trailing_bytes,   ///< bytes follow the last cell: found = number of bytes
  bad_lz4,          ///< not an LZ4 frame, or a damaged one
  unsupported_lz4,  ///< this build has no LZ4
  not_a_constant,   ///< the message holds no constant
  bad_constant,     ///< the objects of the constant contradict each other
};

/// Returns the category of these errors.
TGMAP_API const std::error_category& category() noexcept;
/// Returns the error as a `std::error_code`; an `errc` converts implicitly.
TGMAP_API std::error_code make_error_code(errc) noexcept;
/// Returns the name of the enumerator, such as "repeated_address"; `--json` prints it.
TGMAP_API std::string_view to_string_view(errc) noexcept;

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

template <>
struct std::is_error_code_enum<tgmap::constant::errc> : std::true_type {};
