// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "convert/conversion.hpp"
#include "convert/zip_writer.hpp"
#include "edit/output/output_set.hpp"

namespace tgmap::convert {

/// Writes the bytes of one file piece by piece. May be called twice, with the same result.
using file_content = std::function<void(const write_function&)>;

/// An `export_writer` writes the files of an export, or the members of one .npz. Each file is written completely or not
/// at all. Errors: throws write_error, and what the set of outputs throws.
class export_writer {
 public:
  /// Writes files. `makes_folders` makes missing folders of their names. Lifetime: borrows the set.
  export_writer(edit::output_set& outputs, bool makes_folders) : outputs_(outputs), makes_folders_(makes_folders) {}

  /// Writes members of the .npz with that name. Lifetime: borrows the set.
  export_writer(edit::output_set& outputs, const std::string& npz);

  /// Throws for a file that exists and must not be replaced. Creates nothing.
  void check_overwrite(std::span<const std::string> names);

  /// Writes one file or member and returns its size. Errors: also those of `content`; no file remains then.
  std::uint64_t write(const std::string& name, const file_content& content);

  /// Gives the files their names, after everything was written.
  void finish();

 private:
  std::uint64_t write_member(const std::string& name, const file_content&);

  edit::output_set& outputs_;
  const bool makes_folders_ = false;
  std::unique_ptr<zip_writer> zip_{};
};

}  // namespace tgmap::convert
