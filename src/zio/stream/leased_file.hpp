// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tgmap/error.hpp>
#include <tgmap/zio/message.hpp>

namespace tgmap::zio {

/// A `leased_file` protects a file whose mapping ZeroMQ sends without a copy. If the file shrank meanwhile, ZeroMQ
/// would end the process, because it takes the failed system call for an internal error. A read lease therefore makes
/// writers wait until the data is sent. If there is no lease because the file is being written, its data must be
/// copied.
class leased_file {
 public:
  /// Opens and leases a regular file. Others, such as standard input, cannot shrink and need no lease.
  explicit leased_file(const std::string& path);
  ~leased_file();
  leased_file(const leased_file&) = delete;
  leased_file& operator=(const leased_file&) = delete;

  /// Checks that the file has at least that many bytes. Errors: file_shrank, those of the operating system.
  failure check_length(std::uint64_t bytes) const;

  bool leased() const noexcept { return leased_; }
  /// Returns true if the file was open for writing, so that its data must be copied.
  bool may_change() const noexcept { return may_change_; }
  /// Returns true if another process waits for the end of the lease. The system ends the lease itself after 45 s.
  bool is_break_requested() const;
  /// Makes `may_change` return true.
  void force_copies() noexcept { may_change_ = true; }
  /// Ends the lease. Precondition: ZeroMQ holds no data of the file any more.
  void release_lease();

 private:
  int file_ = -1;
  bool leased_ = false, may_change_ = false;
};

/// Replaces payload parts that are not in memory of their own by copies, and adds their size to `copied`. Errors:
/// file_shrank if a mapped file shrinks meanwhile. Throws std::bad_alloc.
failure copy_payload(message&, std::uint64_t& copied);

}  // namespace tgmap::zio
