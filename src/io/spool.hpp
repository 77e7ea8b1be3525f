// SPDX-License-Identifier: Apache-2.0
// Copies streams into files (Boost.Iostreams), because random access needs all bytes.
#pragma once

#include <iosfwd>
#include <tgmap/error.hpp>

#include "io/file.hpp"

namespace tgmap::io {

/// Copies a pipe, socket or device to its end into an unlinked temporary file in $TMPDIR.
/// Errors: of the operating system, out_of_memory.
file spool(const file& file, failure&) noexcept;

/// The same for a stream. Errors: also EIO if the stream goes bad.
file spool(std::istream& from, failure&) noexcept;

}  // namespace tgmap::io
