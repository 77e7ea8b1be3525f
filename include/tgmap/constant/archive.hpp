// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/archive.hpp>
#include <tgmap/constant/read.hpp>
#include <tgmap/constant/tensor_constant.hpp>
#include <tgmap/options.hpp>
#include <tgmap/write/new_message.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// A `stored_constant` is a constant as a message for an archive.
///
/// The first object holds the cells with the shape `[blocks, indexed dimensions...]`; without mapped dimensions the
/// shape is that of the dimensions. A constant with mapped dimensions has three more objects: the text of the labels,
/// their offsets, and the lookup table. The metadata holds the type and the names of the dimensions under `vespa`.
/// docs/constant.md describes the whole form.
/// Lifetime: owns its memory, or shares the memory of the constant.
struct stored_constant {
  new_message message{};  ///< borrows from `owner`
  pin owner{};            ///< keeps the memory of the message
};

/// Converts a constant to a message for an archive. The same constant always gives the same bytes.
///
/// The lookup table is built again with a seed computed from the labels.
/// Errors: bad_constant, too_large, tgmap::errc::out_of_memory.
/// Complexity: O(blocks).
TGMAP_API stored_constant to_archive(const tensor_constant&);
TGMAP_API stored_constant to_archive(const tensor_constant&, failure&) noexcept;

/// Opens the constant in a message and uses its cells in place. Objects that are encoded or in another byte order are
/// decoded into memory.
/// Errors: not_a_constant, bad_constant, those of `tensor_type::parse`; those of `message::metadata`,
/// `object::descriptor` and `object::decode`.
/// Complexity: O(1) in blocks and cells: only metadata and descriptors are read. Objects that must be decoded cost
/// O(bytes).
/// Lifetime: the constant keeps the archive.
TGMAP_API tensor_constant from_archive(const archive&, const tgmap::message&);
TGMAP_API tensor_constant from_archive(const archive&, const tgmap::message&, failure&) noexcept;

/// Opens the constant in a message and applies the options about types as when a file is read: the dimensions of `type`
/// must be those of the constant, and its cells are converted to `cell_type`, or to the cell type of `type`. The
/// other options have no effect except `round_to_nearest` and `reject_fractions`.
/// Errors: those above; type_mismatch; those of `convert`, whose `path` names the cell.
/// Complexity: O(cells) if the cell type changes, otherwise as above.
TGMAP_API tensor_constant from_archive(const archive&, const tgmap::message&, const read_options&);
TGMAP_API tensor_constant from_archive(const archive&, const tgmap::message&, const read_options&, report&) noexcept;

/// Converts any object to a dense constant. `names` names its dimensions in the order of its shape.
///
/// `cells` is the cell type. Default: float32, bfloat16 and int8 stay, float16 becomes float32, and all others become
/// float64, so that values are kept. Cells are copied if their type changes, as by `object::decode_as`, or if the names
/// are not sorted, because the dimensions of a constant are.
/// Errors: bad_dimension, repeated_dimension, bad_size (an extent is 0 or too large), too_large, unknown_cell_type,
/// scalar_cell_type; tgmap::errc::invalid_option (`expected` is the number of dimensions, `found` the number of names);
/// those of `object::descriptor`, `object::decode` and `object::decode_as`.
/// Complexity: O(elements) with a copy, otherwise O(1).
/// Lifetime: the constant keeps the archive if it uses the object in place.
TGMAP_API tensor_constant from_object(const archive&, const object&, std::span<const std::string> names,
                                      std::optional<dtype> cells = {});
TGMAP_API tensor_constant from_object(const archive&, const object&, std::span<const std::string> names,
                                      std::optional<dtype> cells, failure&) noexcept;
inline tensor_constant from_object(const archive& from, const object& source, std::span<const std::string> names,
                                   failure& why) noexcept {
  return from_object(from, source, names, {}, why);
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
