// SPDX-License-Identifier: Apache-2.0
#include <zfp.h>
#include <zfp/bitstream.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <tgmap/error.hpp>

#include "codec/aligned_doubles.hpp"
#include "codec/codec_functions.hpp"
#include "codec/codec_parameters.hpp"
#include "codec/failures.hpp"
#include "codec/partial_decompressor.hpp"
#include "runtime/loaded_library.hpp"

namespace tgmap::codec {

#define TGMAP_ZFP_FUNCTIONS(F) \
  F(stream_align)              \
  F(stream_close)              \
  F(stream_open)               \
  F(stream_rseek)              \
  F(stream_size)               \
  F(zfp_compress)              \
  F(zfp_decode_block_double_1) \
  F(zfp_field_1d)              \
  F(zfp_field_free)            \
  F(zfp_field_set_pointer)     \
  F(zfp_stream_close)          \
  F(zfp_stream_maximum_size)   \
  F(zfp_stream_open)           \
  F(zfp_stream_rewind)         \
  F(zfp_stream_set_accuracy)   \
  F(zfp_stream_set_bit_stream) \
  F(zfp_stream_set_precision)  \
  F(zfp_stream_set_rate)       \
  F(zfp_version_string)

#ifdef TGMAP_LOADS_ZFP
TGMAP_LOADED_LIBRARY(zfp_library, TGMAP_LOADS_ZFP, TGMAP_ZFP_FUNCTIONS);
#else
TGMAP_LINKED_LIBRARY(zfp_library, TGMAP_ZFP_FUNCTIONS);
#endif

/// Returns the library, which must be present: only codecs whose library is present are called.
inline const zfp_library& zfp() noexcept { return *zfp_library::get(); }

// zfp (§7.8): one dimension of doubles. Every return value of the library is checked.

struct zfp_closer {
  void operator()(zfp_stream* stream) const noexcept { zfp().zfp_stream_close(stream); }
  void operator()(zfp_field* field) const noexcept { zfp().zfp_field_free(field); }
  void operator()(bitstream* bits) const noexcept { zfp().stream_close(bits); }
};
template <class T>
using zfp_owner = std::unique_ptr<T, zfp_closer>;

/// Bytes of one block of four doubles.
inline constexpr std::size_t zfp_block = 4 * sizeof(double);

/// Errors: bad_parameter.
failure set_zfp_mode(zfp_stream&, const zfp_parameters&) noexcept;

/// Checks the stored size of a stream of fixed rate, whose blocks have equal lengths. Errors: decoded_size_mismatch.
failure check_zfp_rate(const zfp_stream&, std::uint64_t stored_size, std::uint64_t out) noexcept;

/// Bits of a stream, from bit `begin` of the stored bytes up to byte `end`.
struct zfp_bits {
  const payload_reader& from;
  std::uint64_t begin = 0, end = 0;
};

/// Decompresses consecutive blocks by the library's call for one block. Copies the stored bytes a few KiB at a time,
/// because the library reads beyond their end and because a file may change. Bits after `end` count as 0. `consumed` is
/// the end of the last word that was read, which may be beyond `end`.
/// Errors: codec_failed, out_of_memory, those of payload_reader::read.
failure decode_zfp_blocks(zfp_stream&, const zfp_bits&, std::span<std::byte> out, std::uint64_t& consumed) noexcept;

namespace {

/// A `zfp_window` is the part of the stored bytes that zfp currently reads. zfp reads words, at most one after a block.
class zfp_window {
 public:
  explicit zfp_window(const zfp_bits& of) noexcept : of_(of), bits_(zfp().stream_open(words_.data(), sizeof words_)) {}

  bitstream* stream() const noexcept { return bits_.get(); }

