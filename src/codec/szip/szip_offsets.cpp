// SPDX-License-Identifier: Apache-2.0
#include "codec/szip/szip_offsets.hpp"

#include <algorithm>
#include <array>
#include <bit>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "codec/failures.hpp"
#include "codec/szip/szip.hpp"
#include "wire/bytes.hpp"

namespace tgmap::codec {

namespace {

/// Properties of all blocks of a stream.
struct block_shape {
  unsigned id_bits;
  std::uint64_t samples;
};

#ifdef __x86_64__

/// Skips split-sample blocks from bit `at` on. Stops at a block of another kind, at the last bytes of the stream, or
/// after `most` blocks, and returns their number. Finds the end of the last code without a loop over its ones.
__attribute__((target("popcnt,bmi,bmi2"))) std::uint32_t skip_split_blocks(std::span<const std::byte> stream,
                                                                           const block_shape& of, std::uint32_t most,
                                                                           std::uint64_t& at) noexcept {
  if (stream.size() < 8) return 0;
  const std::size_t last = stream.size() - 8;  // last offset at which 8 bytes can be read
  const std::byte* const bytes = stream.data();
  const std::uint64_t as_they_are = (std::uint64_t{1} << of.id_bits) - 1;
  const auto word_at = [bytes](std::uint64_t bit) __attribute__((target("popcnt,bmi,bmi2"))) {
    return wire::load_be<std::uint64_t>(bytes + bit / 8) << bit % 8;
  };
  std::uint32_t done = 0;
  for (; done < most && at / 8 <= last; ++done) {
    const std::uint64_t word = word_at(at), id = word >> (64 - of.id_bits);
    if (id == 0 || id == as_they_are) break;
    std::uint64_t codes = word << of.id_bits, left = of.samples, from = at + of.id_bits,
                  seen = 64 - at % 8 - of.id_bits;
    for (;;) {
      const auto ones = static_cast<std::uint64_t>(__builtin_popcountll(codes));
      if (ones >= left) {
        left = ones - left;
        break;
      }
      left -= ones;
      from += seen;
      if (from / 8 > last) return done;
      codes = word_at(from);
      seen = 64 - from % 8;
    }
    const std::uint64_t end = _pdep_u64(std::uint64_t{1} << left, codes);  // the bit that ends the last code
    at = from + static_cast<unsigned>(__builtin_clzll(end)) + 1 + of.samples * (id - 1);
  }
  return done;
}

bool can_skip_split_blocks() noexcept {
  static const bool can = __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("popcnt") != 0;
  return can;
}

#else

std::uint32_t skip_split_blocks(std::span<const std::byte>, const block_shape&, std::uint32_t,
                                std::uint64_t&) noexcept {
  return 0;
}
constexpr bool can_skip_split_blocks() noexcept { return false; }

#endif

/// Returns the number of bits of a block's identifier.
constexpr unsigned id_bits_of(const szip_parameters& of) noexcept {
  if ((of.flags & szip_restricted) != 0 && of.bits <= 4) return of.bits <= 2 ? 1 : 2;
  if (of.bits > 16) return 5;
  return of.bits > 8 ? 4 : 3;
}

/// A `block_scanner` skips the blocks of a stream (CCSDS 121.0-B). Bits past the end read as zeros.
class block_scanner {
 public:
  block_scanner(const szip_parameters& of, std::span<const std::byte> stream, std::uint64_t at) noexcept
      : stream_(stream), at_(at), end_(std::uint64_t{stream.size()} * 8), with_(of), id_bits_(id_bits_of(of)) {}

  std::uint64_t at() const noexcept { return at_; }

  bool skip_interval() noexcept { return skip_blocks(with_.rsi) == with_.rsi && at_ <= end_; }

  /// Continues at the stored offset of the next interval, which must be the current bit. Padded intervals may also
  /// start at the next byte: some libraries set the flag but do not pad.
  bool resume_at(std::uint64_t place) noexcept {
    const bool padded = (with_.flags & szip_pad_rsi) != 0;
    if (place != at_ && !(padded && place == (at_ + 7) / 8 * 8)) return false;
    at_ = place;
    return true;
  }

  /// Skips the last interval, which has `blocks` blocks. A run of zero blocks may exceed them.
  bool skip_last(std::uint32_t blocks) noexcept {
    const std::uint32_t done = skip_blocks(blocks);
    return done >= blocks && done <= with_.rsi && at_ <= end_;
  }

 private:
  /// Skips at least `count` blocks from the start of an interval, unless the stream ends. Returns their number.
  std::uint32_t skip_blocks(std::uint32_t count) noexcept {
    std::uint32_t done = 0;
    while (done < count && at_ < end_) {
      done += skip_block(done);
      if (fast_ && done < count) done += skip_split_blocks(stream_, {id_bits_, with_.block_size}, count - done, at_);
    }
    return done;
  }

