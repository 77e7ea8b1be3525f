// SPDX-License-Identifier: Apache-2.0
// Parts of a zfp stream of fixed rate (§7.8): every block of four doubles takes the same number of bits.
#include <cstring>
#include <new>

#include "codec/failures.hpp"
#include "codec/libraries.hpp"
#include "codec/zfp_stream.hpp"

namespace tgmap::codec {

namespace {

/// zfp reads words of 64 bits: a part is copied from the word in which it begins.
constexpr std::uint64_t word_bits = 64;

class zfp_parts final : public partial_decompressor {
 public:
  zfp_parts(const zfp_parameters& with, std::uint64_t block_bits, std::uint64_t size, std::uint64_t stored) noexcept
      : with_(with), block_bits_(block_bits), size_(size), stored_(stored) {}

  extent around(extent wanted) const noexcept override {
    const std::uint64_t end = (wanted.end + zfp_block - 1) / zfp_block * zfp_block;
    return {wanted.begin / zfp_block * zfp_block, std::min(end, size_)};
  }

  std::uint64_t cost(extent pieces) const noexcept override { return stored_of(pieces).size(); }

  failure read(extent pieces, const stored_bytes& from, part_buffers& tools,
               std::span<std::byte> out) const noexcept override {
    const extent at = stored_of(pieces);
    // Zeros behind it, for as long as zfp may read beyond what it needs.
    const std::size_t padded = static_cast<std::size_t>(at.size() + 2 * word_bits / 8) & ~std::size_t{7};
    failure why;
    const auto words = tools.stored.take(padded, why);
    if (why) return why;
    why = from.read(at.begin, words.first(static_cast<std::size_t>(at.size())));
    if (why) return why;
    std::memset(words.data() + at.size(), 0, padded - static_cast<std::size_t>(at.size()));
    const auto skip = pieces.begin / zfp_block * block_bits_ % word_bits;
    if (reinterpret_cast<std::uintptr_t>(out.data()) % alignof(double) == 0) return run(words, skip, out);
    const auto aligned = tools.other.take(out.size(), why);
    if (!why) why = run(words, skip, aligned);
    if (!why) std::memcpy(out.data(), aligned.data(), out.size());
    return why;
  }

 private:
  /// Whole words, as far as they are there.
  extent stored_of(extent pieces) const noexcept {
    const std::uint64_t first = pieces.begin / zfp_block, last = (pieces.end + zfp_block - 1) / zfp_block;
    const std::uint64_t end = (last * block_bits_ + word_bits - 1) / word_bits * (word_bits / 8);
    return {first * block_bits_ / word_bits * (word_bits / 8), std::min(end, stored_)};
  }

  failure run(std::span<std::byte> words, std::uint64_t skip, std::span<std::byte> out) const noexcept {
    const zfp_owner<zfp_stream> stream(zfp_stream_open(nullptr));
    const zfp_owner<zfp_field> field(zfp_field_1d(out.data(), zfp_type_double, out.size() / sizeof(double)));
    const zfp_owner<bitstream> bits(stream_open(words.data(), words.size()));
    if (!stream || !field || !bits) return no_memory();
    if (failure why = set_zfp_mode(*stream, with_)) return why;
    zfp_stream_set_bit_stream(stream.get(), bits.get());
    stream_rseek(bits.get(), static_cast<std::size_t>(skip));
    return zfp_decompress(stream.get(), field.get()) == 0 ? codec_failed() : failure{};
  }

  zfp_parameters with_;
  std::uint64_t block_bits_, size_, stored_;
};

}  // namespace

std::unique_ptr<const partial_decompressor> open_zfp_parts(const part_source& of, failure& why) noexcept {
  const auto& with = of.parameters.zfp;
  if (with.mode != zfp_method::fixed_rate) return nullptr;
  if (of.size % sizeof(double) != 0) {
    why = bad_combination();
    return nullptr;
  }
  const zfp_owner<zfp_stream> stream(zfp_stream_open(nullptr));
  if (!stream) {
    why = no_memory();
    return nullptr;
  }
  why = set_zfp_mode(*stream, with);
  if (!why) why = check_zfp_rate(*stream, of.stored.size(), of.size);
  const zfp_owner<zfp_field> field(zfp_field_1d(nullptr, zfp_type_double, of.size / sizeof(double)));
  if (!why && !field) why = no_memory();
  if (!why && of.stored.size() > zfp_stream_maximum_size(stream.get(), field.get()))
    why = decoded_size(of.size, of.size + 1);
  if (why) return nullptr;
  auto* const parts = new (std::nothrow) zfp_parts(with, stream->maxbits, of.size, of.stored.size());
  if (parts == nullptr) why = no_memory();
  return std::unique_ptr<const partial_decompressor>(parts);
}

}  // namespace tgmap::codec
