// SPDX-License-Identifier: Apache-2.0
// zfp (§7.8): one dimension of doubles without zfp's own header; the descriptor tells what it would.
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "codec/failures.hpp"
#include "codec/libraries.hpp"
#include "codec/zfp_stream.hpp"

namespace tgmap::codec {

namespace {

/// Words, because that is how zfp reads; not set to anything.
using zfp_words = std::unique_ptr<std::uint64_t[]>;
zfp_words allocate_words(std::size_t bytes) noexcept {
  return zfp_words(new (std::nothrow) std::uint64_t[bytes / 8 + 1]);
}

/// A copy behind which zfp finds zeros for as long as it may read. Behind the end it finishes a block, and each that is
/// left takes one bit, which says that the block is zero.
zfp_words padded_copy(std::span<const std::byte> bytes, std::size_t out, std::size_t& size) noexcept {
  const std::size_t blocks = (out + zfp_block - 1) / zfp_block;
  size = (bytes.size() + ZFP_MAX_BITS / 8 + blocks / 8 + 24) & ~std::size_t{7};
  auto words = allocate_words(size);
  if (!words) return words;
  auto* const at = reinterpret_cast<std::byte*>(words.get());
  std::memcpy(at, bytes.data(), bytes.size());
  std::memset(at + bytes.size(), 0, size - bytes.size());
  return words;
}

/// `to` is aligned for doubles.
failure decompress_zfp(const stored& from, std::byte* to, std::size_t size) noexcept {
  const zfp_owner<zfp_stream> stream(zfp_stream_open(nullptr));
  const zfp_owner<zfp_field> field(zfp_field_1d(to, zfp_type_double, size / sizeof(double)));
  if (!stream || !field) return no_memory();
  const auto& with = from.parameters.zfp;
  if (auto why = set_zfp_mode(*stream, with)) return why;
  if (from.bytes.size() > zfp_stream_maximum_size(stream.get(), field.get()))
    return decoded_size(size, std::uint64_t{size} + 1);
  if (with.mode == zfp_method::fixed_rate)
    if (auto why = check_zfp_rate(*stream, from.bytes.size(), size)) return why;

  std::size_t padded = 0;
  const auto words = padded_copy(from.bytes, size, padded);
  if (!words) return no_memory(padded);
  const zfp_owner<bitstream> bits(stream_open(words.get(), padded));
  if (!bits) return no_memory();
  zfp_stream_set_bit_stream(stream.get(), bits.get());
  zfp_stream_rewind(stream.get());
  const std::size_t consumed = zfp_decompress(stream.get(), field.get());
  // zfp writes whole words. Where it read more than was there, it decoded zeros that nobody stored.
  // Of a fixed rate it is known beforehand what must be there.
  const bool beyond = with.mode != zfp_method::fixed_rate && consumed > from.bytes.size();
  return consumed == 0 || beyond ? codec_failed() : failure{};
}

}  // namespace

failure run_zfp(const stored& from, std::span<std::byte> out) noexcept {
  if (out.empty()) return from.bytes.empty() ? failure{} : decoded_size(0, sizeof(double));
  if (out.size() % sizeof(double) != 0) return bad_combination();
  if (from.bytes.empty()) return decoded_size(out.size(), 0);
  if (reinterpret_cast<std::uintptr_t>(out.data()) % alignof(double) == 0)
    return decompress_zfp(from, out.data(), out.size());

  const auto aligned = allocate_words(out.size());
  if (!aligned) return no_memory(out.size());
  auto* const at = reinterpret_cast<std::byte*>(aligned.get());
  const failure why = decompress_zfp(from, at, out.size());
  if (!why) std::memcpy(out.data(), at, out.size());
  return why;
}

std::string_view zfp_version() noexcept {
  // "zfp version 1.0.0 (August 1, 2022)"
  constexpr std::string_view before = "zfp version ";
  std::string_view text = zfp_version_string;
  if (text.starts_with(before)) text.remove_prefix(before.size());
  return text.substr(0, text.find(' '));
}

}  // namespace tgmap::codec
