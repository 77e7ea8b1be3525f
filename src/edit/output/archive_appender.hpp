// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/write/appender.hpp>

#include "edit/output/output_location.hpp"

namespace tgmap::edit {

/// Options of an archive_appender.
struct appender_settings {
  bool create = true;   ///< create the archive if it does not exist
  bool repair = false;  ///< remove an incomplete message at its end
  bool sync = false;    ///< wait for the disk after each message
  bool no_sync = false;
  bool dry_run = false;
  bool lock = true;  ///< exclude other appenders
};

/// Appends messages to an archive. The archive is opened with the first message, so that a run without messages leaves
/// no trace. Errors: throws write_error.
class archive_appender {
 public:
  /// Checks the path: that it can be appended to, and that it contains no link planted by another user in a shared
  /// directory. In a dry run, also reads the archive.
  archive_appender(std::string file, const appender_settings&);
  archive_appender(const archive_appender&) = delete;
  archive_appender& operator=(const archive_appender&) = delete;
  ~archive_appender();  ///< removes an archive that was created but got no message

  /// Appends a message. Errors: also tgmap::error for the message.
  void add(const message&);
  /// Encodes and appends a message. Not for dry runs.
  void add(const new_message&);

  /// Waits for the disk, unless `no_sync`, and closes the archive, whose index is extended if it was current before.
  /// Returns why that failed. Errors: throws tgmap::error.
  failure finish();

  /// Returns the offset of the first message to be added, for aligning payloads in the file.
  std::uint64_t end();

  std::uint64_t messages() const noexcept { return messages_; }
  std::uint64_t added() const noexcept { return added_; }

 private:
  template <class Message>
  void write(const Message&);
  void check_path();
  void check_dry_run();
  void open();
  [[noreturn]] void refuse(const failure&) const;

  const std::string file_;
  const appender_settings how_;
  bool existed_ = false;       ///< the archive existed before
  output_location created_{};  ///< the archive, if it was created
  std::optional<appender> to_{};
  std::uint64_t end_ = 0;  ///< in a dry run
  std::uint64_t messages_ = 0, added_ = 0;
};

}  // namespace tgmap::edit