  /// Moves to a bit of the stored bytes.
  failure move(std::uint64_t to) noexcept {
    if (to > of_.end * 8) return codec_failed();
    begin_ = to / 64 * 8;
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(step, of_.end - begin_));
    const auto bytes = std::as_writable_bytes(std::span(words_));
    if (failure why = of_.from.read(begin_, bytes.first(size))) return why;
    std::memset(&bytes[size], 0, beyond);
    // A block that begins at or before this bit ends inside the copied bytes or the zeros after them.
    last_ = std::uint64_t{size} * 8 - (begin_ + size < of_.end ? beyond * 8 : 0);
    at_ = to - begin_ * 8;
    zfp().stream_rseek(stream(), static_cast<std::size_t>(at_));
    return {};
  }

  /// Decodes one block.
  failure decode(zfp_stream& stream, std::array<double, zfp_block / sizeof(double)>& block) noexcept {
    if (at_ > last_)
      if (failure why = move(begin_ * 8 + at_)) return why;
    at_ += zfp().zfp_decode_block_double_1(&stream, block.data());
    return {};
  }

  std::uint64_t consumed() const noexcept {
    zfp().stream_align(stream());
    return begin_ + zfp().stream_size(stream());
  }

 private:
  static constexpr std::size_t step = std::size_t{16} << 10;
  static constexpr std::size_t beyond = (ZFP_MAX_BITS / 64 + 3) * 8;  ///< the longest block, and one word

  const zfp_bits& of_;
  std::array<std::uint64_t, (step + beyond) / 8> words_;
  zfp_owner<bitstream> bits_;
  std::uint64_t begin_ = 0;  ///< of the window, in bytes
  std::uint64_t at_ = 0;     ///< bit of the window where the next block begins
  std::uint64_t last_ = 0;   ///< last bit of the window at which a block may begin
};

}  // namespace

failure set_zfp_mode(zfp_stream& stream, const zfp_parameters& with) noexcept {
  switch (with.mode) {
    case zfp_method::fixed_rate:
      // zfp converts the rate to an integer without checking its range.
      if (with.rate > ZFP_MAX_BITS / 4)
        return bad_parameter(static_cast<std::uint64_t>(std::min(with.rate, 1e18)), "zfp_rate");
      zfp().zfp_stream_set_rate(&stream, with.rate, zfp_type_double, 1, 0);
      return {};
    case zfp_method::fixed_precision: zfp().zfp_stream_set_precision(&stream, with.precision); return {};
    case zfp_method::fixed_accuracy:
      return zfp().zfp_stream_set_accuracy(&stream, with.tolerance) > 0 ? failure{} : bad_parameter(0, "zfp_tolerance");
  }
  return bad_parameter(0, "zfp_mode");
}

failure check_zfp_rate(const zfp_stream& stream, std::uint64_t stored_size, std::uint64_t out) noexcept {
  const std::uint64_t stored_blocks = stored_size > UINT64_MAX / 8 ? 0 : stored_size * 8 / stream.maxbits;
  return stored_blocks >= out / zfp_block + (out % zfp_block != 0 ? 1 : 0)
             ? failure{}
             : decoded_size(out, stored_blocks * zfp_block);
}

failure decode_zfp_blocks(zfp_stream& stream, const zfp_bits& of, std::span<std::byte> out,
                          std::uint64_t& consumed) noexcept {
  zfp_window window(of);
  if (window.stream() == nullptr) return no_memory();
  zfp().zfp_stream_set_bit_stream(&stream, window.stream());
  failure why = window.move(of.begin);
  std::array<double, zfp_block / sizeof(double)> block{};
  for (std::size_t at = 0; at < out.size() && !why; at += zfp_block) {
    why = window.decode(stream, block);
    std::memcpy(&out[at], block.data(), std::min(zfp_block, out.size() - at));
  }
  consumed = window.consumed();
  zfp().zfp_stream_set_bit_stream(&stream, nullptr);
  return why;
}

// Streams have no header of zfp: the descriptor has the parameters.

