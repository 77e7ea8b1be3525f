// SPDX-License-Identifier: Apache-2.0
#include "support/frame_writer.hpp"

#include <xxhash.h>

#include <bit>
#include <cstring>

namespace tgmap_bench {

namespace {

std::string head(unsigned major, std::uint64_t argument) {
  const auto first = [&](unsigned low) { return std::string(1, static_cast<char>(major << 5 | low)); };
  if (argument < 24) return first(static_cast<unsigned>(argument));
  if (argument <= 0xff) return first(24) + big_endian(argument, 1);
  if (argument <= 0xffff) return first(25) + big_endian(argument, 2);
  if (argument <= 0xffffffff) return first(26) + big_endian(argument, 4);
  return first(27) + big_endian(argument, 8);
}

std::string frame_header(unsigned type, unsigned flags, std::uint64_t length) {
  return "FR" + big_endian(type, 2) + big_endian(1, 2) + big_endian(flags, 2) + big_endian(length, 8);
}

}  // namespace

std::string big_endian(std::uint64_t number, unsigned bytes) {
  std::string out;
  for (unsigned i = bytes; i-- > 0;) out += static_cast<char>(number >> (8 * i) & 0xff);
  return out;
}

std::string cbor_number(std::uint64_t value) { return head(0, value); }
std::string cbor_signed(std::int64_t value) {
  return value < 0 ? head(1, static_cast<std::uint64_t>(-1 - value)) : cbor_number(static_cast<std::uint64_t>(value));
}
std::string cbor_double(double value) { return "\xfb" + big_endian(std::bit_cast<std::uint64_t>(value), 8); }
std::string cbor_text(std::string_view value) { return head(3, value.size()) + std::string(value); }
std::string cbor_numbers(std::span<const std::uint64_t> values) {
  std::string out = head(4, values.size());
  for (const std::uint64_t value : values) out += cbor_number(value);
  return out;
}
std::string cbor_array(std::uint64_t items, const std::string& contents) { return head(4, items) + contents; }
std::string cbor_map(std::uint64_t pairs, const std::string& contents) { return head(5, pairs) + contents; }

std::string cbor_frame(frame_number type, const std::string& body) {
  std::string out = frame_header(type, 2, frame_header_size + body.size() + frame_tail_size) + body;
  out += big_endian(XXH3_64bits(body.data(), body.size()), 8) + "ENDF";
  out.resize(padded(out.size()), '\0');
  return out;
}

void write_object_frame(std::string& out, std::span<const std::byte> payload, const std::string& descriptor) {
  const std::uint64_t length = object_frame_length(payload.size(), descriptor.size());
  const std::uint64_t body = payload.size() + descriptor.size();
  out = frame_header(object_frame, 3, length);
  out.reserve(padded(length));
  out.resize(frame_header_size + payload.size());
  std::memcpy(out.data() + frame_header_size, payload.data(), payload.size());
  out += descriptor;
  const std::uint64_t digest = XXH3_64bits(out.data() + frame_header_size, body);
  out += big_endian(frame_header_size + payload.size(), 8) + big_endian(digest, 8) + "ENDF";
  out.resize(padded(length), '\0');
}

}  // namespace tgmap_bench
