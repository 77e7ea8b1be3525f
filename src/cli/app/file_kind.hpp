// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <tgmap/archive.hpp>

#include "convert/file_format.hpp"

namespace tgmap::cli {

using convert::file_format;

/// The words for a format other than the one that a verb expects.
struct file_kind {
  std::string_view name;       ///< "a NumPy file (.npy)"
  std::string_view next_step;  ///< how to make an archive of it; one clause
};

/// Returns the words for a format; null for archives and unknown formats.
const file_kind* kind_of(file_format);

/// Returns true if the next step is `tgmap create`, or if there is none for arrays.
constexpr bool takes_arrays(file_format of) {
  return of == file_format::numpy || of == file_format::zip || of == file_format::text;
}

/// Returns true if tensor constants are files of this format, too.
constexpr bool may_be_constant(file_format of) { return of == file_format::lz4 || of == file_format::text; }

/// Throws cli_error for a file that was opened as an archive but is of another format: "is not a Tensogram archive: a
/// NumPy file (.npy)", with the next step.
void require_archive(const archive&);

}  // namespace tgmap::cli
