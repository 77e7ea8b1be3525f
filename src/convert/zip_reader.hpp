// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tgmap::convert {

/// A `zip_member` is a file in a ZIP archive, as the directory describes it.
struct zip_member {
  std::string name{};                   ///< any bytes, at least one; unique in the archive
  std::uint64_t size = 0;               ///< of the file
  std::uint32_t crc = 0;                ///< of the file
  bool is_deflated = false;             ///< otherwise stored
  std::span<const std::byte> packed{};  ///< the bytes in the archive
};

/// The `zip_contents` of a member are bytes of the archive, or memory of their own.
struct zip_contents {
  std::span<const std::byte> bytes{};
  std::unique_ptr<std::byte[]> owned{};
};

/// A `zip_reader` reads a ZIP archive in memory (APPNOTE 6.3.3, with 64-bit records) such as NumPy's .npz files. It
/// borrows the archive.
///
/// Everything is checked against the archive. Archives that can be read in two ways are errors: members that share
/// bytes, equal names, a header that contradicts the directory, a directory that ends elsewhere. Encryption, several
/// disks and methods other than stored and deflated are errors, too.
class zip_reader {
 public:
  /// Reads the directory and the header of each member.
  /// Errors: conversion_error.
  /// Complexity: O(members log members).
  explicit zip_reader(std::span<const std::byte> archive);

  std::span<const zip_member> members() const noexcept { return members_; }

  /// Returns the file in a member, and checks its CRC-32. A stored file is not copied. A deflated file needs memory of
  /// its size, which must be at most `limit`.
  /// Errors: conversion_error.
  /// Complexity: O(size).
  zip_contents read(const zip_member&, std::uint64_t limit) const;

 private:
  std::vector<zip_member> members_{};
};

}  // namespace tgmap::convert
