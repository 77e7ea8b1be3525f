// SPDX-License-Identifier: Apache-2.0
// What is stored of a mask (§6.2), made one bit an element, the first one highest.
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

/// The method of that name in the file, or nothing.
[[nodiscard]] std::optional<mask_method> mask_method_from_name(std::string_view) noexcept;

/// Bytes that the bits of so many elements take.
[[nodiscard]] constexpr std::uint64_t mask_bytes(std::uint64_t elements) noexcept {
  return elements / 8 + (elements % 8 != 0 ? 1 : 0);
}

/// Reads the methods that need a library: the whole blob as stored, into exactly `bits.size()` bytes. `bits` is what
/// `mask_bytes` of the elements says.
struct mask_library {
  failure (*read)(void* context, mask_method, std::span<const std::byte> blob, std::uint64_t elements,
                  std::span<std::byte> bits) noexcept = nullptr;
  void* context = nullptr;
};

/// Reads a mask of `elements` elements into `bits`, which has `mask_bytes` of them. Bits behind the last element become
/// zero, whatever was stored. bad_mask: the blob does not tell of exactly that many elements; codec_absent: the method
/// needs a library and there is none; else what the library says. After a failure `bits` hold anything.
[[nodiscard]] failure read_mask(mask_method, std::span<const std::byte> blob, std::uint64_t elements,
                                std::span<std::byte> bits, const mask_library& = {}) noexcept;

/// The mask methods that need a library, by those that this build has; the others are codec_absent.
const mask_library& mask_libraries() noexcept;

/// The compression that a mask method is.
compression compression_of(mask_method) noexcept;

/// Writes a mask as that method has it (§6.2): `bits` are packed, the first element highest, those behind the last
/// zero. Errors: codec_absent, codec_failed, too_large, out_of_memory.
failure write_mask(mask_method, std::span<const std::byte> bits, std::uint64_t elements, core::scratch& memory,
                   std::span<const std::byte>& blob) noexcept;

}  // namespace tgmap::codec
