// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Names of the values of enumerations, in both directions. `to_string_view()` of most enumerations is declared beside
/// them, and here for enumerations of options. Those of `zio` and `constant` have headers of the same name in their
/// folders.
///
/// Names are those of the format where it has one ("simple_packing", "inf+", "abs"), otherwise those of the command, of
/// Python or of the enumerators. Numbers that are no value of the enumeration have the name "unknown" or none.
/// Thread safety: all functions may be called from any thread.

#include <optional>
#include <string_view>
#include <tgmap/export.hpp>
#include <tgmap/frame.hpp>
#include <tgmap/fwd.hpp>

namespace tgmap {
inline namespace v0 {

TGMAP_API std::string_view to_string_view(blosc2_codec) noexcept;       ///< as in the file: "blosclz", "lz4", …
TGMAP_API std::string_view to_string_view(column_type) noexcept;        ///< "none", "boolean", "integer", …
TGMAP_API std::string_view to_string_view(condition) noexcept;          ///< "usage", "truncated", "corrupt", …
TGMAP_API std::string_view to_string_view(encoding) noexcept;           ///< "none", "simple_packing", "other"
TGMAP_API std::string_view to_string_view(filter) noexcept;             ///< "none", "shuffle", "other"
TGMAP_API std::string_view to_string_view(guard_use) noexcept;          ///< "automatic", "never"
TGMAP_API std::string_view to_string_view(index_answer) noexcept;       ///< "unknown", "no", "yes"
TGMAP_API std::string_view to_string_view(index_placement) noexcept;    ///< "none", "header", "footer", "both"
TGMAP_API std::string_view to_string_view(index_use) noexcept;          ///< "none", "use", "checked", "create"
TGMAP_API std::string_view to_string_view(mask_method) noexcept;        ///< as in the file: "none", "rle", …
TGMAP_API std::string_view to_string_view(memory) noexcept;             ///< "constant", "may_change"
TGMAP_API std::string_view to_string_view(object_lookup) noexcept;      ///< "index", "walk"
TGMAP_API std::string_view to_string_view(on_damage) noexcept;          ///< "stop", "skip"
TGMAP_API std::string_view to_string_view(on_failure) noexcept;         ///< "stop", "keep_going"
TGMAP_API std::string_view to_string_view(on_mismatch) noexcept;        ///< "refuse", "take"
TGMAP_API std::string_view to_string_view(on_tail) noexcept;            ///< "refuse", "truncate"
TGMAP_API std::string_view to_string_view(output_byte_order) noexcept;  ///< "native", "stored"
TGMAP_API std::string_view to_string_view(search_purpose) noexcept;     ///< "visit", "count"
TGMAP_API std::string_view to_string_view(selection_syntax) noexcept;   ///< "full", "single_clause"
TGMAP_API std::string_view to_string_view(storage_order) noexcept;      ///< "c", "fortran", "permuted"
TGMAP_API std::string_view to_string_view(stride_policy) noexcept;      ///< "apply", "ignore"
TGMAP_API std::string_view to_string_view(sz3_bound) noexcept;          ///< as in the file: "abs", "rel", "psnr"
TGMAP_API std::string_view to_string_view(validation_mode) noexcept;    ///< "quick", "standard", "checksum", "full"
TGMAP_API std::string_view to_string_view(zfp_mode) noexcept;           ///< as in the file: "fixed_rate", …

/// Returns the value whose `to_string_view()` is exactly `name`, or nothing: `from_string<dtype>("float32")`. Names in
/// other upper and lower case, and parts of names, are none. Allocates nothing.
/// Complexity: O(number of values).
template <class Enum>
std::optional<Enum> from_string(std::string_view name) noexcept = delete;

template <>
TGMAP_API std::optional<access_route> from_string<access_route>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<access_stage> from_string<access_stage>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<blosc2_codec> from_string<blosc2_codec>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<byte_order> from_string<byte_order>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<cbor_kind> from_string<cbor_kind>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<column_type> from_string<column_type>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<compression> from_string<compression>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<condition> from_string<condition>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<dtype> from_string<dtype>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<encoding> from_string<encoding>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<errc> from_string<errc>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<filter> from_string<filter>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<finding_code> from_string<finding_code>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<frame_type> from_string<frame_type>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<guard_use> from_string<guard_use>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<hash_result> from_string<hash_result>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<index_answer> from_string<index_answer>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<index_location> from_string<index_location>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<index_placement> from_string<index_placement>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<index_trust> from_string<index_trust>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<index_use> from_string<index_use>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<io_mode> from_string<io_mode>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<mask_kind> from_string<mask_kind>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<mask_method> from_string<mask_method>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<memory> from_string<memory>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<object_lookup> from_string<object_lookup>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<on_damage> from_string<on_damage>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<on_failure> from_string<on_failure>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<on_mismatch> from_string<on_mismatch>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<on_tail> from_string<on_tail>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<output_byte_order> from_string<output_byte_order>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<selection_error> from_string<selection_error>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<search_purpose> from_string<search_purpose>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<selection_syntax> from_string<selection_syntax>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<severity> from_string<severity>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<storage_order> from_string<storage_order>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<stride_policy> from_string<stride_policy>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<sz3_bound> from_string<sz3_bound>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<validation_level> from_string<validation_level>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<validation_mode> from_string<validation_mode>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<zfp_mode> from_string<zfp_mode>(std::string_view) noexcept;

}  // namespace v0
}  // namespace tgmap
