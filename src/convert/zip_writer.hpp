// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "convert/conversion.hpp"

namespace tgmap::convert {

/// A `zip_writer` writes a ZIP archive of stored members (APPNOTE 6.3.3, method 0) from front to back, as NumPy's .npz
/// files are. It uses 64-bit records if sizes, offsets or the number of members need them. Names are unique. Those
/// that are UTF-8 beyond ASCII are marked as such; other bytes are written as they are.
///
/// Libraries do not fit: libzip reads all members when the archive is closed, so they would have to be kept or decoded
/// one by one; minizip seeks back in the file to fill in sizes that are known beforehand here.
class zip_writer {
 public:
  explicit zip_writer(write_function write) : to_(std::move(write)) {}

  /// Begins a member. Exactly `size` bytes must follow through `write`.
  void begin(std::string name, std::uint64_t size, std::uint32_t crc);
  void write(std::span<const std::byte> piece) { put(piece); }

  /// Writes the directory, which completes the archive.
  void finish();

 private:
  struct member {
    std::string name;
    std::uint64_t size, offset;
    std::uint32_t crc;
  };
  class record;

  void put(std::span<const std::byte>);
  void put(const record&);

  write_function to_;
  std::uint64_t written_ = 0;  ///< bytes so far
  std::vector<member> members_{};
};

}  // namespace tgmap::convert
