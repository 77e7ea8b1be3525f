// SPDX-License-Identifier: Apache-2.0
#include "cli/sample_message.hpp"

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tgmap::cli {

namespace {

constexpr std::uint64_t metadata_digest = 0x2b98bb92609bd6f8, object_digest = 0x724b4d5b2b51066f;
constexpr std::size_t preamble_size = 24, postamble_size = 24;

std::string big_endian(std::uint64_t number, unsigned bytes) {
  std::string out;
  for (unsigned i = bytes; i-- > 0;) out += static_cast<char>(number >> (8 * i) & 0xff);
  return out;
}

/// Short text in CBOR.
std::string text(std::string_view value) { return static_cast<char>(0x60 + value.size()) + std::string(value); }

std::string payload() {
  std::string out;
  for (const float value : sample_values) {
    const std::string bytes = big_endian(std::bit_cast<std::uint32_t>(value), 4);
    out.append(bytes.rbegin(), bytes.rend());
  }
  return out;
}

std::string sample_descriptor() {
  const char number_1 = '\x01', map_of_9 = '\xa9';
  const std::string list_of_4 = "\x81\x04", list_of_1 = "\x81\x01";
  return map_of_9 + text("ndim") + number_1 + text("type") + text("ntensor") + text("dtype") + text("float32") +
         text("shape") + list_of_4 + text("filter") + text("none") + text("strides") + list_of_1 + text("encoding") +
         text("none") + text("byte_order") + text("little") + text("compression") + text("none");
}

std::string frame(unsigned type, unsigned flags, const std::string& body, const std::string& tail) {
  std::string out = "FR" + big_endian(type, 2) + big_endian(1, 2) + big_endian(flags, 2);
  out += big_endian(16 + body.size() + tail.size() + 4, 8) + body + tail + "ENDF";
  out.resize((out.size() + 7) / 8 * 8, '\0');
  return out;
}

}  // namespace

std::vector<std::byte> sample_message() {
  const std::string values = payload(), empty_map = "\xa0";
  const std::string frames =
      frame(1, 2, empty_map, big_endian(metadata_digest, 8)) +
      frame(9, 3, values + sample_descriptor(), big_endian(16 + values.size(), 8) + big_endian(object_digest, 8));

  const std::size_t footer = preamble_size + frames.size(), length = footer + postamble_size;
  const std::string message = "TENSOGRM" + big_endian(sample_version, 2) + big_endian(0x81, 2) + big_endian(0, 4) +
                              big_endian(length, 8) + frames + big_endian(footer, 8) + big_endian(length, 8) +
                              "39277777";
  const auto bytes = std::as_bytes(std::span(message));
  return {bytes.begin(), bytes.end()};
}

}  // namespace tgmap::cli
