// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>
#include <utility>

namespace tgmap::cli {

/// The name of a file that must not outlive the process: removed when this goes, and when SIGINT, SIGTERM, SIGHUP,
/// SIGQUIT, SIGALRM or SIGXCPU ends the process, which then dies of that signal as ever. Signals that are ignored stay
/// ignored.
class doomed_name {
 public:
  doomed_name() noexcept = default;
  explicit doomed_name(std::filesystem::path);  ///< before the file is made: no moment is left in which it could stay
  ~doomed_name();
  doomed_name(doomed_name&& from) noexcept : slot_(std::exchange(from.slot_, nullptr)), path_(std::move(from.path_)) {}
  doomed_name& operator=(doomed_name&&) noexcept;

  explicit operator bool() const noexcept { return slot_ != nullptr; }
  const std::filesystem::path& path() const noexcept { return path_; }

  /// The file stays, or has another name by now.
  void spare() noexcept;

 private:
  std::atomic<const char*>* slot_ = nullptr;  // what the signal handler sees
  std::filesystem::path path_{};
};

}  // namespace tgmap::cli
