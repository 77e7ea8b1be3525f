// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/write/appender.hpp>

#include "cli/outputs/output_place.hpp"

namespace tgmap::cli {

/// How an archive is added to.
struct append_manner {
  bool create = true;   ///< where there is none, one is begun
  bool repair = false;  ///< an incomplete message at its end is cut off
  bool sync = false;    ///< each message is on the disk before the next one
  bool no_sync = false;
  bool dry_run = false;
};

/// The archive that messages are added to; opened with the first one, so that a run which adds none leaves no trace.
/// What goes wrong with it is thrown as a complaint that names it.
class appending {
 public:
  /// Refuses what cannot be added to as far as a look at the name tells, and links on the way to it that another user
  /// has put into a folder that everybody may write to; in a dry run looks at the archive itself.
  appending(std::string file, const append_manner&);
  appending(const appending&) = delete;
  appending& operator=(const appending&) = delete;
  ~appending();  ///< an archive that was begun and got nothing goes

  /// Throws tgmap::error of the message, too.
  void add(const message&);
  /// The same of one that is made here; not in a dry run.
  void add(const new_message&);

  /// Everything is on the disk, unless nobody wants to wait for that. Throws tgmap::error.
  void finish();

  /// Where the first message will begin: payloads may be aligned in the file.
  std::uint64_t end();

  std::uint64_t messages() const noexcept { return messages_; }
  std::uint64_t added() const noexcept { return added_; }

 private:
  template <class Message>
  void write(const Message&);
  void look_at_name();
  void look_inside();
  void open();
  [[noreturn]] void refuse(const failure&) const;

  const std::string file_;
  const append_manner how_;
  bool there_ = false;    ///< before it was opened
  output_place begun_{};  ///< the archive, where it was not
  std::optional<appender> to_{};
  std::uint64_t end_ = 0;  ///< in a dry run
  std::uint64_t messages_ = 0, added_ = 0;
};

}  // namespace tgmap::cli
