// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <tgmap/constant/enum_names.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

struct entry {
  errc code;
  std::string_view name;
  const char* message;
  condition group;
};

constexpr entry entries[] = {
    {errc::bad_type, "bad_type", "not a tensor type", condition::corrupt},
    {errc::unknown_cell_type, "unknown_cell_type", "not a cell type", condition::corrupt},
    {errc::bad_dimension, "bad_dimension", "not a dimension", condition::corrupt},
    {errc::bad_size, "bad_size", "not the size of a dimension", condition::corrupt},
    {errc::unbound_dimension, "unbound_dimension", "a dimension without a size", condition::corrupt},
    {errc::repeated_dimension, "repeated_dimension", "two dimensions with the same name", condition::corrupt},
    {errc::scalar_cell_type, "scalar_cell_type", "a type without dimensions must have double cells",
     condition::corrupt},
    {errc::too_large, "too_large", "too large", condition::limit},
    {errc::no_type, "no_type", "no type is declared, and the file states none", condition::usage},
    {errc::type_mismatch, "type_mismatch", "not the declared type", condition::corrupt},
    {errc::bad_json, "bad_json", "not JSON", condition::corrupt},
    {errc::trailing_content, "trailing_content", "text after the document", condition::corrupt},
    {errc::unexpected_token, "unexpected_token", "a value of the wrong kind", condition::corrupt},
    {errc::unknown_member, "unknown_member", "an unknown member", condition::corrupt},
    {errc::repeated_member, "repeated_member", "a repeated member", condition::corrupt},
    {errc::missing_member, "missing_member", "a member is missing", condition::corrupt},
    {errc::mixed_forms, "mixed_forms", "two forms of content", condition::corrupt},
    {errc::wrong_form, "wrong_form", "this type does not have this form", condition::corrupt},
    {errc::no_content, "no_content", "no content", condition::corrupt},
    {errc::unknown_dimension, "unknown_dimension", "not a dimension of this type", condition::corrupt},
    {errc::missing_dimension, "missing_dimension", "a dimension is missing", condition::corrupt},
    {errc::bad_label, "bad_label", "not a label", condition::corrupt},
    {errc::empty_label, "empty_label", "an empty label", condition::corrupt},
    {errc::bad_index, "bad_index", "not an index", condition::corrupt},
    {errc::index_range, "index_range", "an index past the end of its dimension", condition::corrupt},
    {errc::repeated_address, "repeated_address", "a repeated address", condition::corrupt},
    {errc::no_such_cell, "no_such_cell", "no cell is stored there", condition::usage},
    {errc::array_length, "array_length", "an array of the wrong length", condition::corrupt},
    {errc::not_a_number, "not_a_number", "not a number", condition::corrupt},
    {errc::out_of_cell_range, "out_of_cell_range", "does not fit the cell type", condition::corrupt},
    {errc::bad_hex, "bad_hex", "not the hexadecimal digits of cells", condition::corrupt},
    {errc::bad_tag, "bad_tag", "not typed binary", condition::corrupt},
    {errc::truncated, "truncated", "ends too early", condition::truncated},
    {errc::trailing_bytes, "trailing_bytes", "bytes after the last cell", condition::corrupt},
    {errc::bad_lz4, "bad_lz4", "not an LZ4 frame, or a damaged one", condition::corrupt},
    {errc::unsupported_lz4, "unsupported_lz4", "LZ4 is not built in, or not installed", condition::unsupported},
    {errc::not_a_constant, "not_a_constant", "not a tensor constant", condition::usage},
    {errc::bad_constant, "bad_constant", "the objects of a constant contradict each other", condition::corrupt},
};

const entry* find(int value) noexcept {
  for (const entry& each : entries)
    if (static_cast<int>(each.code) == value) return &each;
  return nullptr;
}

class category_type final : public std::error_category {
 public:
  const char* name() const noexcept override { return "tgmap.constant"; }
  std::string message(int value) const override {
    const entry* found = find(value);
    return found != nullptr ? found->message : "unknown error of tensor constants";
  }
  std::error_condition default_error_condition(int value) const noexcept override {
    const entry* found = find(value);
    return found != nullptr ? make_error_condition(found->group) : std::error_condition(value, *this);
  }
};

}  // namespace

const std::error_category& category() noexcept {
  static const category_type instance;
  return instance;
}

std::error_code make_error_code(errc code) noexcept { return {static_cast<int>(code), category()}; }

std::string_view to_string_view(errc code) noexcept {
  const entry* found = find(static_cast<int>(code));
  return found != nullptr ? found->name : std::string_view();
}

}  // namespace constant

template <>
std::optional<constant::errc> from_string<constant::errc>(std::string_view name) noexcept {
  const auto* found = std::ranges::find(constant::entries, name, &constant::entry::name);
  return found == std::end(constant::entries) ? std::nullopt : std::optional(found->code);
}

}  // namespace v0
}  // namespace tgmap
