// SPDX-License-Identifier: Apache-2.0
#include "codec/zfp_stream.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "codec/failures.hpp"
#include "codec/zfp_library.hpp"

namespace tgmap::codec {

namespace {

/// The stored bytes that zfp is at. It reads words, at most one more than its block takes.
class zfp_window {
 public:
  explicit zfp_window(const zfp_bits& of) noexcept : of_(of), bits_(zfp().stream_open(words_.data(), sizeof words_)) {}

  bitstream* stream() const noexcept { return bits_.get(); }

  /// Goes to a bit of the stored bytes.
  failure move(std::uint64_t to) noexcept {
    if (to > of_.end * 8) return codec_failed();
    begin_ = to / 64 * 8;
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(step, of_.end - begin_));
    const auto bytes = std::as_writable_bytes(std::span(words_));
    if (failure why = of_.from.read(begin_, bytes.first(size))) return why;
    std::memset(&bytes[size], 0, beyond);
    // A block that begins among bytes that are there ends before those that are not set.
    last_ = std::uint64_t{size} * 8 - (begin_ + size < of_.end ? beyond * 8 : 0);
    at_ = to - begin_ * 8;
    zfp().stream_rseek(stream(), static_cast<std::size_t>(at_));
    return {};
  }

  /// One block. It takes as many bits as the library says.
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
  static constexpr std::size_t beyond = (ZFP_MAX_BITS / 64 + 3) * 8;  ///< what a block may take, and a word more

  const zfp_bits& of_;
  std::array<std::uint64_t, (step + beyond) / 8> words_;
  zfp_owner<bitstream> bits_;
  std::uint64_t begin_ = 0;  ///< of the window, in bytes
  std::uint64_t at_ = 0;     ///< bit of the window where the next block begins
  std::uint64_t last_ = 0;   ///< bit of the window where a block may begin at the latest
};

}  // namespace

failure set_zfp_mode(zfp_stream& stream, const zfp_parameters& with) noexcept {
  switch (with.mode) {
    case zfp_method::fixed_rate:
      // zfp turns it into whole bits a block without looking whether they are a number.
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
  const std::uint64_t there = stored_size > UINT64_MAX / 8 ? 0 : stored_size * 8 / stream.maxbits;
  return there >= out / zfp_block + (out % zfp_block != 0 ? 1 : 0) ? failure{} : decoded_size(out, there * zfp_block);
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

}  // namespace tgmap::codec