namespace {

failure decompress_zfp(const payload_reader& payload, const zfp_parameters& with, std::span<std::byte> out) noexcept {
  if (out.empty()) return payload.size() == 0 ? failure{} : decoded_size(0, sizeof(double));
  if (out.size() % sizeof(double) != 0) return bad_combination();
  if (payload.size() == 0) return decoded_size(out.size(), 0);
  const zfp_owner<zfp_stream> stream(zfp().zfp_stream_open(nullptr));
  const zfp_owner<zfp_field> field(zfp().zfp_field_1d(nullptr, zfp_type_double, out.size() / sizeof(double)));
  if (!stream || !field) return no_memory();
  if (auto why = set_zfp_mode(*stream, with)) return why;
  if (payload.size() > zfp().zfp_stream_maximum_size(stream.get(), field.get()))
    return decoded_size(out.size(), std::uint64_t{out.size()} + 1);
  if (with.mode == zfp_method::fixed_rate)
    if (auto why = check_zfp_rate(*stream, payload.size(), out.size())) return why;

  std::uint64_t consumed = 0;
  if (auto why = decode_zfp_blocks(*stream, {payload, 0, payload.size()}, out, consumed)) return why;
  // zfp writes whole words. If it read past the end, it decoded zeros that were never stored. The size of a stream of
  // fixed rate has been checked before.
  const bool beyond = with.mode != zfp_method::fixed_rate && consumed > payload.size();
  return beyond ? codec_failed() : failure{};
}

}  // namespace

failure decompress_zfp(const compressed_payload& payload, std::span<std::byte> out) noexcept {
  return decompress_zfp(memory_payload_reader(payload.bytes), payload.parameters.zfp, out);
}

failure decompress_zfp_from_reader(const payload_reader& payload, const codec_parameters& with, partial_buffers&,
                                   std::span<std::byte> out) noexcept {
  return decompress_zfp(payload, with.zfp, out);
}

bool has_zfp() noexcept { return zfp_library::get() != nullptr; }

std::string_view zfp_version() noexcept {
  // "zfp version 1.0.0 (August 1, 2022)"
  constexpr std::string_view before = "zfp version ";
  std::string_view text = *zfp().zfp_version_string;
  if (text.starts_with(before)) text.remove_prefix(before.size());
  return text.substr(0, text.find(' '));
}

// Parts of a stream of fixed rate: each block takes the same number of bits.

namespace {

/// zfp reads words of 64 bits: a part is read from the word in which it starts.
constexpr std::uint64_t word_bits = 64;

class zfp_partial_decompressor final : public partial_decompressor {
 public:
  zfp_partial_decompressor(const zfp_parameters& with, std::uint64_t block_bits, std::uint64_t size,
                           std::uint64_t stored) noexcept
      : with_(with), block_bits_(block_bits), size_(size), stored_(stored) {}

  extent around(extent wanted) const noexcept override {
    const std::uint64_t end = (wanted.end + zfp_block - 1) / zfp_block * zfp_block;
    return {wanted.begin / zfp_block * zfp_block, std::min(end, size_)};
  }

  std::uint64_t cost(extent pieces) const noexcept override { return stored_of(pieces).size(); }

  failure read(extent pieces, const payload_reader& payload, partial_buffers&,
               std::span<std::byte> out) const noexcept override {
    const zfp_owner<zfp_stream> stream(zfp().zfp_stream_open(nullptr));
    if (!stream) return no_memory();
    if (failure why = set_zfp_mode(*stream, with_)) return why;
    std::uint64_t consumed = 0;
    const std::uint64_t begin = pieces.begin / zfp_block * block_bits_;
    return decode_zfp_blocks(*stream, {payload, begin, stored_of(pieces).end}, out, consumed);
  }

 private:
  /// Returns the stored bytes of pieces, in whole words.
  extent stored_of(extent pieces) const noexcept {
    const std::uint64_t first = pieces.begin / zfp_block, last = (pieces.end + zfp_block - 1) / zfp_block;
    const std::uint64_t end = (last * block_bits_ + word_bits - 1) / word_bits * (word_bits / 8);
    return {first * block_bits_ / word_bits * (word_bits / 8), std::min(end, stored_)};
  }

