// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/archive.hpp>
#include <tgmap/constant/tensor_constant.hpp>
#include <tgmap/options.hpp>
#include <tgmap/write/new_message.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// A constant as a message to be written: its cells an object of `[block, indexed dimensions...]`, of dense ones of
/// their dimensions alone; with mapped dimensions three more, the labels' text, their offsets and the lookup table.
/// The type and the names of dimensions are under `vespa` in the metadata; docs/constant.md tells all of it.
/// Owns its memory, or shares the constant's. The same constant gives the same bytes.
struct stored_constant {
  new_message message{};  ///< borrows from what follows
  pin owner{};
};

/// O(blocks): the table is made anew, seeded by the labels themselves. Errors: bad_constant,
/// too_large, tgmap::errc::out_of_memory.
TGMAP_API stored_constant to_archive(const tensor_constant&);
TGMAP_API stored_constant to_archive(const tensor_constant&, failure&) noexcept;

/// The constant that a message holds, where it lies: O(1), nothing but metadata and descriptors is read, whatever its
/// size. What is encoded or of another byte order is decoded into memory. Keeps the archive.
/// Errors: not_a_constant, bad_constant, bad_type and its kin; those of message::metadata, object::descriptor, decode.
TGMAP_API tensor_constant from_archive(const archive&, const tgmap::message&);
TGMAP_API tensor_constant from_archive(const archive&, const tgmap::message&, failure&) noexcept;

/// Any object as a dense constant with these names of dimensions, one for each, in the order of its shape. Where names
/// are not in sorted order the cells are put into another one; then, and where they are of another type, they are
/// copied, as decode_as does.
/// `cells`: the cell type. Nothing: float32, bfloat16 and int8 as they are, float16 as float32, others as float64.
/// Errors: bad_dimension, repeated_dimension, bad_size (an extent of 0, or too large), too_large, unknown_cell_type;
/// tgmap::errc::invalid_option (expected = dimensions of the object, found = names); those of object::decode_as.
TGMAP_API tensor_constant from_object(const archive&, const object&, std::span<const std::string> names,
                                      std::optional<dtype> cells = {});
TGMAP_API tensor_constant from_object(const archive&, const object&, std::span<const std::string> names,
                                      std::optional<dtype> cells, failure&) noexcept;
inline tensor_constant from_object(const archive& from, const object& what, std::span<const std::string> names,
                                   failure& why) noexcept {
  return from_object(from, what, names, {}, why);
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
