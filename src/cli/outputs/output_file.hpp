// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "cli/outputs/doomed_name.hpp"
#include "cli/outputs/output_place.hpp"

namespace tgmap::cli {

/// A file that appears whole or not at all. Until it is published it has no name, or, where the file system knows no
/// such files and while it is parked, one that goes with the process; see doomed_name. Both names are in the folder
/// that was open from the start, and a file that has the other name but is another one is never written. What exists
/// and is no regular file is written as it is. Everything throws file_error that names the file; cli_error: its
/// temporary name is gone, or another file has it.
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
  const std::shared_ptr<const output_folder>& folder() const noexcept {
    return place_.folder;
  }  ///< not of inherited ones

  /// Gives the descriptor back until it is needed again: many files may be begun at once.
  void park();

  /// What was written may go to the disk from now on, while others are written. A hint: nothing is waited for.
  void begin_to_synchronise() noexcept;
  void synchronise();              ///< its bytes, to the disk
  void synchronise_file_system();  ///< those of every file there
  std::uint64_t file_system() const noexcept { return identity_.device; }

  /// Gives it its name, in place of what has it. Refused: EEXIST when something has it by now.
  void publish(replacing);

 private:
  [[noreturn]] void fail(int number) const;
  [[noreturn]] void fail_for_lost_name() const;
  void open_in_place();
  void create();
  void take_temporary_name();
  bool link_as(const std::string& name) const;
  void rename_over();
  void rename_beside();

  output_place place_;
  doomed_name name_{};
  int descriptor_ = -1;
  file_identity identity_{};  ///< of what is written, unless in place
};

}  // namespace tgmap::cli
