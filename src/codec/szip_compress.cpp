// SPDX-License-Identifier: Apache-2.0
// szip (§7.4), the way out: a stream without header, size and end, and the places where its intervals begin.

#include <new>

#include "codec/aec_library.hpp"
#include "codec/compressions.hpp"
#include "codec/failures.hpp"
#include "codec/szip_flags.hpp"
#include "codec/szip_offsets.hpp"
#include "codec/szip_stream.hpp"

namespace tgmap::codec {

namespace {

/// As readers take them: the flags in effect are those of the descriptor, and what follows from the samples.
szip_parameters szip_parameters_of(const uncompressed& from) noexcept {
  const auto& with = from.how->szip;
  szip_parameters out{.rsi = with.rsi, .block_size = with.block_size, .flags = with.flags, .bits = from.sample_bits};
  if (from.packed) out.flags |= szip_msb;
  if (out.bits > 16 && out.bits <= 24) out.flags |= szip_3_bytes;
  out.sample_size = szip_sample_size(out.bits, out.flags);
  return out;
}

/// Blocks that do not become smaller are stored as they are, behind less than a byte that tells so; the last one is
/// filled up to its full size.
std::uint64_t most_szip_bytes(const szip_parameters& with, std::uint64_t bytes) noexcept {
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
  const int ended = aec().aec_encode_end(&stream);  // tells whether room was left for the last bits
  if (status != AEC_OK || ended != AEC_OK) return codec_failed(status != AEC_OK ? status : ended);
  size = to.size() - stream.avail_out;
  return {};
}

}  // namespace

failure compress_szip(const uncompressed& from, core::scratch& memory, compressed& out) noexcept try {
  out.bytes = {};
  out.block_offsets.clear();
  if (from.bytes.empty()) return {};
  const auto with = szip_parameters_of(from);
  failure why = check_szip(with, from.bytes.size());
  if (why) return why;
  const auto to = memory.take(most_szip_bytes(with, from.bytes.size()), why);
  std::size_t size = 0;
  if (!why) why = encode_szip(with, from.bytes, to, size);
  if (why) return why;
  out.block_offsets.resize((from.bytes.size() - 1) / static_cast<std::size_t>(szip_interval(with)) + 1);
  if (!find_szip_intervals(with, to.first(size), out.block_offsets)) return codec_failed();
  out.bytes = to.first(size);
  return {};
} catch (const std::bad_alloc&) {
  return no_memory();
}

}  // namespace tgmap::codec
