// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <atomic>
#include <memory>
#include <string>
#include <tgmap/detail/output_file.hpp>

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `temporary_file` owns the name of a file that must not outlive the process. It removes the file when it is
/// destroyed, and when a signal ends the process; see remove_temporary_files_at_signals(). A child made by `fork`
/// removes nothing.
class temporary_file {
 public:
  struct entry {
    int folder;  ///< a descriptor
    ::pid_t owner;
    std::string name;
  };

  /// Takes a random name. It is short, so that a long name of the output does not make it too long. Construct it before
  /// the file is created, so that no signal can leave the file behind. Errors: io.
  temporary_file(std::shared_ptr<const output_folder>, failure&);
  ~temporary_file();
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  const std::string& name() const noexcept { return name_; }
  const output_folder& folder() const noexcept { return *folder_; }

  /// Gives up ownership: the file stays, has another name by now, or belongs to somebody else.
  void release() noexcept;

 private:
  std::atomic<const entry*>* slot_ = nullptr;  // shared with the signal handler
  std::shared_ptr<const output_folder> folder_;
  std::string name_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
