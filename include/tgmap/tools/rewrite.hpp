// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <tgmap/archive.hpp>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <tgmap/query/selection.hpp>
#include <tgmap/write/new_message.hpp>

namespace tgmap {
inline namespace v0 {

class executor;

/// How rewrite() and copy() write their files. Aggregate: `{.write_index = true}`.
///
/// Each file appears as a whole or not at all, and none before all are complete. A file that replaces another one gets
/// its owner, group, permissions and access list, as far as the process may. A symbolic link is followed. Devices,
/// pipes and paths such as `/dev/stdout` are written in place, so that a failure leaves the bytes written before it.
struct file_output_options {
  /// Replaces existing files. False: an existing file is the error EEXIST. Default: true, as for file_sink.
  bool replace = true;

  /// Puts all files on the disk before they get their names. Default: true, since the old files are gone then.
  bool sync = true;

  /// Writes nothing. Counts what would be written, and fails as writing would, as far as that is known before.
  /// Default: false.
  bool dry_run = false;

  /// Writes the index beside each file, or extends the one that is there; see write_index(). What is written in place
  /// is `invalid_option`. Default: false. The index of a file that is replaced is removed then, since it describes
  /// other bytes.
  bool write_index = false;

  /// The threads that make indexes. Default: null, the calling thread alone.
  tgmap::executor* executor = nullptr;

  /// Decides whether an existing file is replaced. False is the error ECANCELED. May throw. Default: none, to replace
  /// each file.
  std::function<bool(const std::filesystem::path&)> may_replace{};

  /// Receives each replaced file whose index was removed; the failure says if it could not be. May throw. Default:
  /// none. An index that stays does not belong to the new file, and archive::open does not use it.
  std::function<void(const std::filesystem::path&, const failure&)> index_removed{};
};

/// Makes the new form of a message. Returns false to keep the message as it is, byte for byte.
///
/// `out` has no mismatches, and is otherwise as the call before left it, so that its memory is used again. The usual
/// beginning is `out.load(m, on_mismatch::take, why)`. Damage that it puts into `out.mismatches` is treated as
/// `rewrite_options::damaged` says, if the message changes.
/// Errors: a failure, or a tgmap::error that is thrown, concerns this message; see `rewrite_options::failed`. All other
/// exceptions end the rewriting and pass through.
/// Lifetime: what `out` borrows must stay until the next call.
using message_change = std::function<bool(const message&, stored_message& out, failure&)>;

/// Options of rewrite(). Aggregate: `{.selection = tgmap::selection("mars.step=24")}`.
struct rewrite_options {
  file_output_options output{};

  /// The messages that the change gets; all others are copied byte for byte. Default: all.
  tgmap::selection selection{};

  /// Treats damage in messages that change, whose new hashes would hide it. With `refuse`, the first mismatch ends the
  /// rewriting with hash_mismatch. Default: refuse.
  on_mismatch damaged = on_mismatch::refuse;

  /// Also copies gaps and incomplete messages, so that an archive without changes stays equal byte for byte. Default:
  /// false: only complete messages are written.
  bool keep_gaps = false;

  /// A descriptor of the file that the archive was opened from, which begins with the archive. Large unchanged parts
  /// are then copied by the system, which may share their blocks. Its position is not used. Default: -1, none: all
  /// bytes are read through the archive.
  int descriptor = -1;

  /// Receives each hash mismatch in a message that changes, before `damaged` applies. May throw. Default: none.
  std::function<void(const message&, const failure&)> damage{};

  /// Receives why a message could not be changed. Then no output is written. Returns true to look for failures in the
  /// other messages, too. May throw. Default: none: the first failure ends the rewriting.
  std::function<bool(const message&, const failure&)> failed{};

  /// Receives each incomplete message that is left out. May throw. Default: none.
  std::function<void(const message&)> left_out{};

  /// Receives the number of bytes of the archive that are done, for progress bars. May throw. Default: none.
  std::function<void(std::uint64_t done_bytes)> progress{};

  /// Ends the rewriting early. Then no output is written. Default: none.
  std::stop_token stop{};

  /// Checks the complete output before it gets its name. The descriptor is open for reading at any position, unless
  /// the output is written in place. Not called in a dry run. A failure, or what it throws, keeps the output from
  /// appearing. Default: none.
  std::function<void(int descriptor, failure&)> verify{};
};

/// The result of rewrite().
struct rewrite_result {
  std::uint64_t messages = 0;             ///< written: changed ones and others
  std::uint64_t selected = 0;             ///< given to the change
  std::uint64_t changed = 0;              ///< written in a new form
  std::uint64_t left_out = 0;             ///< incomplete ones
  std::uint64_t bytes = 0;                ///< of the output
  bool stopped = false;                   ///< ended by the stop_token; nothing was written
  std::filesystem::path failed_output{};  ///< the file that a failure concerns, if it is not the archive that was read
};

/// Writes the archive `to` from the archive `from`, with changes. `to` may be the file of `from`, which is then
/// replaced; `from` keeps the old bytes.
///
/// Calls `change` with each selected message that is complete, in order, in the calling thread. Copies the other
/// messages byte for byte. Numbers after damage are those of the options that `from` was opened with: under
/// `on_damage::stop` an archive with gaps is `damaged`.
///
/// Errors: those of archive::at and archive::read; of the first message that could not be changed; hash_mismatch;
/// those of writer::write; not_a_message (no message is left to be written). Of the output: io, ENOENT also if its
/// folder does not exist; foreign_file, output_changed, invalid_option; those of write_index, after which the output is
/// complete. The throwing form then names the file in its text.
/// Complexity: O(bytes); O(messages) if the system shares blocks. Memory: of one message without its payloads.
/// Thread safety: any number of calls may read the same archive.
TGMAP_API rewrite_result rewrite(const archive& from, const std::filesystem::path& to, const message_change& change,
                                 const rewrite_options& = {});
TGMAP_API rewrite_result rewrite(const archive& from, const std::filesystem::path& to, const message_change& change,
                                 const rewrite_options&, failure&);
inline rewrite_result rewrite(const archive& from, const std::filesystem::path& to, const message_change& change,
                              failure& why) {
  return rewrite(from, to, change, {}, why);
}

}  // namespace v0
}  // namespace tgmap
