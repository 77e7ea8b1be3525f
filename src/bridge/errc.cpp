// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <tgmap/bridge/enum_names.hpp>

namespace tgmap {
inline namespace v0 {
namespace bridge {

namespace {

struct errc_entry {
  errc code;
  condition group;
  std::string_view name;
  const char* plain;
  std::string_view numbered;  // with placeholders for the numbers of a failure
};

#define ROW(code, group, plain, numbered) \
  { errc::code, condition::group, #code, plain, numbered }

constexpr errc_entry errc_table[] = {
    ROW(message_truncated, truncated, "truncated GRIB message",
        "a GRIB message of {e} bytes, of which only {f} are there"),
    ROW(no_end_marker, corrupt, "GRIB message without its end",
        "a GRIB message of {e} bytes does not end with 7777; bytes are missing or damaged"),
    ROW(message_too_large, limit, "GRIB message too large", "a GRIB message of {f} bytes; the limit is {e}"),
    ROW(section_too_long, corrupt, "GRIB section exceeds its message",
        "a GRIB section of {f} bytes exceeds the {e} bytes left in its message"),
    ROW(section_too_short, corrupt, "GRIB section too short", "a GRIB section of {f} bytes; its contents need {e}"),
    ROW(section_order, corrupt, "GRIB sections out of order", "GRIB section {f} follows where section {e} is needed"),
    ROW(unclaimed_bytes, corrupt, "bytes that belong to no GRIB section",
        "{f} bytes of a GRIB message belong to no section"),
    ROW(bad_indicator, corrupt, "beginning of a GRIB message with impossible lengths",
        "the beginning of a GRIB message that states an impossible length, {f} bytes, or has no section 1"),
    ROW(data_too_short, corrupt, "GRIB data section too short",
        "the values need {e} bytes, the GRIB data section has {f}"),
    ROW(value_count, corrupt, "wrong number of values in a GRIB field",
        "grid and bitmap of a GRIB field need {e} values, its data section has {f}"),
    ROW(bad_width, corrupt, "impossible number of bits of a value",
        "values of {f} bits in a GRIB field; at most {e} are possible"),
    ROW(bad_scale, corrupt, "impossible scale of a GRIB field",
        "the reference value and the scale factors of a GRIB field give no finite values"),
    ROW(bad_parameter, corrupt, "impossible parameter of a GRIB field",
        "a parameter of the packing of a GRIB field is impossible: {f}"),
    ROW(bitmap_length, corrupt, "GRIB bitmap of the wrong length", "a bitmap of {f} bits for {e} points of the grid"),
    ROW(no_bitmap, corrupt, "GRIB bitmap is missing", "a field uses the bitmap of an earlier field, and there is none"),
    ROW(predefined_bitmap, unsupported, "predefined GRIB bitmap",
        "the field uses the predefined bitmap {f}, which its message does not contain"),
    ROW(grid_points, corrupt, "wrong number of points in a GRIB grid",
        "rows and columns of a GRIB grid give {f} points, the message states {e}"),
    ROW(padded_stream, unsupported, "CCSDS packing with padded intervals",
        "a GRIB field is packed by CCSDS with padded intervals, which libaec would read wrongly"),
    ROW(expansion_limit, limit, "GRIB values need too much memory",
        "the values of a GRIB field take {f} bytes; for so few packed bytes the limit is {e}"),
    ROW(no_sections, usage, "object without grib_sections",
        "the object has no key grib_sections, so that no GRIB can be rebuilt from it"),
    ROW(bad_sections, corrupt, "invalid grib_sections", "the keys grib_sections, grib_rest or grib_data are damaged"),
    ROW(packing_changed, usage, "the packing was changed",
        "the object is not packed as its grib_sections say; export it from its keys instead"),
    ROW(values_changed, usage, "values were changed",
        "element {f} has a value that the packing in grib_sections does not have; export it from its keys instead"),
    ROW(shape_changed, usage, "the shape was changed",
        "the object has {f} elements, its grib_sections say {e} points; export it from its keys instead"),
    ROW(not_identical, corrupt, "the rebuilt GRIB message differs",
        "the rebuilt GRIB message differs from the original from byte {f} on"),
    ROW(eccodes_absent, unsupported, "ecCodes is missing",
        "ecCodes is missing, which reads the keys of GRIB fields and decodes some of them"),
    ROW(eccodes_failed, corrupt, "ecCodes failed", "ecCodes cannot read a field: its error {f}"),
};

#undef ROW

const errc_entry* find_errc(int value) noexcept {
  const auto* const found = std::find_if(std::begin(errc_table), std::end(errc_table),
                                         [&](const errc_entry& e) { return static_cast<int>(e.code) == value; });
  return found == std::end(errc_table) ? nullptr : found;
}

class bridge_category final : public tgmap::detail::numbered_category {
 public:
  const char* name() const noexcept override { return "tgmap.bridge"; }
  std::string message(int value) const override {
    const errc_entry* const found = find_errc(value);
    return found != nullptr ? found->plain : "unknown error";
  }
  std::string_view phrase(int value) const noexcept override {
    const errc_entry* const found = find_errc(value);
    return found != nullptr ? found->numbered : "unknown error";
  }
  std::error_condition default_error_condition(int value) const noexcept override {
    const errc_entry* const found = find_errc(value);
    return found != nullptr ? make_error_condition(found->group) : std::error_condition(value, *this);
  }
};

}  // namespace

const std::error_category& category() noexcept {
  static const bridge_category instance;
  return instance;
}

std::error_code make_error_code(errc code) noexcept { return {static_cast<int>(code), category()}; }

std::string_view to_string_view(errc code) noexcept {
  const errc_entry* const found = find_errc(static_cast<int>(code));
  return found != nullptr ? found->name : "unknown";
}

}  // namespace bridge

template <>
std::optional<bridge::errc> from_string<bridge::errc>(std::string_view name) noexcept {
  const auto* found = std::ranges::find(bridge::errc_table, name, &bridge::errc_entry::name);
  return found == std::end(bridge::errc_table) ? std::nullopt : std::optional(found->code);
}

}  // namespace v0
}  // namespace tgmap
