// SPDX-License-Identifier: Apache-2.0
#include "random_constant.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <tgmap/constant/builder.hpp>
#include <vector>

namespace constant = tgmap::constant;
using tgmap::dtype;

namespace tgmap_test {

namespace {

class maker {
 public:
  maker(std::mt19937_64& random, const random_choices& choices) : random_(random), choices_(choices) {}

  constant::tensor_constant make() {
    constant::builder to(type());
    const std::size_t mapped = to.type().mapped_count();
    const std::uint64_t blocks = mapped == 0 ? 1 : below(6);
    for (std::uint64_t i = 0; i < blocks; ++i) {
      std::vector<std::string> labels(mapped);
      for (std::string& each : labels) each = label();
      const auto at = to.find_or_add(std::vector<std::string_view>(labels.begin(), labels.end()));
      const auto cells = to.cells(at.block);
      for (std::size_t n = 0; n < cells.size(); n += tgmap::element_size(to.type().cell_type()))
        put_cell(to.type().cell_type(), cells.data() + n);
    }
    return to.finish();
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

  constant::tensor_type type() {
    constexpr dtype all[] = {dtype::float64, dtype::float32, dtype::bfloat16, dtype::int8};
    std::vector<constant::dimension> dimensions;
    const std::uint64_t count = below(5);
    for (std::uint64_t i = 0; i < count; ++i)
      dimensions.push_back({.name = "xa_Z"[below(4)] + std::to_string(i * 3), .size = below(2) * (1 + below(4))});
    return constant::tensor_type::make(count == 0 ? dtype::float64 : all[below(4)], dimensions);
  }

  std::string label() {
    constexpr std::array<std::string_view, 16> parts{"a",    "b",        "\"",       "\\",           "/",
                                                     "\n",   "\x01",     " ",        "\x7f",         "null",
                                                     "1",    "\xc2\x80", "\xc3\xa9", "\xe2\x80\xae", "\xf0\x9f\x98\x80",
                                                     "cells"};
    std::string out;
    const std::uint64_t count = below(5) + (choices_.empty_labels ? 0 : 1);
    for (std::uint64_t i = 0; i < count; ++i)
      if (below(8) == 0)
        out += '\0';
      else
        out += parts[below(parts.size())];
    return out;
  }

  template <class Bits>
  void put(std::byte* to, Bits bits) {
    std::memcpy(to, &bits, sizeof bits);
  }
  void put_cell(dtype type, std::byte* to) {
    switch (type) {
      case dtype::float64: return put(to, pattern<double, std::uint64_t>());
      case dtype::float32: return put(to, pattern<float, std::uint32_t>());
      case dtype::bfloat16: {
        const auto bits = static_cast<std::uint16_t>(pattern<float, std::uint32_t>() >> 16);
        return put(to, bits);
      }
      default: return put(to, static_cast<std::uint8_t>(random_()));
    }
  }

  /// Returns any bits, or those of a special value.
  template <class Float, class Bits>
  Bits pattern() {
    using limits = std::numeric_limits<Float>;
    const Float special[] = {
        0, limits::infinity(), limits::quiet_NaN(), limits::denorm_min(), limits::min(), limits::max(),
        1, Float(0.1),         Float(16777216),     Float(1e7),           Float(1e-3)};
    auto out = static_cast<Bits>(random_());
    if (below(3) == 0) {
      out = std::bit_cast<Bits>(special[below(std::size(special))]);
      if (below(2) == 0) out ^= Bits{1} << (sizeof(Bits) * 8 - 1);
    }
    if (!choices_.any_nan && std::isnan(std::bit_cast<Float>(out)))
      out = std::bit_cast<Bits>(below(2) == 0 ? limits::quiet_NaN() : -limits::quiet_NaN());
    return out;
  }

  std::mt19937_64& random_;
  random_choices choices_;
};

}  // namespace

constant::tensor_constant random_constant(std::mt19937_64& random, const random_choices& choices) {
  return maker(random, choices).make();
}

std::string bit_difference(const constant::tensor_constant& constant, const constant::tensor_constant& other) {
  if (constant.type() != other.type()) return constant.type().text() + " and " + other.type().text();
  if (constant.blocks() != other.blocks())
    return std::to_string(constant.blocks()) + " and " + std::to_string(other.blocks()) + " blocks";
  for (std::uint64_t block = 0; block < constant.blocks(); ++block) {
    std::vector<std::string_view> labels;
    for (std::size_t i = 0; i < constant.type().mapped_count(); ++i) labels.push_back(constant.label(block, i));
    const auto there = other.find_block(labels);
    if (!there) return "no block " + std::to_string(block) + " in the other";
    const std::size_t bytes = constant.type().block_bytes();
    if (std::memcmp(constant.bytes().data() + block * bytes, other.bytes().data() + *there * bytes, bytes) != 0)
      return "other cells in block " + std::to_string(block);
  }
  return {};
}

}  // namespace tgmap_test
