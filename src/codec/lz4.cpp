// SPDX-License-Identifier: Apache-2.0
// lz4 (§7.6): the size as 32 bits, little-endian, then one block; not the frame format.
#include <lz4.h>

#include <climits>

#include "codec/failures.hpp"
#include "codec/libraries.hpp"

namespace tgmap::codec {

namespace {

constexpr std::size_t lz4_prefix = 4;

std::uint32_t lz4_stated_size(std::span<const std::byte> bytes) noexcept {
  std::uint32_t size = 0;
  for (std::size_t i = 0; i < lz4_prefix; ++i) size |= std::to_integer<std::uint32_t>(bytes[i]) << 8 * i;
  return size;
}

}  // namespace

failure run_lz4(const stored& from, std::span<std::byte> out) noexcept {
  if (from.bytes.size() < lz4_prefix) return codec_failed();
  if (const std::uint64_t stated = lz4_stated_size(from.bytes); stated != out.size())
    return decoded_size(out.size(), stated);
  const auto block = from.bytes.subspan(lz4_prefix);
  // The library counts in int: a block of 2 GiB and more is beyond it.
  if (block.size() > INT_MAX || out.size() > INT_MAX) return codec_failed();
  char none = 0;
  char* const to = out.empty() ? &none : reinterpret_cast<char*>(out.data());
  const int size = LZ4_decompress_safe(reinterpret_cast<const char*>(block.data()), to, static_cast<int>(block.size()),
                                       static_cast<int>(out.size()));
  if (size < 0) return codec_failed(size);
  const auto came = static_cast<std::size_t>(size);
  return came == out.size() ? failure{} : decoded_size(out.size(), came);
}

std::string_view lz4_version() noexcept { return LZ4_versionString(); }

}  // namespace tgmap::codec
