// SPDX-License-Identifier: Apache-2.0
// szip by libaec, with the bit offsets of all reference intervals.
#include <libaec.h>

#include <algorithm>

#include "codecs/bare_codec.hpp"
#include "support/frame_writer.hpp"

namespace tgmap_bench {

namespace {

constexpr unsigned rsi = 128, block_size = 16;

aec_stream stream_of(sample_kind kind) {
  aec_stream out{};
  out.bits_per_sample = kind.bits;
  out.block_size = block_size;
  out.rsi = rsi;
  out.flags = AEC_DATA_PREPROCESS;
  if (kind.packed) out.flags |= AEC_DATA_MSB;
  if (kind.bits > 16 && kind.bits <= 24) out.flags |= AEC_DATA_3BYTE;
  return out;
}

std::size_t interval_bytes(sample_kind kind) { return std::size_t{rsi} * block_size * kind.size; }

std::size_t encode_all(std::span<const std::byte> raw, sample_kind kind, std::span<std::byte> out) {
  aec_stream stream = stream_of(kind);
  stream.next_in = reinterpret_cast<const unsigned char*>(raw.data());
  stream.avail_in = raw.size();
  stream.next_out = reinterpret_cast<unsigned char*>(out.data());
  stream.avail_out = out.size();
  require(aec_encode_init(&stream) == AEC_OK && aec_encode(&stream, AEC_FLUSH) == AEC_OK, "aec_encode");
  aec_encode_end(&stream);
  return out.size() - stream.avail_out;
}

octets encoded(std::span<const std::byte> raw, sample_kind kind) {
  octets out(raw.size() + raw.size() / 4 + 256);
  out.resize(encode_all(raw, kind, out));
  return out;
}

bool decodes(std::span<const std::byte> from, sample_kind kind, std::span<std::byte> out) {
  aec_stream stream = stream_of(kind);
  stream.next_in = reinterpret_cast<const unsigned char*>(from.data());
  stream.avail_in = from.size();
  stream.next_out = reinterpret_cast<unsigned char*>(out.data());
  stream.avail_out = out.size();
  require(aec_decode_init(&stream) == AEC_OK, "aec_decode_init");
  const int status = aec_decode(&stream, AEC_FLUSH);
  aec_decode_end(&stream);
  return status == AEC_OK && stream.avail_out == 0;
}

void decode(std::span<const std::byte> from, sample_kind kind, std::span<std::byte> out) {
  require(decodes(from, kind, out), "aec_decode");
}

/// Returns the byte that begins at a bit.
std::byte byte_at(std::span<const std::byte> bytes, std::uint64_t bit) {
  const auto at = static_cast<std::size_t>(bit / 8);
  const unsigned next = at + 1 < bytes.size() ? std::to_integer<unsigned>(bytes[at + 1]) : 0;
  return static_cast<std::byte>((std::to_integer<unsigned>(bytes[at]) << 8 | next) >> (8 - bit % 8));
}

void append_bits(octets& to, std::uint64_t& bits, const octets& from, std::uint64_t count) {
  to.resize((bits + 8 * from.size() + 7) / 8);
  const unsigned shift = bits % 8;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::size_t at = bits / 8 + i;
    to[at] |= from[i] >> static_cast<int>(shift);
    if (shift != 0) to[at + 1] = from[i] << static_cast<int>(8 - shift);
  }
  bits += count;
  to.resize((bits + 7) / 8);
}

/// Returns the number of bits of an interval. libaec pads the last byte, or adds one, without reporting it. Both
/// intervals can only be decoded if the next one begins at the right bit.
std::uint64_t bits_of(const octets& one, const octets& next, std::span<const std::byte> raw, sample_kind kind) {
  octets out(interval_bytes(kind) + block_size * kind.size);
  for (std::uint64_t count = 8 * one.size() - 8; count <= 8 * one.size(); ++count) {
    octets both;
    std::uint64_t bits = 0;
    append_bits(both, bits, one, count);
    append_bits(both, bits, next, 8 * next.size());
    if (decodes(both, kind, out) && std::ranges::equal(out, raw.first(out.size()))) return count;
  }
  throw std::runtime_error("the end of an interval was not found");
}

/// Encodes the intervals one by one, which is possible because they are independent.
void encode(std::span<const std::byte> raw, sample_kind kind, encoded_object& out) {
  const std::size_t each = interval_bytes(kind);
  std::uint64_t bits = 0;
  for (octets one = encoded(raw.first(std::min(each, raw.size())), kind); !raw.empty();) {
    out.piece_bits.push_back(bits);
    raw = raw.subspan(std::min(each, raw.size()));
    octets next;
    std::uint64_t count = 8 * one.size();
    if (!raw.empty()) {
      next = encoded(raw.first(std::min(each, raw.size())), kind);
      count = bits_of(one, next, {raw.data() - each, each + std::min(each, raw.size())}, kind);
    }
    append_bits(out.payload, bits, one, count);
    one = std::move(next);
  }
  out.compression = "szip";
  out.parameters.insert(out.parameters.end(), {{"szip_rsi", cbor_number(rsi)},
                                               {"szip_block_size", cbor_number(block_size)},
                                               {"szip_flags", cbor_number(AEC_DATA_PREPROCESS)},
                                               {"szip_block_offsets", cbor_numbers(out.piece_bits)}});
}

bare_call decoding(compressed of, sample_kind kind) {
  return [of, kind](std::span<std::byte> out) { decode(of.bytes, kind, out); };
}

/// libaec decodes intervals that begin at a byte. The bits are moved there before the measurement.
bare_call part(compressed of, sample_kind kind, std::size_t begin, std::size_t end) {
  const auto offsets = of.piece_bits;
  const std::size_t each = interval_bytes(kind), first = begin / each, last = (end - 1) / each;
  const std::uint64_t stop = last + 1 < offsets.size() ? offsets[last + 1] : of.bytes.size() * 8;
  octets aligned;
  for (std::uint64_t bit = offsets[first]; bit < stop; bit += 8) aligned.push_back(byte_at(of.bytes, bit));
  const std::size_t size = std::min((last + 1) * each, of.decompressed) - first * each;
  return
      [aligned = std::move(aligned), size, kind](std::span<std::byte> out) { decode(aligned, kind, out.first(size)); };
}

bare_call encoding(std::span<const std::byte> raw, sample_kind kind) {
  return [=](std::span<std::byte> out) { require(encode_all(raw, kind, out) != 0, "aec_encode"); };
}

}  // namespace

const bare_codec szip_codec{"szip", "aec_decode", false, encode, decoding, part, encoding};

}  // namespace tgmap_bench
