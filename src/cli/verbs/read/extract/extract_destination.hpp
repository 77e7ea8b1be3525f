// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "convert/export/exported_object.hpp"
#include "edit/output/file_template.hpp"

namespace tgmap::cli {

/// The meaning of -o, --format and --stored.
struct extract_destination {
  enum class kind {
    file,     ///< one object; "-" is standard output
    several,  ///< a file per object: a name with keys in brackets, or a folder with M_O.npy, M_O.csv …
    npz,      ///< one archive with NAME.npy or M_O.npy per object
  };
  std::string to;
  edit::file_template names;  ///< of files
  kind what = kind::file;
  convert::element_format format = convert::element_format::npy;

  /// `to` may be empty for text, which then goes to standard output. `format` is "npy", "raw", "csv", "text", "json",
  /// or empty for that of the extension. Errors: usage_error.
  static extract_destination parse(const std::string& to, const std::string& format, bool stored);

  bool takes_several() const noexcept { return what != kind::file; }

  /// Returns the name of the file, or of the member of an .npz, of each object. All names differ.
  /// Errors: usage_error if two names are equal; cli_error if the keys of a name cannot be read.
  std::vector<std::string> names_of(std::span<const convert::exported_object>) const;
};

}  // namespace tgmap::cli
