// SPDX-License-Identifier: Apache-2.0
// Reads the status of a file, and compares files. POSIX.
#pragma once

#include <cstdint>
#include <tgmap/detail/output_file.hpp>

namespace tgmap::io {

using detail::file_identity;
using detail::file_status;

/// Which parts of a file_status are needed. A file system may have to ask a server, and the kernel to step its clock,
/// for times that nobody looks at.
enum class status_part : std::uint8_t { everything, number_and_size };

/// Reads the status of an open file. Returns false and sets errno on failure.
bool read_status(int descriptor, file_status&, status_part = status_part::everything) noexcept;

/// Reads the status of a name in an open folder, or in the working folder with AT_FDCWD. Returns false and sets errno
/// on failure.
bool read_status(int folder, const char* name, bool follow_link, file_status&,
                 status_part = status_part::everything) noexcept;

/// Returns whether a name leads to the file of a descriptor, after their statuses were read.
///
/// On some file systems (FUSE, networks) the numbers of files change from call to call. There, files of the same size
/// and time with the same first and last bytes count as the same. A descriptor that cannot be read is compared by size
/// and time alone.
bool is_named(int descriptor, const file_status& of_descriptor, int folder, const char* name,
              const file_status& of_name) noexcept;

}  // namespace tgmap::io
