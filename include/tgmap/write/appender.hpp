// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <tgmap/write/stream_writer.hpp>
#include <tgmap/write/writer.hpp>

namespace tgmap {
inline namespace v0 {

/// How an appender treats an archive that ends in an incomplete message, as a crash leaves it.
enum class on_tail : std::uint8_t {
  refuse,  ///< fails with `errc::incomplete_tail`

  /// Deletes the incomplete message and keeps all whole ones. If messages were found after its beginning, opening fails
  /// with `errc::damaged` instead.
  truncate,
};

/// Options of an appender. Aggregate: `{.create = false}`.
struct append_options {
  /// Layout of the messages. `start_offset` is ignored: the appender takes it from the archive.
  write_options write{};

  /// Creates the archive if it does not exist. Default: true, so that the first message needs no extra step.
  bool create = true;

  /// Default: refuse, since truncating deletes bytes.
  on_tail tail = on_tail::refuse;

  /// Puts each message on the disk (`fdatasync`) before write() returns. Default: false, since each call would then
  /// wait for the disk.
  bool sync = false;

  /// Locks the archive. Default: true; false is for file systems without locks, where nothing else may append. Other
  /// changes are detected all the same.
  bool lock = true;
};

namespace detail {
struct append_state;
}

/// An `appender` adds messages to an archive while readers have it mapped.
///
/// Existing bytes never change. `archive::reopen()` sees whole messages only; earlier handles and views stay valid. A
/// crash at any byte leaves every earlier message readable, and at most an incomplete tail. The next appender refuses
/// that tail or cuts it off.
///
/// An advisory lock on the file (`flock`) excludes other appenders. It ends with close(), the destructor or the
/// process; a child made by `fork` closes its copy, holds no lock and changes nothing: its calls are call_out_of_order.
/// Programs that ignore the lock are detected: before bytes are written, the file must end where this appender left it,
/// and its path must still name it. Otherwise every call fails with archive_changed and nothing is touched. An index
/// beside the archive that is current when the appender opens is extended and stamped once, by close() or the
/// destructor; that reads only what was appended. Until then it is not current, and readers scan. Any other index stays
/// as it is, and so does the absence of one; see `write_index` (tools/index.hpp). Errors: call_out_of_order after a
/// failed open or a move. The overload without `failure&` throws `error`. Thread safety: one thread at a time.
class TGMAP_API appender {
 public:
  /// Opens, locks and scans an archive. The scan starts at the front: only so is it certain that the last message is
  /// not part of a payload. No payload is read.
  ///
  /// Bytes that belong to no message are damage, wherever they are. So are messages after the beginning of an
  /// incomplete one: they may lie in its payload, or another program added them.
  /// Errors: archive_locked; cannot_lock (nothing is created then); incomplete_tail (expected = end of the last whole
  /// message, found = bytes of the archive); damaged (expected = end of the first gap, found = its begin);
  /// archive_changed; is_directory; io; invalid_option. Complexity: O(messages), as archive::size().
  explicit appender(const std::filesystem::path&, const append_options& = {});
  static appender open(const std::filesystem::path&, failure&) noexcept;
  static appender open(const std::filesystem::path&, const append_options&, failure&) noexcept;
  ~appender();
  appender(appender&&) noexcept;
  appender& operator=(appender&&) noexcept;

  /// Appends one message. After a failure the archive is as it was: written bytes are cut off again. If that fails too,
  /// or another program has added bytes after them, the appender accepts nothing more.
  /// Errors: those of writer::write; archive_changed; io.
  void write(const new_message&);
  void write(const new_message&, failure&) noexcept;

  /// Appends a message of another archive, byte for byte. Errors: as above.
  void write(const message&);
  void write(const message&, failure&) noexcept;

  /// Begins a message that is written object by object. Only one stream can be open, and write() must wait until
  /// close_stream().
  /// Errors: those of stream_writer; call_out_of_order; archive_changed; io.
  /// Lifetime: the stream ends with close_stream() or with the appender, even if its handle was moved elsewhere.
  /// Without close_stream() the destructor keeps a finished stream and cuts off any other.
  stream_writer& begin_stream(const cbor_value& extra = cbor_value::map()) TGMAP_LIFETIMEBOUND;
  stream_writer* begin_stream(failure&) noexcept TGMAP_LIFETIMEBOUND;
  stream_writer* begin_stream(const cbor_value& extra, failure&) noexcept TGMAP_LIFETIMEBOUND;

  /// Ends the stream, so that readers see its message. Calls stream_writer::finish() unless that was done. Syncs if the
  /// options say so.
  /// Errors: those of stream_writer::finish; call_out_of_order (no stream is open); archive_changed; io.
  void close_stream();
  void close_stream(failure&) noexcept;

  /// Puts all appended messages on the disk before it returns. Errors: io; call_out_of_order (a stream is open).
  void sync();
  void sync(failure&) noexcept;

  /// Ends a stream as the destructor does, extends the index beside the archive, and gives up the lock. Further calls
  /// are call_out_of_order, but close(), which then does nothing. If the index cannot be extended, the archive is
  /// complete all the same; the index is not current then, so that readers scan. Errors: those of write_index;
  /// archive_changed. Complexity: O(bytes of the index) if it is extended. Waits 20 ms for the clock of the file
  /// system, or 2 s on a network or where times have whole seconds.
  void close();
  void close(failure&) noexcept;

  std::uint64_t size_bytes()
      const noexcept;  ///< bytes of the archive, including what was appended; 0 once it is closed

 private:
  appender() noexcept;
  std::unique_ptr<detail::append_state> state_;
};

}  // namespace v0
}  // namespace tgmap
