// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/write/new_message.hpp>
#include <tgmap/zio/frame.hpp>
#include <tgmap/zio/message.hpp>
#include <tgmap/zio/tens.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// Restores the message of an archive from the TENS message that `from_archive` made of it. Headers that the archive
/// message does not imply are added under `zio`. Returns false if `from_archive` did not make the message.
/// Errors: any, thrown, if the message only looks as if `from_archive` had made it. `into` is then unspecified.
bool from_label(const message&, const tens&, const frame_format&, new_message& into);

/// Returns the descriptor of elements that are stored without encoding.
cbor_value plain_descriptor(std::string_view type, dtype, std::span<const std::uint64_t> shape,
                            std::span<const std::uint64_t> strides);

/// Returns the strides of C order.
std::vector<std::uint64_t> c_strides(std::span<const std::uint64_t> shape);

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
