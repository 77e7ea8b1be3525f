// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "cli/outputs/output_folder.hpp"

namespace tgmap::cli {

/// The name of a file that must not outlive the process: removed when this goes, and when SIGINT, SIGTERM, SIGHUP,
/// SIGQUIT, SIGALRM or SIGXCPU ends the process, which then dies of that signal as ever. Signals that are ignored stay
/// ignored.
class doomed_name {
 public:
  struct entry {
    int folder;  ///< a descriptor
    std::string name;
  };

  doomed_name() noexcept = default;
  /// Before the file is made: no moment is left in which it could stay.
  doomed_name(std::shared_ptr<const output_folder>, std::string name);
  ~doomed_name();
  doomed_name(doomed_name&& from) noexcept
      : slot_(std::exchange(from.slot_, nullptr)), folder_(std::move(from.folder_)), name_(std::move(from.name_)) {}
  doomed_name& operator=(doomed_name&&) noexcept;

  explicit operator bool() const noexcept { return slot_ != nullptr; }
  const std::string& name() const noexcept { return name_; }

  /// The file stays, or has another name by now.
  void spare() noexcept;

 private:
  std::atomic<const entry*>* slot_ = nullptr;  // what the signal handler sees
  std::shared_ptr<const output_folder> folder_{};
  std::string name_{};
};

}  // namespace tgmap::cli
