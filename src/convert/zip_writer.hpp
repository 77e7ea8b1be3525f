// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "convert/sink.hpp"

namespace tgmap::convert {

/// A ZIP archive of stored members (APPNOTE 6.3.3, method 0), written front to back: what NumPy's .npz files are.
/// 64-bit records where sizes, places or the number of members need them. Names are ASCII, and each is there once.
///
/// Of our own, because the libraries for it do not fit: libzip fetches all members when it is closed, when they would
/// have to be held, or decoded one by one; minizip seeks back in the file to fill in what is known beforehand here.
class zip_writer {
 public:
  explicit zip_writer(sink to) : to_(std::move(to)) {}

  /// Begins a member, whose bytes follow by `write`, exactly `size` of them.
  void begin(std::string name, std::uint64_t size, std::uint32_t crc);
  void write(std::span<const std::byte> piece) { put(piece); }

  /// Writes the directory of all members; the archive is then complete.
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

  sink to_;
  std::uint64_t at_ = 0;  ///< bytes written
  std::vector<member> members_{};
};

}  // namespace tgmap::convert