  zfp_parameters with_;
  std::uint64_t block_bits_, size_, stored_;
};

}  // namespace

std::unique_ptr<const partial_decompressor> open_zfp_partial(const partial_source& source, failure& why) noexcept {
  const auto& with = source.parameters.zfp;
  if (with.mode != zfp_method::fixed_rate) return nullptr;
  if (source.size % sizeof(double) != 0) {
    why = bad_combination();
    return nullptr;
  }
  const zfp_owner<zfp_stream> stream(zfp().zfp_stream_open(nullptr));
  if (!stream) {
    why = no_memory();
    return nullptr;
  }
  why = set_zfp_mode(*stream, with);
  if (!why) why = check_zfp_rate(*stream, source.stored.size(), source.size);
  const zfp_owner<zfp_field> field(zfp().zfp_field_1d(nullptr, zfp_type_double, source.size / sizeof(double)));
  if (!why && !field) why = no_memory();
  if (!why && source.stored.size() > zfp().zfp_stream_maximum_size(stream.get(), field.get()))
    why = decoded_size(source.size, source.size + 1);
  if (why) return nullptr;
  auto* const parts =
      new (std::nothrow) zfp_partial_decompressor(with, stream->maxbits, source.size, source.stored.size());
  if (parts == nullptr) why = no_memory();
  return std::unique_ptr<const partial_decompressor>(parts);
}

// Compression, without a header of zfp.

namespace {

zfp_parameters zfp_parameters_of(const zfp_options& with) noexcept {
  const auto method = with.mode == zfp_mode::fixed_rate        ? zfp_method::fixed_rate
                      : with.mode == zfp_mode::fixed_precision ? zfp_method::fixed_precision
                                                               : zfp_method::fixed_accuracy;
  return {.mode = method, .rate = with.rate, .precision = with.precision, .tolerance = with.tolerance};
}

/// The reference's streams are of 64-bit words.
constexpr std::size_t whole_words(std::size_t bytes) noexcept { return (bytes + 7) & ~std::size_t{7}; }

}  // namespace

failure compress_zfp(const compression_input& input, core::scratch& memory, compression_output& out) noexcept {
  if (input.bytes.size() % sizeof(double) != 0) return bad_combination();
  out.bytes = {};
  if (input.bytes.empty()) return {};

  const zfp_owner<zfp_stream> stream(zfp().zfp_stream_open(nullptr));
  const zfp_owner<zfp_field> field(zfp().zfp_field_1d(nullptr, zfp_type_double, input.bytes.size() / sizeof(double)));
  if (!stream || !field) return no_memory();
  failure why = set_zfp_mode(*stream, zfp_parameters_of(input.how->zfp));
  if (why) return why;

  const std::size_t copy = aligned_copy_size(input.bytes);
  const std::size_t capacity = whole_words(zfp().zfp_stream_maximum_size(stream.get(), field.get()));
  const auto buffer = memory.take(std::uint64_t{copy} + capacity, why);
  if (why) return why;
  // zfp only reads from this pointer, although it is not const.
  zfp().zfp_field_set_pointer(field.get(), const_cast<double*>(aligned_doubles(input.bytes, buffer)));
  const auto to = buffer.subspan(copy);
  const zfp_owner<bitstream> bits(zfp().stream_open(to.data(), to.size()));
  if (!bits) return no_memory();
  zfp().zfp_stream_set_bit_stream(stream.get(), bits.get());
  zfp().zfp_stream_rewind(stream.get());
  const std::size_t size = zfp().zfp_compress(stream.get(), field.get());
  if (size == 0 || size > to.size()) return codec_failed();
  // zfp may be built to write in smaller words, as Debian does; the bits are the same ones.
  const std::size_t padded = whole_words(size);
  std::fill(to.begin() + static_cast<std::ptrdiff_t>(size), to.begin() + static_cast<std::ptrdiff_t>(padded),
            std::byte{0});
  out.bytes = to.first(padded);
  return {};
}

}  // namespace tgmap::codec