  /// Returns at least 57 bits from the current one on, the first one highest.
  std::uint64_t look() const noexcept {
    const auto byte = static_cast<std::size_t>(at_ / 8);
    if (wire::fits(byte, 8, stream_.size())) return wire::load_be<std::uint64_t>(stream_, byte) << at_ % 8;
    std::array<std::byte, 8> padded{};
    if (byte < stream_.size())
      std::copy(stream_.begin() + static_cast<std::ptrdiff_t>(byte), stream_.end(), padded.begin());
    return wire::load_be<std::uint64_t>(padded.data()) << at_ % 8;
  }

  unsigned take(unsigned bits) noexcept {
    const std::uint64_t out = look() >> (64 - bits);
    at_ += bits;
    return static_cast<unsigned>(out);
  }

  /// Skips `count` codes. Each code is zeros and a one.
  void skip_codes(std::uint64_t count) noexcept {
    constexpr unsigned seen = 56;
    while (at_ < end_) {
      std::uint64_t word = look() >> (64 - seen);
      const auto ones = static_cast<std::uint64_t>(std::popcount(word));
      if (ones >= count) {
        for (std::uint64_t more = ones - count; more > 0; --more) word &= word - 1;
        at_ += seen - static_cast<unsigned>(std::countr_zero(word));
        return;
      }
      count -= ones;
      at_ += seen;
    }
  }

  /// Skips a run of zero blocks after `done` blocks of the interval. Returns their number, at least 1.
  std::uint32_t skip_zeros(std::uint32_t done) noexcept {
    const std::uint64_t from = at_;
    skip_codes(1);
    const std::uint64_t codes = at_ - from;
    constexpr std::uint64_t rest_of_segment = 5;
    constexpr std::uint32_t segment = 64;
    if (codes == rest_of_segment) return std::min(with_.rsi - done, segment - done % segment);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(codes < rest_of_segment ? codes : codes - 1, UINT16_MAX));
  }

  /// Skips a block after `done` blocks of the interval. Returns the number of blocks it stands for.
  std::uint32_t skip_block(std::uint32_t done) noexcept {
    const bool reference = done == 0 && (with_.flags & szip_preprocess) != 0;
    const std::uint64_t size = with_.block_size, first = reference ? with_.bits : 0;
    const unsigned id = take(id_bits_);
    if (id == 0) {
      const bool pairs = take(1) != 0;
      at_ += first;
      if (!pairs) return skip_zeros(done);
      skip_codes(size / 2);
    } else if (id == (1u << id_bits_) - 1) {
      at_ += size * with_.bits;  // uncompressed, including the reference
    } else {
      const std::uint64_t split = size - (reference ? 1 : 0);
      at_ += first;
      skip_codes(split);
      at_ += split * (id - 1);
    }
    return 1;
  }

  std::span<const std::byte> stream_;
  std::uint64_t at_, end_;
  szip_parameters with_;
  unsigned id_bits_;
  bool fast_ = can_skip_split_blocks();
};

}  // namespace

failure check_szip(const szip_parameters& with, std::uint64_t out) noexcept {
  if (with.sample_size == 0) return bad_combination();
  if (with.rsi == 0 || with.rsi > szip_max_rsi) return bad_parameter(with.rsi, "szip_rsi");
  const std::uint64_t size = with.block_size;
  const bool standard = size == 8 || size == 16 || size == 32 || size == 64;
  const bool allowed = (with.flags & szip_not_enforce) && size > 0 && size % 2 == 0;
  const std::uint64_t interval = size * with.rsi;
  if (!(standard || allowed) || interval > szip_max_interval) return bad_parameter(size, "szip_block_size");
  if ((with.flags & szip_restricted) && with.bits > 4) return bad_parameter(with.flags, "szip_flags");
  if (out % with.sample_size != 0) return bad_combination();
  return {};
}

bool find_szip_offsets(const szip_parameters& with, std::span<const std::byte> stream,
                       std::span<std::uint64_t> out) noexcept {
  block_scanner walk(with, stream, 0);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (i > 0 && !walk.skip_interval()) return false;
    out[i] = walk.at();
  }
  return true;
}

std::size_t count_valid_szip_offsets(const szip_parameters& with, std::span<const std::byte> stream,
                                     std::uint64_t origin, std::span<const std::uint64_t> places) noexcept {
  if (places.empty()) return 0;
  block_scanner walk(with, stream, places.front() - origin);
  std::size_t sound = 1;
  while (sound < places.size() && walk.skip_interval() && walk.resume_at(places[sound] - origin)) ++sound;
  return sound;
}

bool last_interval_fits(const szip_parameters& with, std::span<const std::byte> stream, std::uint64_t place,
                        std::uint32_t blocks) noexcept {
  return block_scanner(with, stream, place).skip_last(blocks);
}

}  // namespace tgmap::codec
