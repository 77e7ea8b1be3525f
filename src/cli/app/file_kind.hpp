// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/archive.hpp>
#include <vector>

namespace tgmap::cli {

/// A `file_kind` is a format other than the one that a verb expects, known by the first bytes of a file.
struct file_kind {
  std::string_view name;         ///< "a NumPy file (.npy)"
  std::string_view next_step;    ///< how to make an archive of it; one clause
  bool takes_arrays = false;     ///< the next step is `tgmap create`, or there is none for arrays
  bool may_be_constant = false;  ///< tensor constants are files of this kind, too
  bool is_frame = false;         ///< a frame of a ZIO message
};

/// Number of bytes that are enough to find the kind of a file.
inline constexpr std::size_t file_kind_bytes = 512;

/// Returns the first bytes of a file; nothing if it cannot be read.
std::vector<std::byte> read_first_bytes(const std::string& file);

/// Returns true if the bytes begin as an archive does.
bool begins_as_archive(std::span<const std::byte> first);

/// Returns the kind of a file by its first bytes; null if it begins as an archive or in no known way.
const file_kind* find_file_kind(std::span<const std::byte> first);

/// Returns the kind of a file that was opened as an archive but is not one: it begins like another kind of file and
/// contains no message. Returns null for archives, damaged ones too, and for files of unknown kinds. Errors: throws
/// tgmap::error. Complexity: scans up to the first message.
const file_kind* find_other_kind(const archive&);

/// Throws cli_error for such a file: "is not a Tensogram archive: a NumPy file (.npy)", with the next step.
void require_archive(const archive&);

}  // namespace tgmap::cli
