// SPDX-License-Identifier: Apache-2.0
#include "convert/inflate.hpp"

#include <algorithm>
#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#include <cstring>

namespace tgmap::convert {

namespace {

/// Bytes as Boost.Iostreams takes them, without a buffer between.
class packed_source {
 public:
  using char_type = char;
  using category = boost::iostreams::source_tag;

  explicit packed_source(std::span<const std::byte> bytes) : rest_(bytes) {}

  std::streamsize read(char* to, std::streamsize most) {
    if (rest_.empty()) return -1;
    const std::size_t count = std::min(rest_.size(), static_cast<std::size_t>(most));
    std::memcpy(to, rest_.data(), count);
    rest_ = rest_.subspan(count);
    return static_cast<std::streamsize>(count);
  }

 private:
  std::span<const std::byte> rest_;
};

}  // namespace

bool can_inflate_to(std::uint64_t packed, std::uint64_t size) noexcept {
  constexpr std::uint64_t most = 1032;  // bytes out of one: 258 by two bits
  return size / most <= packed;
}

bool inflate(std::span<const std::byte> packed, std::span<std::byte> out) {
  namespace streams = boost::iostreams;
  streams::zlib_params raw;
  raw.noheader = true;
  streams::zlib_decompressor filter(raw);
  packed_source source(packed);
  const auto next = [&](char* to, std::size_t most) {
    return filter.read(source, to, static_cast<std::streamsize>(most));
  };
  try {
    std::size_t done = 0;
    while (done < out.size()) {
      const auto count = next(reinterpret_cast<char*>(out.data()) + done, out.size() - done);
      if (count <= 0) return false;
      done += static_cast<std::size_t>(count);
    }
    char beyond = 0;
    return next(&beyond, 1) <= 0;
  } catch (const streams::zlib_error&) {
    return false;
  }
}

}  // namespace tgmap::convert
