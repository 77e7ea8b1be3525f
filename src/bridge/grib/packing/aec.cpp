// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/packing/aec.hpp"

#include <bit>

#include "runtime/loaded_library.hpp"

#if TGMAP_HAS_AEC
#include <libaec.h>
#endif

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

#if TGMAP_HAS_AEC

#define TGMAP_BRIDGE_AEC_FUNCTIONS(F) \
  F(aec_decode)                       \
  F(aec_decode_end)                   \
  F(aec_decode_init)                  \
  F(aec_encode)                       \
  F(aec_encode_end)                   \
  F(aec_encode_init)

#ifdef TGMAP_LOADS_AEC
TGMAP_LOADED_LIBRARY(bridge_aec_library, TGMAP_LOADS_AEC, TGMAP_BRIDGE_AEC_FUNCTIONS);
#else
TGMAP_LINKED_LIBRARY(bridge_aec_library, TGMAP_BRIDGE_AEC_FUNCTIONS);
#endif

namespace {

static_assert(aec_signed == AEC_DATA_SIGNED && aec_preprocess == AEC_DATA_PREPROCESS &&
              aec_restricted == AEC_RESTRICTED && aec_pad_rsi == AEC_PAD_RSI && aec_not_enforce == AEC_NOT_ENFORCE);

aec_stream stream_of(const aec_parameters& how, byte_view in, std::span<std::byte> out) noexcept {
  aec_stream stream{};
  stream.bits_per_sample = how.bits;
  stream.block_size = how.block_size;
  stream.rsi = how.rsi;
  // Without AEC_DATA_3BYTE, samples of 17 to 24 bits have four bytes.
  stream.flags = how.flags | (std::endian::native == std::endian::big ? AEC_DATA_MSB : 0u);
  stream.next_in = reinterpret_cast<const unsigned char*>(in.data());
  stream.avail_in = in.size();
  stream.next_out = reinterpret_cast<unsigned char*>(out.data());
  stream.avail_out = out.size();
  return stream;
}

failure aec_failure(int status) noexcept {
  if (status == AEC_MEM_ERROR) return {.code = tgmap::errc::out_of_memory};
  return {.code = tgmap::errc::codec_failed, .found = static_cast<std::uint64_t>(status < 0 ? -status : status)};
}

}  // namespace

bool has_aec() noexcept { return bridge_aec_library::get() != nullptr; }

failure decode_aec(byte_view stream, const aec_parameters& how, std::span<std::byte> out) noexcept {
  const auto* const library = bridge_aec_library::get();
  if (library == nullptr) return {.code = tgmap::errc::codec_absent};
  aec_stream work = stream_of(how, stream, out);
  if (const int status = library->aec_decode_init(&work); status != AEC_OK) return aec_failure(status);
  const int status = library->aec_decode(&work, AEC_FLUSH);
  library->aec_decode_end(&work);
  if (status != AEC_OK) return aec_failure(status);
  if (work.avail_out == 0) return {};
  return {.code = tgmap::errc::decoded_size_mismatch, .expected = out.size(), .found = out.size() - work.avail_out};
}

byte_view encode_aec(byte_view samples, const aec_parameters& how, byte_buffer& memory, failure& why) noexcept {
  const auto* const library = bridge_aec_library::get();
  if (library == nullptr) {
    why = {.code = tgmap::errc::codec_absent};
    return {};
  }
  // Blocks that cannot be compressed are stored after an identifier of less than a byte; the last block is padded.
  const std::uint64_t block = std::uint64_t{how.block_size} * aec_sample_bytes(how.bits);
  constexpr std::uint64_t room_to_work = 64;
  const auto to = memory.take(samples.size() + samples.size() / block + 2 * block + room_to_work, why);
  if (why) return {};
  aec_stream work = stream_of(how, samples, to);
  if (const int status = library->aec_encode_init(&work); status != AEC_OK) {
    why = aec_failure(status);
    return {};
  }
  const int status = library->aec_encode(&work, AEC_FLUSH);
  const int ended = library->aec_encode_end(&work);  // fails if there was no room for the last bits
  if (status != AEC_OK || ended != AEC_OK) {
    why = aec_failure(status != AEC_OK ? status : ended);
    return {};
  }
  return to.first(to.size() - work.avail_out);
}

#else

bool has_aec() noexcept { return false; }

failure decode_aec(byte_view, const aec_parameters&, std::span<std::byte>) noexcept {
  return {.code = tgmap::errc::codec_absent};
}

byte_view encode_aec(byte_view, const aec_parameters&, byte_buffer&, failure& why) noexcept {
  why = {.code = tgmap::errc::codec_absent};
  return {};
}

#endif

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
