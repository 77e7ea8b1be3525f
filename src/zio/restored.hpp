// SPDX-License-Identifier: Apache-2.0
// A message that from_archive made of an archive, made what it was.
#pragma once

#include <tgmap/write/new_message.hpp>
#include <tgmap/zio/frame.hpp>
#include <tgmap/zio/message.hpp>
#include <tgmap/zio/tens.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// Whether the message is such a one; then `into` is what it was made of, with what of its headers is not said by that.
/// Throws error where it looks like such a one and is none; then `into` holds anything.
bool restore(const message&, const tens&, const frame_format&, new_message& into);

/// The keys of a descriptor of elements that are stored as they are.
cbor_value plain_descriptor(std::string_view type, dtype, std::span<const std::uint64_t> shape,
                            std::span<const std::uint64_t> strides);

/// Strides of C order.
std::vector<std::uint64_t> c_strides(std::span<const std::uint64_t> shape);

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
