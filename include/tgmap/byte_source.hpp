// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// The range of bytes [offset, offset + size).
struct byte_range {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// A `byte_request` asks for the bytes [offset, offset + out.size()), to be written to `out`.
struct byte_request {
  std::uint64_t offset = 0;
  std::span<std::byte> out{};
};

/// An `opening_request` asks for bytes at one end of a source whose size is not known yet.
struct opening_request {
  /// Counts from the start of the source. Not used with `is_suffix`.
  std::uint64_t offset = 0;
  bool is_suffix = false;  ///< asks for the last `out.size()` bytes, or for all if there are fewer
  std::span<std::byte> out{};

  /// Set by byte_source::open(): how many bytes it wrote to the start of `out`. Fewer than wanted if the source ends
  /// before; 0 also if it gives none without another request.
  std::size_t filled = 0;
};

/// The size of a source and the version of its bytes.
struct source_state {
  std::uint64_t size = 0;

  /// Says which bytes the source has: equal texts mean equal bytes, such as a strong ETag or a version number of a
  /// store. Only compared, never shown. Empty: not known; then an index is not used, and changes are not noticed.
  std::string version{};
};

/// The costs of requests to a source. Aggregate: `{.gap = 64 << 10}`.
struct source_costs {
  /// Up to this many bytes between two ranges are read, too, instead of sending another request: the bytes that arrive
  /// in the time that a request takes. Values above 64 MiB count as 64 MiB.
  /// Default: 1 MiB, 20 ms at 50 MB/s, the limit of the Rust crate object_store.
  std::uint64_t gap = std::uint64_t{1} << 20;

  /// Maximum number of bytes of one request; more are divided among several. Values below 4 KiB count as 4 KiB.
  /// Default: 16 MiB, what stores recommend for parallel downloads.
  std::uint64_t max_request = std::uint64_t{16} << 20;

  /// Maximum number of requests in one call of read(), which the source may send at once. At least 1, at most 64.
  /// Default: 8.
  unsigned max_requests = 8;
};

/// A `byte_source` gives the bytes of an archive from anywhere: an object store, a web server, a database. Derive from
/// it and pass an object to `archive::from_source`. See docs/examples/blocks_in_memory.cpp for a whole one.
///
/// A source may fail at any time, and may give other bytes than before: everything is checked as for a file that other
/// programs change. It must write only to the memory that it was given, and only before it returns.
/// Errors: return a failure, of which the code is used. `std::errc` and codes of your own are passed on; so are the
/// `errc` file_shrank, source_changed and out_of_memory. Other `errc` become source_failed. An exception becomes its
/// code if it is a `std::system_error`, else out_of_memory or source_failed.
/// Lifetime: the archive, its copies and its pins own the source.
/// Thread safety: all members but the destructor may be called from any number of threads at once.
class TGMAP_API byte_source {
 public:
  virtual ~byte_source();

  /// Returns the size and the version of the bytes, and reads the first ranges that the library needs, if that takes no
  /// further request. Called when an archive is opened, and again by `archive::reopen` and `is_replaced`. Later reads
  /// give bytes of the version that the last call returned, or fail with source_changed; send it as a condition, such
  /// as `If-Match`.
  virtual failure open(std::span<opening_request>, source_state&) = 0;

  /// Reads all ranges, which are within the size, or fails; there is no partial answer. Blocks. Ranges are in ascending
  /// order and do not overlap, and are at most as many and as large as costs() says. The memory holds zeros before.
  /// Should return soon after a stop request, with any failure. Never called without ranges, or for empty ones.
  virtual failure read(std::span<const byte_request>, const std::stop_token&) = 0;

  /// Returns what requests cost. Called once, before open().
  virtual source_costs costs() const noexcept;

  /// Returns the source of this name with a suffix, such as ".tgx" for the index beside an archive. It need not exist:
  /// then its open() fails with `std::errc::no_such_file_or_directory`. Whoever can write it decides which messages are
  /// found; see docs/threat_model.md. Default: null, none.
  virtual std::shared_ptr<byte_source> sibling(std::string_view suffix);

  /// Returns the name of the source for messages to people, without passwords, tokens and signed queries.
  /// Default: empty.
  virtual std::string name() const;

  /// Says that these bytes will be read soon. A hint, which must not block. Default: does nothing.
  virtual void will_need(std::span<const byte_range>);

 protected:
  byte_source() noexcept = default;
  byte_source(const byte_source&) = default;
  byte_source& operator=(const byte_source&) = default;
};

}  // namespace v0
}  // namespace tgmap
