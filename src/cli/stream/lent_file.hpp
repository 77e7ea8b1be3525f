// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tgmap/error.hpp>

namespace tgmap::cli {

/// A file whose mapping is lent to ZeroMQ. If it became shorter meanwhile, ZeroMQ would end the process: it takes the
/// fault of its system call for one of its own. So who wants to write it is made to wait, by a read lease, as long as
/// something is lent; and where there is no lease because somebody is writing it already, nothing should be lent.
class lent_file {
 public:
  /// What is no regular file, such as standard input, cannot become shorter.
  explicit lent_file(const std::string& path);
  ~lent_file();
  lent_file(const lent_file&) = delete;
  lent_file& operator=(const lent_file&) = delete;

  /// Whether it still has its first `bytes`. Errors: file_shrank, those of the operating system.
  failure holds(std::uint64_t bytes) const;

  bool leased() const noexcept { return leased_; }
  /// Somebody writes it, or wrote it when it was opened: what goes is to be copied.
  bool may_change() const noexcept { return may_change_; }
  /// There is a lease, and somebody waits for its end. The system ends it after some time (45 s) by itself.
  bool wanted() const;
  /// What goes from now on is to be copied.
  void lend_no_more() noexcept { may_change_ = true; }
  /// Lets in who waits. Nothing is lent any more.
  void give_up();

 private:
  int file_ = -1;
  bool leased_ = false, may_change_ = false;
};

}  // namespace tgmap::cli
