// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tgmap_test {

/// Bytes of a file. A string, because tests cut, join and search them.
using bytes = std::string;

inline std::span<const std::byte> span_of(std::string_view data) {
  return {reinterpret_cast<const std::byte*>(data.data()), data.size()};
}

inline std::string_view view_of(std::span<const std::byte> data) {
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

/// Returns `n` as `width` big-endian bytes, the byte order of frames.
inline bytes big_endian(std::uint64_t n, unsigned width) {
  bytes out(width, '\0');
  for (unsigned i = 0; i < width; ++i) out[width - 1 - i] = static_cast<char>(n >> (8 * i));
  return out;
}

inline void put(bytes& data, std::size_t at, std::uint64_t n, unsigned width) {
  data.replace(at, width, big_endian(n, width));
}
inline void put_u64(bytes& data, std::size_t at, std::uint64_t n) { put(data, at, n, 8); }
inline void put_u16(bytes& data, std::size_t at, std::uint16_t n) { put(data, at, n, 2); }

inline std::uint64_t get(std::string_view data, std::size_t at, unsigned width) {
  std::uint64_t n = 0;
  for (unsigned i = 0; i < width; ++i) n = n << 8 | static_cast<unsigned char>(data.at(at + i));
  return n;
}
inline std::uint64_t get_u64(std::string_view data, std::size_t at) { return get(data, at, 8); }

/// Returns the object representation of numbers, in native byte order.
template <class T>
bytes native(std::initializer_list<T> values) {
  return bytes(reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T));
}

}  // namespace tgmap_test
