// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <tgmap/write/stream_writer.hpp>
#include <tgmap/write/writer.hpp>

namespace tgmap {
inline namespace v0 {

/// What to do about an archive that ends in an incomplete message, as a crash leaves it.
enum class on_tail : std::uint8_t {
  refuse,    ///< `errc::incomplete_tail`
  truncate,  ///< cut it off: all whole messages stay; one that was found behind its beginning is `errc::damaged`
};

struct append_options {
  write_options write{};  ///< `start` is set from the archive
  bool create = true;     ///< an archive that is not there is begun
  on_tail tail = on_tail::refuse;
  bool sync = false;  ///< each message is on the disk (`fdatasync`) when write() returns
};

namespace detail {
struct append_state;
}

/// Adds messages to an archive while readers have it mapped. What is there is never changed: `archive::refreshed()`
/// sees whole messages only, and handles and views of before stay as they are. A crash at any byte leaves every earlier
/// message readable, and a tail that the next appender refuses or cuts off.
///
/// An advisory lock on the file (`flock`) keeps two appenders apart; it goes with the process. Other programs may not
/// know of it: before bytes are put out the file must end where this appender left it, and be what its path names. Else
/// every call is archive_changed, and nothing is touched. One thread at a time.
class TGMAP_API appender {
 public:
  /// Opens, locks, and scans from the front, for only so is it known that the last message is no part of a payload:
  /// O(messages), as archive::size(), no payload is read. Bytes that belong to no message are damaged, wherever they
  /// are; so are messages behind the beginning of one that has no end: they may lie in its payload, or somebody added
  /// them. Errors: archive_locked, incomplete_tail (expected = the end of the last whole message, found = bytes there),
  /// damaged (expected = end of the first gap, found = its begin), archive_changed, io, invalid_option.
  explicit appender(const std::filesystem::path&, const append_options& = {});
  /// After a failure there is nothing to add to: every call is writer_state.
  static appender open(const std::filesystem::path&, failure&) noexcept;
  static appender open(const std::filesystem::path&, const append_options&, failure&) noexcept;
  ~appender();
  appender(appender&&) noexcept;
  appender& operator=(appender&&) noexcept;

  /// Adds one message. After a failure the archive is as it was: what was put out is cut off again, or, where even that
  /// fails or another program has put bytes behind it, the appender takes no more. Errors: those of writer::write;
  /// archive_changed; io.
  void write(const new_message&);
  void write(const new_message&, failure&) noexcept;
  void write(const message&);  ///< as it lies
  void write(const message&, failure&) noexcept;

  /// One message object by object. `close` does what finish() of the stream does, unless that was done, and syncs: then
  /// it is there for readers. Without close() the destructor keeps a stream that was finished, and cuts off any other;
  /// both end the stream, wherever its handle was moved to. One stream at a time, and no write() until it is closed:
  /// writer_state.
  stream_writer& stream(const cbor_value& extra = cbor_value::map()) TGMAP_LIFETIMEBOUND;
  stream_writer* stream(failure&) noexcept TGMAP_LIFETIMEBOUND;
  stream_writer* stream(const cbor_value& extra, failure&) noexcept TGMAP_LIFETIMEBOUND;
  void close_stream();
  void close_stream(failure&) noexcept;

  /// All that was added is on the disk when it returns. Errors: io.
  void sync();
  void sync(failure&) noexcept;

  std::uint64_t size_bytes() const noexcept;  ///< of the archive, with what was added

 private:
  appender() noexcept;
  std::unique_ptr<detail::append_state> state_;
};

}  // namespace v0
}  // namespace tgmap
