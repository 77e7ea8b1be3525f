// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "cli/output/output_location.hpp"
#include "cli/output/temporary_file.hpp"

namespace tgmap::cli {

/// An `output_file` appears under its name as a whole or not at all.
///
/// Until `publish` the file has no name. It has a temporary one while it is suspended, and on file systems without
/// nameless files; see temporary_file. Both names are in the folder that was opened first, and a different file that
/// takes the temporary name is never written. Devices, pipes and inherited descriptors are written in place.
///
/// Errors: all functions throw file_error with the name of the file; cli_error if the temporary name was removed or
/// taken by another file.
class output_file {
 public:
  enum class replacement : std::uint8_t { allowed, refused };

  explicit output_file(output_location);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  void write(std::span<const std::byte>);

  /// Returns a descriptor for writing at the end of the file. It is readable, too, until the first `suspend`, unless
  /// the file is written in place.
  int descriptor();

  /// Changes bytes that were written. Precondition: !in_place().
  void overwrite(std::uint64_t at, std::span<const std::byte>);
  bool in_place() const noexcept { return location_.inherited_descriptor >= 0 || !location_.regular; }
  const std::filesystem::path& path() const noexcept { return location_.path; }
  /// Returns null for an inherited descriptor.
  const std::shared_ptr<const output_folder>& folder() const noexcept { return location_.folder; }

  /// Closes the descriptor until it is needed again, so that many files may be unfinished at once.
  void suspend();

  /// Asks the system to start flushing the file to the disk. Does not wait, and ignores errors.
  void start_sync() noexcept;
  void sync();              ///< flushes the file to the disk
  void sync_file_system();  ///< flushes all files of its file system
  std::uint64_t file_system() const noexcept { return identity_.device; }

  /// Gives the file its name and replaces the file that has it. With `refused`, fails with EEXIST if there is one.
  void publish(replacement);

 private:
  [[noreturn]] void fail(int number) const;
  [[noreturn]] void throw_name_lost() const;
  void open_in_place();
  void create();
  void add_temporary_name();
  bool link_as(const std::string& name) const;
  void rename_and_replace();
  void rename_without_replacing();

  output_location location_;
  temporary_file temporary_{};
  int descriptor_ = -1;
  file_identity identity_{};  ///< of the new file, unless it is written in place
};

}  // namespace tgmap::cli
