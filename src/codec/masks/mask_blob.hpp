// SPDX-License-Identifier: Apache-2.0
// Masks as they are stored (§6.2), read into and written from one bit per element, the first one highest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tgmap/decode/codecs.hpp>
#include <tgmap/error.hpp>
#include <tgmap/write/pipeline.hpp>

#include "core/memory.hpp"

namespace tgmap::codec {

using tgmap::mask_method;

/// Returns the bytes that the bits of `elements` elements take.
[[nodiscard]] constexpr std::uint64_t mask_bytes(std::uint64_t elements) noexcept {
  return elements / 8 + (elements % 8 != 0 ? 1 : 0);
}

/// A `mask_codecs` reads the methods that need a library: a whole blob into `bits`, which has `mask_bytes` bytes.
struct mask_codecs {
  failure (*read)(void* context, mask_method, std::span<const std::byte> blob, std::uint64_t elements,
                  std::span<std::byte> bits) noexcept = nullptr;
  void* context = nullptr;
};

/// Reads a mask of `elements` elements into `bits`, which has `mask_bytes` bytes. Padding bits become 0. After a
/// failure `bits` may hold anything. Errors: bad_mask (the blob has another number of elements), codec_absent, those of
/// the library.
[[nodiscard]] failure read_mask(mask_method, std::span<const std::byte> blob, std::uint64_t elements,
                                std::span<std::byte> bits, const mask_codecs& = {}) noexcept;

/// Returns the codecs of this build. Methods whose library is absent fail with codec_absent.
const mask_codecs& built_mask_codecs() noexcept;

/// Returns the compression that a mask method uses.
compression compression_of(mask_method) noexcept;

/// Writes a mask by a method (§6.2). Padding bits of `bits` are 0. `blob` is in `memory`, or `bits` itself.
/// Errors: codec_absent, codec_failed, too_large, out_of_memory.
failure write_mask(mask_method, std::span<const std::byte> bits, std::uint64_t elements, core::scratch& memory,
                   std::span<const std::byte>& blob) noexcept;

}  // namespace tgmap::codec
