// SPDX-License-Identifier: Apache-2.0
#include "codec/sz3/sz3_container.hpp"

#include <limits>

#include "codec/failures.hpp"
#include "codec/little_endian.hpp"

namespace tgmap::codec {

namespace {

constexpr std::uint32_t sz3_magic = 0xF342F310, sz3_data_version = 0x03030200;  // 3.3.2

// As SZ3 numbers them; those left out are asked for by no Tensogram writer.
constexpr std::uint8_t algorithm_lorenzo = 0, algorithm_interpolation = 2, algorithm_lossless = 4;
constexpr std::uint8_t bound_absolute = 0;  // every other bound is made one before it is stored
constexpr std::uint8_t type_double = 1;
// Which predictors blocks choose from, and whether parts were compressed by themselves.
constexpr std::uint8_t flag_lorenzo = 0x80, flag_lorenzo_2 = 0x40, flag_regressions = 0x30, flag_parts = 0x08;

/// Content that an element can come to: its value (8 bytes), two nodes of the tree of codes (26), its code (8), and a
/// share of which predictor its block takes.
constexpr std::uint64_t most_for_an_element = 64, most_for_all = 4096;

struct sz3_config {
  std::uint64_t elements = 0;
  std::uint8_t algorithm = 0, flags = 0;
  std::int32_t block_size = 0;
};

/// One dimension, whose length takes as many bits as it needs.
std::uint64_t take_dimension(little_endian_reader& from) noexcept {
  const auto bits = from.take<std::uint8_t>();
  std::uint64_t out = 0;
  for (unsigned at = 0; at < bits && at < 64; at += 8) out |= std::uint64_t{from.take<std::uint8_t>()} << at;
  return bits > 64 ? 0 : out;
}

bool read_config(std::span<const std::byte> bytes, sz3_config& to) noexcept {
  little_endian_reader from(bytes);
  const auto size = from.take<std::uint8_t>(), dimensions = from.take<std::uint8_t>();
  const std::uint64_t length = take_dimension(from);
  to.elements = from.take<std::uint64_t>();
  to.algorithm = from.take<std::uint8_t>();
  const auto bound_mode = from.take<std::uint8_t>();
  from.take<double>();  // the bound, which is stored again where it matters
  to.flags = from.take<std::uint8_t>();
  const auto type = from.take<std::uint8_t>();
  from.take<std::int32_t>();  // bins, stored again too
  to.block_size = from.take<std::int32_t>();
  from.take<std::uint8_t>();  // of no use to SZ3 either
  return !from.failed() && from.left().empty() && size == bytes.size() && dimensions == 1 && length == to.elements &&
         bound_mode == bound_absolute && type == type_double && !(to.flags & flag_parts);
}

bool read_method(const sz3_config& config, sz3_container& to) noexcept {
  switch (config.algorithm) {
    case algorithm_interpolation: to.method = sz3_method::interpolation; return true;
    case algorithm_lossless: to.method = sz3_method::lossless; return true;
    case algorithm_lorenzo:
      to.method = sz3_method::lorenzo;
      to.block_size = static_cast<std::size_t>(config.block_size);
      return config.block_size > 0 &&
             (config.flags & (flag_lorenzo | flag_lorenzo_2 | flag_regressions)) == (flag_lorenzo | flag_lorenzo_2);
    default: return false;
  }
}

}  // namespace

failure read_sz3_container(std::span<const std::byte> bytes, std::uint64_t out, sz3_container& to) noexcept {
  little_endian_reader from(bytes);
  const auto magic = from.take<std::uint32_t>(), version = from.take<std::uint32_t>();
  little_endian_reader payload(from.take_bytes(from.take<std::uint64_t>()));
  sz3_config config;
  if (from.failed() || magic != sz3_magic || version != sz3_data_version || !read_config(from.left(), config) ||
      !read_method(config, to))
    return codec_failed();

  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / sizeof(double);
  if (config.elements > most) return codec_failed();
  if (config.elements * sizeof(double) != out) return decoded_size(out, config.elements * sizeof(double));
  to.content_size = payload.take<std::uint64_t>();
  to.content = payload.left();
  if (payload.failed()) return codec_failed();
  if (to.method == sz3_method::lossless) return to.content_size == out ? failure{} : decoded_size(out, to.content_size);
  return to.content_size / most_for_an_element <= config.elements + most_for_all / most_for_an_element ? failure{}
                                                                                                       : codec_failed();
}

}  // namespace tgmap::codec
