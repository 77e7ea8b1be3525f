// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <system_error>
#include <tgmap/error.hpp>
#include <type_traits>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// What is wrong with a tensor constant. Values are part of the ABI and never reused; docs/errors.md describes each
/// with its next step. Reading may also give `tgmap::errc` (memory, archives) and errors of the operating system.
enum class errc : int {
  // type specifications
  bad_type = 1,        ///< not of the form `tensor<cell type>(dimension,...)`: offset = the byte at fault
  unknown_cell_type,   ///< none of double, float, bfloat16, int8
  bad_dimension,       ///< a name that is none, or neither `{}` nor `[size]` behind it
  bad_size,            ///< not 1 to 2147483647: expected = the most
  unbound_dimension,   ///< `[]`, which constants cannot have
  repeated_dimension,  ///< two dimensions of one name
  scalar_cell_type,    ///< without dimensions cells are double
  too_large,           ///< more cells, labels or text than fit: expected = the most, found = how many, as far as known
  no_type,             ///< none was declared, and the file has no member `type`
  type_mismatch,       ///< the file says other dimensions than were declared

  // JSON
  bad_json = 20,     ///< not JSON, or cut off
  trailing_content,  ///< something behind the document
  unexpected_token,  ///< a value of another kind than must be there
  unknown_member,    ///< a name that must not be there
  repeated_member,   ///< a name for the second time
  missing_member,    ///< a cell without address or value, a block without address or values
  mixed_forms,       ///< two of cells, values and blocks, or labels beside one of them
  wrong_form,        ///< a form that this type does not have
  no_content,        ///< nothing but a type, where content was asked for

  // addresses
  unknown_dimension = 40,  ///< an address names a dimension that the type does not have, or not here
  missing_dimension,       ///< an address leaves one out
  bad_label,               ///< a label that is no string
  empty_label,             ///< one without a character
  bad_index,               ///< the label of an indexed dimension is no number
  index_range,             ///< expected = the dimension's size, found = the index
  repeated_address,        ///< a cell, label or block for the second time
  no_such_cell,            ///< nothing is stored there

  // values
  array_length = 60,  ///< expected = the dimension's size, found = elements
  not_a_number,       ///< neither a number nor one of the words for one
  out_of_cell_range,  ///< int8 cannot hold it
  bad_hex,            ///< no hexadecimal digits, or a number of them that does not fit

  // typed binary, LZ4 and the form in archives
  bad_tag = 80,     ///< bits that no tensor has: found = the tag
  truncated,        ///< ends too early: expected = bytes that must follow, found = bytes left
  trailing_bytes,   ///< bytes behind the last cell: found = how many
  bad_lz4,          ///< not an LZ4 frame, or a damaged one
  unsupported_lz4,  ///< this build has no LZ4
  not_a_constant,   ///< a message that holds no constant
  bad_constant,     ///< objects of a constant that contradict each other
};

TGMAP_API const std::error_category& category() noexcept;
TGMAP_API std::error_code make_error_code(errc) noexcept;
/// "repeated_address", as it stands in --json.
TGMAP_API std::string_view to_string_view(errc) noexcept;

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

template <>
struct std::is_error_code_enum<tgmap::constant::errc> : std::true_type {};
