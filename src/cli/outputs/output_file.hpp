// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "cli/outputs/doomed_name.hpp"

namespace tgmap::cli {

/// What a name stands for as an output.
struct output_place {
  std::filesystem::path path;  ///< links followed to their end, also where nothing is there yet
  int inherited = -1;          ///< standard output and its like: a descriptor that the process was given
  bool exists = false;
  bool regular = true;  ///< else a device or a pipe, which is written as it is
  mode_t mode = 0;      ///< of what exists, as its owners
  uid_t user = 0;
  gid_t group = 0;

  /// "-" is standard output, as "/dev/stdout" is. Throws file_error: a folder, a loop of links, no way there.
  static output_place find(const std::filesystem::path& name);
};

/// "-", "/dev/stdout" and the like, and links to them.
bool names_standard_output(std::string_view name);

/// The descriptor that such a name stands for, standard output or another one: no file of that name is made.
std::optional<int> named_descriptor(std::string_view name);

/// A file that appears whole or not at all. Until it is published it has no name, or, where the file system knows no
/// such files and while it is parked, one that goes with the process; see doomed_name. What exists and is no regular
/// file is written as it is. Everything throws file_error that names the file.
class output_file {
 public:
  enum class replacing : std::uint8_t { allowed, refused };

  explicit output_file(output_place);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  void write(std::span<const std::byte>);
  /// To write to, where the file ends. Before it is parked for the first time what was written can be read there, too,
  /// unless it is written in place.
  int descriptor();

  /// Changes bytes that were written. Not of what is written in place.
  void patch(std::uint64_t at, std::span<const std::byte>);
  bool in_place() const noexcept { return place_.inherited >= 0 || !place_.regular; }
  const std::filesystem::path& path() const noexcept { return place_.path; }

  /// Gives the descriptor back until it is needed again: many files may be begun at once.
  void park();

  /// What was written may go to the disk from now on, while others are written. A hint: nothing is waited for.
  void begin_to_synchronise() noexcept;
  void synchronise();              ///< its bytes, to the disk
  void synchronise_file_system();  ///< those of every file there
  std::uint64_t file_system() const noexcept { return device_; }

  /// Gives it its name, in place of what has it. Refused: EEXIST when something has it by now.
  void publish(replacing);

 private:
  [[noreturn]] void fail(int number) const;
  void create();
  void take_temporary_name();
  void rename_over();
  void rename_beside();

  output_place place_;
  doomed_name name_{};
  int descriptor_ = -1;
  std::uint64_t device_ = 0;
};

/// What was renamed in that folder, to the disk, where the folder may be opened. Throws file_error.
void synchronise_folder(const std::filesystem::path&);

}  // namespace tgmap::cli
