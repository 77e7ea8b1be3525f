// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <thread>

#include "io/file.hpp"
#include "patterned.hpp"

namespace tgmap_test {

/// An open file with patterned bytes.
struct patterned_file {
  explicit patterned_file(std::size_t size) : data(patterned(size)) {}
  bytes data;
  temporary_directory temporary{};
  std::filesystem::path path = temporary.file("f", data);
  tgmap::io::file file = opened(path);
};

/// Returns the kind of a file and checks its size.
inline tgmap::io::file_kind kind_of(const tgmap::io::file& f, std::uint64_t expected_size = 0) {
  tgmap::io::file_kind kind{};
  std::uint64_t size = 12345;
  TGMAP_SUCCEEDED(f.stat(kind, size));
  BOOST_REQUIRE(size == expected_size);
  return kind;
}

/// Returns bytes of a file, which must be there.
inline bytes bytes_of(const tgmap::io::file& f, std::uint64_t at, std::size_t size) {
  bytes out(size, '?');
  TGMAP_SUCCEEDED(f.read(at, std::as_writable_bytes(std::span(out))));
  return out;
}

/// Writes all of `data`, which must outlive it, in pieces of at most `piece` bytes; then closes the descriptor.
inline std::jthread fed(int descriptor, const bytes& data, std::size_t piece) {
  return std::jthread([descriptor, &data, piece] {
    const tgmap::io::file file(descriptor);
    for (std::size_t done = 0; done < data.size();) {
      const auto n = ::write(file.descriptor(), data.data() + done, std::min(data.size() - done, piece));
      if (n <= 0) return;
      done += static_cast<std::size_t>(n);
    }
  });
}

}  // namespace tgmap_test
