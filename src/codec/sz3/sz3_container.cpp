// SPDX-License-Identifier: Apache-2.0
#include "codec/sz3/sz3_container.hpp"

#include <limits>

#include "codec/failures.hpp"
#include "codec/little_endian.hpp"

namespace tgmap::codec {

namespace {

constexpr std::uint32_t sz3_magic = 0xF342F310, sz3_data_version = 0x03030200;  // 3.3.2

// The numbers that SZ3 uses. Tensogram writers never select the other algorithms.
constexpr std::uint8_t algorithm_lorenzo = 0, algorithm_interpolation = 2, algorithm_lossless = 4;
constexpr std::uint8_t bound_absolute = 0;  // SZ3 converts all other bounds to this one
constexpr std::uint8_t type_double = 1;
// Flags: the predictors that a block may use, and parts that are compressed separately.
constexpr std::uint8_t flag_lorenzo = 0x80, flag_lorenzo_2 = 0x40, flag_regressions = 0x30, flag_parts = 0x08;

/// Maximum content for one element: its value (8 bytes), two nodes of the tree of codes (26), its code (8), and a share
/// of the predictor of its block.
constexpr std::uint64_t max_bytes_per_element = 64, max_fixed_bytes = 4096;

struct sz3_config {
  std::uint64_t elements = 0;
  std::uint8_t algorithm = 0, flags = 0;
  std::int32_t block_size = 0;
};

/// Reads the length of a dimension, which is preceded by its number of bits. Returns 0 for more than 64 bits.
std::uint64_t take_length(little_endian_reader& reader) noexcept {
  const auto bits = reader.take<std::uint8_t>();
  std::uint64_t out = 0;
  for (unsigned at = 0; at < bits && at < 64; at += 8) out |= std::uint64_t{reader.take<std::uint8_t>()} << at;
  return bits > 64 ? 0 : out;
}

bool read_config(std::span<const std::byte> bytes, sz3_config& to) noexcept {
  little_endian_reader reader(bytes);
  const auto size = reader.take<std::uint8_t>(), dimensions = reader.take<std::uint8_t>();
  const std::uint64_t length = take_length(reader);
  to.elements = reader.take<std::uint64_t>();
  to.algorithm = reader.take<std::uint8_t>();
  const auto bound_mode = reader.take<std::uint8_t>();
  reader.take<double>();  // error bound; decoding uses its copy in the content
  to.flags = reader.take<std::uint8_t>();
  const auto type = reader.take<std::uint8_t>();
  reader.take<std::int32_t>();  // number of bins; also repeated in the content
  to.block_size = reader.take<std::int32_t>();
  reader.take<std::uint8_t>();  // ignored by SZ3
  return !reader.failed() && reader.left().empty() && size == bytes.size() && dimensions == 1 &&
         length == to.elements && bound_mode == bound_absolute && type == type_double && !(to.flags & flag_parts);
}

bool read_method(const sz3_config& config, sz3_container& container) noexcept {
  switch (config.algorithm) {
    case algorithm_interpolation: container.method = sz3_method::interpolation; return true;
    case algorithm_lossless: container.method = sz3_method::lossless; return true;
    case algorithm_lorenzo:
      container.method = sz3_method::lorenzo;
      container.block_size = static_cast<std::size_t>(config.block_size);
      return config.block_size > 0 &&
             (config.flags & (flag_lorenzo | flag_lorenzo_2 | flag_regressions)) == (flag_lorenzo | flag_lorenzo_2);
    default: return false;
  }
}

}  // namespace

failure read_sz3_container(std::span<const std::byte> bytes, std::uint64_t out, sz3_container& container) noexcept {
  little_endian_reader reader(bytes);
  const auto magic = reader.take<std::uint32_t>(), version = reader.take<std::uint32_t>();
  little_endian_reader payload(reader.take_bytes(reader.take<std::uint64_t>()));
  sz3_config config;
  if (reader.failed() || magic != sz3_magic || version != sz3_data_version || !read_config(reader.left(), config) ||
      !read_method(config, container))
    return codec_failed();

  constexpr std::uint64_t max_elements = std::numeric_limits<std::uint64_t>::max() / sizeof(double);
  if (config.elements > max_elements) return codec_failed();
  if (config.elements * sizeof(double) != out) return decoded_size(out, config.elements * sizeof(double));
  container.content_size = payload.take<std::uint64_t>();
  container.content = payload.left();
  if (payload.failed()) return codec_failed();
  if (container.method == sz3_method::lossless)
    return container.content_size == out ? failure{} : decoded_size(out, container.content_size);
  return container.content_size / max_bytes_per_element <= config.elements + max_fixed_bytes / max_bytes_per_element
             ? failure{}
             : codec_failed();
}

}  // namespace tgmap::codec
