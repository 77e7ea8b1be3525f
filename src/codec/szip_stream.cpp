// SPDX-License-Identifier: Apache-2.0
#include "codec/szip_stream.hpp"

#include "codec/aec_library.hpp"
#include "codec/failures.hpp"
#include "codec/szip_flags.hpp"

namespace tgmap::codec {

namespace {

static_assert(szip_signed == AEC_DATA_SIGNED && szip_3_bytes == AEC_DATA_3BYTE &&
              szip_preprocess == AEC_DATA_PREPROCESS && szip_msb == AEC_DATA_MSB && szip_restricted == AEC_RESTRICTED &&
              szip_pad_rsi == AEC_PAD_RSI && szip_not_enforce == AEC_NOT_ENFORCE);

}  // namespace

failure check_szip(const szip_parameters& with, std::uint64_t out) noexcept {
  if (with.sample_size == 0) return bad_combination();
  if (with.rsi == 0 || with.rsi > szip_most_blocks) return bad_parameter(with.rsi, "szip_rsi");
  const std::uint64_t size = with.block_size;
  const bool standard = size == 8 || size == 16 || size == 32 || size == 64;
  const bool allowed = (with.flags & szip_not_enforce) && size > 0 && size % 2 == 0;
  const std::uint64_t interval = size * with.rsi;
  if (!(standard || allowed) || interval > szip_most_interval) return bad_parameter(size, "szip_block_size");
  if ((with.flags & szip_restricted) && with.bits > 4) return bad_parameter(with.flags, "szip_flags");
  if (out % with.sample_size != 0) return bad_combination();
  return {};
}

void set_szip_parameters(aec_stream& stream, const szip_parameters& with) noexcept {
  stream.bits_per_sample = static_cast<unsigned>(with.bits);
  stream.block_size = with.block_size;
  stream.rsi = with.rsi;
  stream.flags = with.flags;
}

failure decode_szip(const szip_parameters& with, std::span<const std::byte> from, std::span<std::byte> out) noexcept {
  aec_stream stream{};
  set_szip_parameters(stream, with);
  if (const int status = aec().aec_decode_init(&stream); status != AEC_OK)
    return status == AEC_MEM_ERROR ? no_memory() : codec_failed(status);
  stream.next_in = reinterpret_cast<const unsigned char*>(from.data());
  stream.avail_in = from.size();
  stream.next_out = reinterpret_cast<unsigned char*>(out.data());
  stream.avail_out = out.size();
  const int status = aec().aec_decode(&stream, AEC_FLUSH);
  aec().aec_decode_end(&stream);
  if (status != AEC_OK) return codec_failed(status);
  return stream.avail_out == 0 ? failure{} : decoded_size(out.size(), out.size() - stream.avail_out);
}

}  // namespace tgmap::codec
