// SPDX-License-Identifier: Apache-2.0
#include "convert/npy.hpp"

#include <array>
#include <cstddef>

namespace tgmap::convert {

namespace {

std::string tuple(std::span<const std::uint64_t> shape) {
  std::string out = "(";
  for (std::size_t d = 0; d < shape.size(); ++d) out += (d == 0 ? "" : ", ") + std::to_string(shape[d]);
  return out + (shape.size() == 1 ? ",)" : ")");
}

std::string little_endian(std::size_t number, std::size_t bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i) & 0xff);
  return out;
}

}  // namespace

std::string_view npy_descr(dtype type) noexcept {
  constexpr std::array<std::string_view, dtype_count> names{"<f2", "<V2", "<f4", "<f8", "<c8", "<c16", "|i1", "<i2",
                                                            "<i4", "<i8", "|u1", "<u2", "<u4", "<u8",  "|u1"};
  return names[static_cast<std::size_t>(type)];
}

std::string npy_header(dtype type, std::span<const std::uint64_t> shape, bool fortran_order) {
  std::string text = "{'descr': '";
  text += npy_descr(type);
  text += "', 'fortran_order': ";
  text += fortran_order ? "True" : "False";
  text += ", 'shape': " + tuple(shape) + ", }";

  constexpr std::size_t fixed = 8, alignment = 64;  // magic and version; what NumPy pads to
  const auto padded = [&](std::size_t length_bytes) {
    const std::size_t end = fixed + length_bytes + text.size() + 1;
    return (end + alignment - 1) / alignment * alignment - fixed - length_bytes;
  };
  const bool short_enough = padded(2) <= 0xffff;
  const std::size_t length_bytes = short_enough ? 2 : 4;
  const std::size_t length = padded(length_bytes);
  text.resize(length - 1, ' ');

  std::string out = "\x93NUMPY";
  out += short_enough ? '\x01' : '\x02';
  out += '\x00';
  return out + little_endian(length, length_bytes) + text + '\n';
}

}  // namespace tgmap::convert
