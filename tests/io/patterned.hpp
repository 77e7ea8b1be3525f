// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/test/unit_test.hpp>
#include <memory>
#include <random>
#include <support/failures.hpp>
#include <support/temporary.hpp>

#include "io/source.hpp"

namespace tgmap_test {

/// Bytes in which no two ranges are equal for long.
inline bytes patterned(std::size_t size, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  bytes out(size, '\0');
  for (char& c : out) c = static_cast<char>(random());
  return out;
}

/// Checks that these are the bytes [at, at + size) of `data`.
inline bool shows(std::span<const std::byte> seen, std::string_view data, std::uint64_t at, std::size_t size) {
  return view_of(seen) == data.substr(at, size);
}

inline tgmap::io::file opened(const std::filesystem::path& path) {
  tgmap::failure why;
  auto out = tgmap::io::file::open(path, why);
  TGMAP_SUCCEEDED(why);
  BOOST_REQUIRE(static_cast<bool>(out));
  return out;
}

/// Opens a file as a source, which must succeed.
inline std::unique_ptr<tgmap::io::source> source_of(const std::filesystem::path& path,
                                                    const tgmap::open_options& options) {
  tgmap::failure why;
  auto out = tgmap::io::source::from_file(opened(path), options, why);
  TGMAP_SUCCEEDED(why);
  BOOST_REQUIRE(out != nullptr);
  return out;
}

inline std::unique_ptr<tgmap::io::source> source_of(const bytes& data, const tgmap::open_options& options = {}) {
  tgmap::failure why;
  auto out = tgmap::io::source::from_memory(span_of(data), options, why);
  TGMAP_SUCCEEDED(why);
  BOOST_REQUIRE(out != nullptr);
  return out;
}

/// Runs `body` on the same bytes mapped, read and held in memory.
template <class F>
void in_every_source(const bytes& data, F&& body) {
  const temporary_directory temporary;
  const auto path = temporary.file("bytes", data);
  BOOST_TEST_CONTEXT("mapped") { body(*source_of(path, {.io = tgmap::io_mode::map})); }
  BOOST_TEST_CONTEXT("read") { body(*source_of(path, {.io = tgmap::io_mode::read})); }
  BOOST_TEST_CONTEXT("in memory") { body(*source_of(data)); }
}

}  // namespace tgmap_test
