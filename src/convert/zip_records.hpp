// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tgmap::convert {

/// An entry of a ZIP archive's directory, checked against nothing but the directory.
struct zip_entry {
  std::string name{};
  std::uint16_t flags = 0, method = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed = 0, size = 0;  ///< bytes in the archive, and of the file
  std::uint64_t header = 0;            ///< offset of the member's own header
};

/// The directory of an archive: every entry, and where the first record behind the members begins.
struct zip_directory {
  std::vector<zip_entry> entries;
  std::uint64_t begin = 0;
};

/// Finds the directory from the end of the archive and reads it. Throws refusal.
zip_directory read_zip_directory(std::span<const std::byte> archive);

/// The bytes of a member behind its own header, which must agree with the directory. Throws refusal.
std::span<const std::byte> find_zip_member(std::span<const std::byte> archive, const zip_directory&, const zip_entry&);

}  // namespace tgmap::convert
