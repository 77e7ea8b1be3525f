// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "cli/output/output_folder.hpp"

namespace tgmap::cli {

/// A `temporary_file` owns the name of a file that must not outlive the process. It removes the file when it is
/// destroyed, and when SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM or SIGXCPU ends the process, which then dies of that
/// signal as usual. Ignored signals stay ignored.
class temporary_file {
 public:
  struct entry {
    int folder;  ///< a descriptor
    std::string name;
  };

  temporary_file() noexcept = default;
  /// Construct it before the file is created, so that no signal can leave the file behind.
  temporary_file(std::shared_ptr<const output_folder>, std::string name);
  ~temporary_file();
  temporary_file(temporary_file&& from) noexcept
      : slot_(std::exchange(from.slot_, nullptr)), folder_(std::move(from.folder_)), name_(std::move(from.name_)) {}
  temporary_file& operator=(temporary_file&&) noexcept;

  explicit operator bool() const noexcept { return slot_ != nullptr; }
  const std::string& name() const noexcept { return name_; }

  /// Gives up ownership: the file stays, or has another name by now.
  void release() noexcept;

 private:
  std::atomic<const entry*>* slot_ = nullptr;  // shared with the signal handler
  std::shared_ptr<const output_folder> folder_{};
  std::string name_{};
};

}  // namespace tgmap::cli
