// SPDX-License-Identifier: Apache-2.0
// zfp (§7.8), the way out: one dimension of doubles, without zfp's own header.
#include <algorithm>

#include "codec/aligned_doubles.hpp"
#include "codec/compressions.hpp"
#include "codec/failures.hpp"
#include "codec/zfp_library.hpp"
#include "codec/zfp_stream.hpp"

namespace tgmap::codec {

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

failure compress_zfp(const uncompressed& from, core::scratch& memory, compressed& out) noexcept {
  if (from.bytes.size() % sizeof(double) != 0) return bad_combination();
  out.bytes = {};
  if (from.bytes.empty()) return {};

  const zfp_owner<zfp_stream> stream(zfp().zfp_stream_open(nullptr));
  const zfp_owner<zfp_field> field(zfp().zfp_field_1d(nullptr, zfp_type_double, from.bytes.size() / sizeof(double)));
  if (!stream || !field) return no_memory();
  failure why = set_zfp_mode(*stream, zfp_parameters_of(from.how->zfp));
  if (why) return why;

  const std::size_t copy = room_for_copy(from.bytes);
  const std::size_t room = whole_words(zfp().zfp_stream_maximum_size(stream.get(), field.get()));
  const auto taken = memory.take(std::uint64_t{copy} + room, why);
  if (why) return why;
  // zfp reads alone from what it takes as writable.
  zfp().zfp_field_set_pointer(field.get(), const_cast<double*>(aligned_doubles(from.bytes, taken)));
  const auto to = taken.subspan(copy);
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
