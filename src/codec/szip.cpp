// SPDX-License-Identifier: Apache-2.0
// szip: CCSDS 121 by libaec (§7.4). The stream has no header, no size and no end.
#include <libaec.h>

#include <cstring>
#include <memory>
#include <new>

#include "codec/failures.hpp"
#include "codec/libraries.hpp"
#include "codec/szip_flags.hpp"

namespace tgmap::codec {

namespace {

static_assert(szip_3_bytes == AEC_DATA_3BYTE && szip_msb == AEC_DATA_MSB && szip_restricted == AEC_RESTRICTED &&
              szip_pad_rsi == AEC_PAD_RSI && szip_not_enforce == AEC_NOT_ENFORCE);

constexpr std::uint32_t szip_most_blocks = 4096;
/// libaec keeps a reference interval, four bytes a sample. Four times what the standard's block sizes come to.
constexpr std::uint64_t szip_most_interval = std::uint64_t{4096} * 64 * 4;

/// What libaec asks of its parameters, and some that it does not but should.
failure check_szip(const szip_parameters& with, std::size_t out) noexcept {
  if (with.sample_size == 0) return bad_combination();
  if (with.rsi == 0 || with.rsi > szip_most_blocks) return bad_parameter(with.rsi);
  const std::uint64_t size = with.block_size;
  const bool standard = size == 8 || size == 16 || size == 32 || size == 64;
  const bool allowed = (with.flags & szip_not_enforce) && size > 0 && size % 2 == 0;
  const std::uint64_t interval = size * with.rsi;
  if (!(standard || allowed) || interval > szip_most_interval) return bad_parameter(size);
  if ((with.flags & szip_restricted) && with.bits > 4) return bad_parameter(with.flags);
  if (out % with.sample_size != 0) return bad_combination();
  return {};
}

void set_parameters(aec_stream& stream, const szip_parameters& with) noexcept {
  stream.bits_per_sample = static_cast<unsigned>(with.bits);
  stream.block_size = with.block_size;
  stream.rsi = with.rsi;
  stream.flags = with.flags;
}

failure decode_szip(const stored& from, std::span<std::byte> out) noexcept {
  aec_stream stream{};
  set_parameters(stream, from.parameters.szip);
  if (const int status = aec_decode_init(&stream); status != AEC_OK)
    return status == AEC_MEM_ERROR ? no_memory() : codec_failed(status);
  stream.next_in = reinterpret_cast<const unsigned char*>(from.bytes.data());
  stream.avail_in = from.bytes.size();
  stream.next_out = reinterpret_cast<unsigned char*>(out.data());
  stream.avail_out = out.size();
  const int status = aec_decode(&stream, AEC_FLUSH);
  aec_decode_end(&stream);
  if (status != AEC_OK) return codec_failed(status);
  return stream.avail_out == 0 ? failure{} : decoded_size(out.size(), out.size() - stream.avail_out);
}

/// libaec loses its place between padded intervals, for nearly all streams that it wrote itself: what comes out is as
/// long as it should be, and wrong. It is right when it encodes to the stored bytes again.
failure check_padded(const stored& from, std::span<const std::byte> out) noexcept {
  const std::size_t room = from.bytes.size() + 1;  // so that a longer stream shows
  const std::unique_ptr<unsigned char[]> again(new (std::nothrow) unsigned char[room]);
  aec_stream stream{};
  set_parameters(stream, from.parameters.szip);
  if (!again || aec_encode_init(&stream) != AEC_OK) return no_memory(room);
  stream.next_in = reinterpret_cast<const unsigned char*>(out.data());
  stream.avail_in = out.size();
  stream.next_out = again.get();
  stream.avail_out = room;
  const int status = aec_encode(&stream, AEC_FLUSH);
  const std::size_t size = room - stream.avail_out;
  aec_encode_end(&stream);
  const bool same =
      status == AEC_OK && size == from.bytes.size() && std::memcmp(again.get(), from.bytes.data(), size) == 0;
  return same ? failure{} : codec_failed();
}

}  // namespace

failure run_szip(const stored& from, std::span<std::byte> out) noexcept {
  const auto& with = from.parameters.szip;
  // Nothing was ever encoded of nothing, so that parameters do not matter: files exist with those of a bit mask.
  if (out.empty()) return from.bytes.empty() ? failure{} : decoded_size(0, 1);
  if (auto why = check_szip(with, out.size())) return why;

  if (auto why = decode_szip(from, out)) return why;
  const std::uint64_t interval = std::uint64_t{with.rsi} * with.block_size;
  const bool padded = (with.flags & szip_pad_rsi) && out.size() / with.sample_size > interval;
  return padded ? check_padded(from, out) : failure{};
}

std::string_view szip_version() noexcept {
#ifdef AEC_VERSION_STR
  return AEC_VERSION_STR;
#else
  return "before 1.1";  // releases that do not tell
#endif
}

}  // namespace tgmap::codec
