// SPDX-License-Identifier: Apache-2.0
// Parts of a zfp stream of fixed rate (§7.8): every block of four doubles takes the same number of bits.
#include <new>

#include "codec/failures.hpp"
#include "codec/libraries.hpp"
#include "codec/zfp_library.hpp"
#include "codec/zfp_stream.hpp"

namespace tgmap::codec {

namespace {

/// zfp reads words of 64 bits: a part is read from the word in which it begins.
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

  failure read(extent pieces, const stored_bytes& from, part_buffers&,
               std::span<std::byte> out) const noexcept override {
    const zfp_owner<zfp_stream> stream(zfp().zfp_stream_open(nullptr));
    if (!stream) return no_memory();
    if (failure why = set_zfp_mode(*stream, with_)) return why;
    std::uint64_t consumed = 0;
    const std::uint64_t begin = pieces.begin / zfp_block * block_bits_;
    return decode_zfp_blocks(*stream, {from, begin, stored_of(pieces).end}, out, consumed);
  }

 private:
  /// Whole words, as far as they are there.
  extent stored_of(extent pieces) const noexcept {
    const std::uint64_t first = pieces.begin / zfp_block, last = (pieces.end + zfp_block - 1) / zfp_block;
    const std::uint64_t end = (last * block_bits_ + word_bits - 1) / word_bits * (word_bits / 8);
    return {first * block_bits_ / word_bits * (word_bits / 8), std::min(end, stored_)};
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
  const zfp_owner<zfp_stream> stream(zfp().zfp_stream_open(nullptr));
  if (!stream) {
    why = no_memory();
    return nullptr;
  }
  why = set_zfp_mode(*stream, with);
  if (!why) why = check_zfp_rate(*stream, of.stored.size(), of.size);
  const zfp_owner<zfp_field> field(zfp().zfp_field_1d(nullptr, zfp_type_double, of.size / sizeof(double)));
  if (!why && !field) why = no_memory();
  if (!why && of.stored.size() > zfp().zfp_stream_maximum_size(stream.get(), field.get()))
    why = decoded_size(of.size, of.size + 1);
  if (why) return nullptr;
  auto* const parts = new (std::nothrow) zfp_parts(with, stream->maxbits, of.size, of.stored.size());
  if (parts == nullptr) why = no_memory();
  return std::unique_ptr<const partial_decompressor>(parts);
}

}  // namespace tgmap::codec
