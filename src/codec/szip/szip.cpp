// SPDX-License-Identifier: Apache-2.0
#include "codec/szip/szip.hpp"

#include <libaec.h>
#include <cstring>
#include <memory>
#include <new>

#include "codec/codec_functions.hpp"
#include "codec/failures.hpp"
#include "codec/szip/szip_offsets.hpp"
#include "runtime/loaded_library.hpp"

namespace tgmap::codec {

#define TGMAP_AEC_FUNCTIONS(F) \
  F(aec_decode)                \
  F(aec_decode_end)            \
  F(aec_decode_init)           \
  F(aec_encode)                \
  F(aec_encode_end)            \
  F(aec_encode_init)

#ifdef TGMAP_LOADS_AEC
TGMAP_LOADED_LIBRARY(aec_library, TGMAP_LOADS_AEC, TGMAP_AEC_FUNCTIONS);
#else
TGMAP_LINKED_LIBRARY(aec_library, TGMAP_AEC_FUNCTIONS);
#endif

/// Returns the library, which must be present: only codecs whose library is present are called.
inline const aec_library& aec() noexcept { return *aec_library::get(); }

namespace {

static_assert(szip_signed == AEC_DATA_SIGNED && szip_3_bytes == AEC_DATA_3BYTE &&
              szip_preprocess == AEC_DATA_PREPROCESS && szip_msb == AEC_DATA_MSB && szip_restricted == AEC_RESTRICTED &&
              szip_pad_rsi == AEC_PAD_RSI && szip_not_enforce == AEC_NOT_ENFORCE);

}  // namespace

static void set_szip_parameters(aec_stream& stream, const szip_parameters& with) noexcept {
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

// szip (§7.4): CCSDS 121 by libaec. The stream has no header, size or end mark.

namespace {

/// libaec misreads padded intervals, of most streams that it wrote itself: the output has the right size but wrong
/// values. It is right if it encodes to the stored bytes again.
failure check_padded(const compressed_payload& payload, std::span<const std::byte> out) noexcept {
  const std::size_t capacity = payload.bytes.size() + 1;  // detects a longer stream
  const std::unique_ptr<unsigned char[]> again(new (std::nothrow) unsigned char[capacity]);
  aec_stream stream{};
  set_szip_parameters(stream, payload.parameters.szip);
  if (!again || aec().aec_encode_init(&stream) != AEC_OK) return no_memory(capacity);
  stream.next_in = reinterpret_cast<const unsigned char*>(out.data());
  stream.avail_in = out.size();
  stream.next_out = again.get();
  stream.avail_out = capacity;
  const int status = aec().aec_encode(&stream, AEC_FLUSH);
  const std::size_t size = capacity - stream.avail_out;
  aec().aec_encode_end(&stream);
  const bool same =
      status == AEC_OK && size == payload.bytes.size() && std::memcmp(again.get(), payload.bytes.data(), size) == 0;
  return same ? failure{} : codec_failed();
}

}  // namespace

failure decompress_szip(const compressed_payload& payload, std::span<std::byte> out) noexcept {
  const auto& with = payload.parameters.szip;
  // Without elements the parameters do not matter: files exist with those of a bit mask.
  if (out.empty()) return payload.bytes.empty() ? failure{} : decoded_size(0, 1);
  if (auto why = check_szip(with, out.size())) return why;

  if (auto why = decode_szip(with, payload.bytes, out)) return why;
  const bool padded = (with.flags & szip_pad_rsi) && out.size() > szip_interval(with);
  return padded ? check_padded(payload, out) : failure{};
}

bool has_szip() noexcept { return aec_library::get() != nullptr; }

std::string_view szip_version() noexcept {
#ifdef AEC_VERSION_STR
  return AEC_VERSION_STR;
#else
  return "before 1.1";  // these releases have no version macro
#endif
}

// Compression: a stream, and the offsets of its intervals.

namespace {

/// Returns the parameters that readers use: the flags of the descriptor and those implied by the samples.
szip_parameters szip_parameters_of(const compression_input& input) noexcept {
  const auto& with = input.how->szip;
  szip_parameters out{.rsi = with.rsi, .block_size = with.block_size, .flags = with.flags, .bits = input.sample_bits};
  if (input.packed) out.flags |= szip_msb;
  if (out.bits > 16 && out.bits <= 24) out.flags |= szip_3_bytes;
  out.sample_size = szip_sample_size(out.bits, out.flags);
  return out;
}

/// Returns an upper bound of the stream. Incompressible blocks are stored uncompressed after an identifier of less than
/// a byte; the last block is padded.
std::uint64_t max_szip_size(const szip_parameters& with, std::uint64_t bytes) noexcept {
  const std::uint64_t block = std::uint64_t{with.block_size} * with.sample_size;
  constexpr std::uint64_t room_to_work = 64;
  return bytes + bytes / block + 2 * block + room_to_work;
}

failure encode_szip(const szip_parameters& with, std::span<const std::byte> from, std::span<std::byte> to,
                    std::size_t& size) noexcept {
  aec_stream stream{};
  set_szip_parameters(stream, with);
  if (const int status = aec().aec_encode_init(&stream); status != AEC_OK)
    return status == AEC_MEM_ERROR ? no_memory() : codec_failed(status);
  stream.next_in = reinterpret_cast<const unsigned char*>(from.data());
  stream.avail_in = from.size();
  stream.next_out = reinterpret_cast<unsigned char*>(to.data());
  stream.avail_out = to.size();
  const int status = aec().aec_encode(&stream, AEC_FLUSH);
  const int ended = aec().aec_encode_end(&stream);  // fails if there was no room for the last bits
  if (status != AEC_OK || ended != AEC_OK) return codec_failed(status != AEC_OK ? status : ended);
  size = to.size() - stream.avail_out;
  return {};
}

}  // namespace

failure compress_szip(const compression_input& input, core::scratch& memory, compression_output& out) noexcept try {
  out.bytes = {};
  out.block_offsets.clear();
  if (input.bytes.empty()) return {};
  const auto with = szip_parameters_of(input);
  failure why = check_szip(with, input.bytes.size());
  if (why) return why;
  const auto to = memory.take(max_szip_size(with, input.bytes.size()), why);
  std::size_t size = 0;
  if (!why) why = encode_szip(with, input.bytes, to, size);
  if (why) return why;
  out.block_offsets.resize((input.bytes.size() - 1) / static_cast<std::size_t>(szip_interval(with)) + 1);
  if (!find_szip_offsets(with, to.first(size), out.block_offsets)) return codec_failed();
  out.bytes = to.first(size);
  return {};
} catch (const std::bad_alloc&) {
  return no_memory();
}

}  // namespace tgmap::codec
