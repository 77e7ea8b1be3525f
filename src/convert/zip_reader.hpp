// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tgmap::convert {

/// One file in a ZIP archive, as the archive's directory tells of it.
struct zip_member {
  std::string name{};                   ///< any bytes, at least one; each is there once
  std::uint64_t size = 0;               ///< of the file
  std::uint32_t crc = 0;                ///< of the file
  bool deflated = false;                ///< else stored
  std::span<const std::byte> packed{};  ///< as it lies in the archive
};

/// What a member holds: where it lies, or memory of its own.
struct zip_contents {
  std::span<const std::byte> bytes{};
  std::unique_ptr<std::byte[]> own{};
};

/// Reads ZIP archives in memory (APPNOTE 6.3.3, with 64-bit records), as NumPy's .npz files are: the inverse of
/// zip_writer. Borrows the archive.
///
/// Everything is checked against the archive, and what could be read in two ways is refused: members that share bytes,
/// two of one name, one that its own header names differently, a directory that does not end where it should; so is
/// what is no plain member: encryption, several disks, methods other than stored and deflated, folders.
class zip_reader {
 public:
  /// Reads the directory and the header of each member. O(members log members). Throws refusal.
  explicit zip_reader(std::span<const std::byte> archive);

  std::span<const zip_member> members() const noexcept { return members_; }

  /// The file in a member: of a stored one the bytes in the archive, of a deflated one memory of just its size, which
  /// is taken only after that has been found possible and at most `limit`. Its CRC-32 is checked. O(size). Throws
  /// refusal.
  zip_contents read(const zip_member&, std::uint64_t limit) const;

 private:
  std::vector<zip_member> members_{};
};

}  // namespace tgmap::convert
