// SPDX-License-Identifier: Apache-2.0
// Builds frames of version 3, with hashes, and their CBOR in shortest form. Independent of the library under test.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tgmap_bench {

constexpr std::uint64_t preamble_size = 24, postamble_size = 24, frame_header_size = 16, frame_tail_size = 12,
                        object_tail_size = 20;

enum frame_number : unsigned {
  header_metadata_frame = 1,
  header_index_frame = 2,
  footer_index_frame = 6,
  footer_metadata_frame = 7,
  object_frame = 9,
};

constexpr std::uint64_t padded(std::uint64_t length) { return (length + 7) / 8 * 8; }

std::string big_endian(std::uint64_t number, unsigned bytes);

std::string cbor_number(std::uint64_t value);
std::string cbor_signed(std::int64_t value);
std::string cbor_double(double value);
std::string cbor_text(std::string_view value);
std::string cbor_numbers(std::span<const std::uint64_t> values);
std::string cbor_array(std::uint64_t items, const std::string& contents);
std::string cbor_map(std::uint64_t pairs, const std::string& contents);

/// Returns a frame with CBOR as its body, including padding.
std::string cbor_frame(frame_number type, const std::string& body);

/// Replaces `out` by the frame of a data object, including padding: payload first, then its descriptor.
void write_object_frame(std::string& out, std::span<const std::byte> payload, const std::string& descriptor);

constexpr std::uint64_t object_frame_length(std::uint64_t payload, std::uint64_t descriptor) {
  return frame_header_size + payload + descriptor + object_tail_size;
}

}  // namespace tgmap_bench
