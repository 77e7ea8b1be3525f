// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/zio/message.hpp>

namespace tgmap::zio {

/// Returns the memory that is enough to read a single frame and to convert it for an archive: 16 bytes for each byte of
/// it, 160 for each of its label, and 256 KiB. A tensor is described by at least 40 bytes of the label, and takes up to
/// 4 KiB as an object.
std::uint64_t import_memory(std::span<const std::byte> frame) noexcept;

/// Lets the readers of labels allocate their reusable buffers, so that the first frame is not charged for them.
/// Errors: throws tgmap::error.
void allocate_label_readers();

}  // namespace tgmap::zio
