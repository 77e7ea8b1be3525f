// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <iterator>
#include <memory>
#include <ranges>
#include <span>
#include <stop_token>
#include <string_view>
#include <tgmap/gap.hpp>
#include <tgmap/index_status.hpp>
#include <tgmap/message.hpp>
#include <tgmap/options.hpp>
#include <tgmap/tensor.hpp>
#include <utility>
#include <vector>

namespace tgmap {
inline namespace v0 {

class byte_source;        // defined in byte_source.hpp
class selected_messages;  // and selected_objects: defined in query/selection.hpp
class selected_objects;
class selection;

/// An `archive` is a sequence of messages in a file, in memory or from a stream.
///
/// It is a cheap shared handle: copies share the mapping and the message table. Opening reads no message. Messages are
/// found lazily and take 16 bytes of memory each. Access to message `i` scans up to `i` at most.
/// Errors: one overload throws `error`, the other fills `failure&`. An archive that was not opened gives `no_archive`.
/// Lifetime: handles, spans and views borrow. Keep the archive, a copy of it or a `pin()`. A view of a mapped file that
/// is cut can raise SIGBUS; the library's own reads do not. See docs/threat_model.md.
/// Thread safety: any number of threads may call const members. A call for messages that are known never waits. Any
/// other call blocks only until the scan gets there.
class TGMAP_API archive {
 public:
  archive() noexcept = default;  ///< no archive: every access fails with `no_archive`

  /// Opens a file, and an index beside it if there is one (see `open_options::index`). Without an index this takes two
  /// opens, one fstat, one fstatfs and one mmap. A pipe is first copied into an unlinked temporary file.
  /// Errors: io (also if there is no such file), is_directory, invalid_option, out_of_memory; with
  /// `open_options::index_path` also not_an_index, unknown_index_version, index_damaged, index_mismatch. The exception
  /// names the file.
  /// Complexity: constant; O(bytes) for a pipe, and if an index is checked or made.
  explicit archive(const std::filesystem::path&, const open_options& = {});
  static archive open(const std::filesystem::path&, const open_options&, failure&) noexcept;
  static archive open(const std::filesystem::path& path, failure& why) noexcept { return open(path, {}, why); }

  /// Opens a file with the bytes of its index, which index_bytes() gave to another process or create_index wrote to
  /// memory. No file is searched for an index, and anybody may have made these bytes.
  /// Errors: as the constructor with `open_options::index_path`; invalid_option also if `open_options::index` is `none`
  /// or there is a path, too.
  /// Lifetime: the bytes of the index must outlive the archive, its copies and its pins.
  archive(const std::filesystem::path&, std::span<const std::byte> index_bytes, const open_options& = {});
  static archive open(const std::filesystem::path&, std::span<const std::byte> index_bytes, const open_options&,
                      failure&) noexcept;
  template <std::same_as<std::vector<std::byte>> Temporary>
  archive(const std::filesystem::path&, Temporary&&, const open_options& = {}) = delete;  // outlives these bytes

  /// Opens the file of a descriptor, which is duplicated. Its position is not used. A pipe is read to its end.
  /// Errors: as the constructor.
  static archive from_descriptor(int descriptor, const open_options& = {});
  static archive from_descriptor(int descriptor, const open_options&, failure&) noexcept;
  static archive from_descriptor(int descriptor, failure& why) noexcept { return from_descriptor(descriptor, {}, why); }

  /// Opens a block of memory without copying it. `open_options::io` has no effect, and mode() is `map`. Nothing may
  /// change the memory, unless it is opened with `memory::may_change`; see docs/threat_model.md for what that promises.
  /// Errors: invalid_option, out_of_memory.
  /// Lifetime: the memory must outlive the archive, its copies and its pins.
  static archive from_memory(std::span<const std::byte>, const open_options& = {});
  static archive from_memory(std::span<const std::byte>, const open_options&, failure&) noexcept;
  static archive from_memory(std::span<const std::byte> bytes, failure& why) noexcept {
    return from_memory(bytes, {}, why);
  }
  static archive from_memory(std::span<const std::byte>, memory, const open_options& = {});
  static archive from_memory(std::span<const std::byte>, memory, const open_options&, failure&) noexcept;

  /// Does the same with a block of memory that the archive, its copies and its pins own.
  static archive from_memory(std::vector<std::byte>&&, const open_options& = {});
  static archive from_memory(std::vector<std::byte>&&, const open_options&, failure&) noexcept;
  static archive from_memory(std::vector<std::byte>&& bytes, failure& why) noexcept {
    return from_memory(std::move(bytes), {}, why);
  }

  /// Reads a stream to its end into an unlinked temporary file and opens that file. For Boost.Iostreams sources see
  /// adapters/iostreams.hpp.
  /// Errors: io, invalid_option, out_of_memory.
  /// Complexity: O(bytes).
  static archive from_stream(std::istream&, const open_options& = {});
  static archive from_stream(std::istream&, const open_options&, failure&) noexcept;
  static archive from_stream(std::istream& stream, failure& why) noexcept { return from_stream(stream, {}, why); }

  /// Opens the bytes that a source gives, as with `io_mode::read`; `open_options::io` has no effect. Uses the index of
  /// its sibling ".tgx", or the one at `open_options::index_path` or in the cache, if that was made of the version that
  /// the source has now. Writes none: `index_use::create` is like `use`. An object may be passed once; an archive of it
  /// can be reopened. Include byte_source.hpp, which documents sources.
  /// Errors: those of the source, source_failed, out_of_memory, invalid_option (also if the pointer is null); with
  /// `open_options::index_path` as the constructor. The exception names the source.
  static archive from_source(std::shared_ptr<byte_source>, const open_options& = {});
  static archive from_source(std::shared_ptr<byte_source>, const open_options&, failure&) noexcept;

  /// Returns message `i`. Scans up to `i` at most.
  /// Errors: no_archive, out_of_range, io; damaged if a gap precedes the message under `on_damage::stop`; with an index
  /// also index_damaged, index_mismatch.
  message operator[](std::size_t i) const&;
  message at(std::size_t i, failure&) const& noexcept;

  /// Returns message `n` counted from the end. `nth_from_end(0)` is the last one; `n` stands for `[size() - 1 - n]`.
  /// Walks backwards over the postambles while each belongs to a sound version 3 message with a length, which takes two
  /// page reads a message. Otherwise scans forward. On a forged file the completed forward scan wins (docs/format.md).
  /// Errors: no_archive, out_of_range, damaged, io.
  message nth_from_end(std::size_t n) const&;
  message nth_from_end(std::size_t n, failure&) const& noexcept;
  message back() const& { return nth_from_end(0); }  ///< the last message; errors and cost of nth_from_end()

  /// Returns the message that begins at this archive offset, whatever precedes it. Scans nothing. The message has no
  /// index until a scan has reached it.
  /// Errors: no_archive, out_of_range, io; those of messages (10 to 19), for a streamed message also those of frames
  /// (30 to 36).
  message at_offset(std::uint64_t offset) const&;
  message at_offset(std::uint64_t offset, failure&) const& noexcept;

  // Deleted for temporary archives: the message would outlive the archive.
  message operator[](std::size_t) const&& = delete;
  message at(std::size_t, failure&) const&& = delete;
  message nth_from_end(std::size_t) const&& = delete;
  message nth_from_end(std::size_t, failure&) const&& = delete;
  message back() const&& = delete;
  message at_offset(std::uint64_t) const&& = delete;
  message at_offset(std::uint64_t, failure&) const&& = delete;

  /// Returns the number of messages. Completes the scan, so an archive is not a `std::ranges::sized_range`.
  /// Errors: no_archive, io; damaged at a gap under `on_damage::stop`. The overload with `failure&` then still returns
  /// the number of messages before the gap.
  /// Complexity: O(messages).
  std::size_t size() const;
  std::size_t size(failure&) const noexcept;

  /// Scans about `max_bytes` further bytes at most, or until a stop is requested. Returns the progress made so far.
  /// Errors: no_archive, io. Damage is not an error here; gaps() lists it.
  progress scan(std::uint64_t max_bytes = UINT64_MAX, const std::stop_token& = {}) const;
  progress scan(std::uint64_t max_bytes, const std::stop_token&, failure&) const noexcept;
  progress scan(failure& why) const noexcept { return scan(UINT64_MAX, {}, why); }
  progress scan_progress() const noexcept;  ///< what is known now; never waits

  class iterator;
  /// Returns an iterator over the messages in order. Scans while it advances.
  /// Errors: as operator[], except that out_of_range ends the iteration.
  iterator begin() const&;
  void begin() const&& = delete;
  std::default_sentinel_t end() const noexcept { return {}; }

  /// Returns the messages (find) or the objects (objects) that match a selection, as a lazy range. The range scans and
  /// reads metadata while it is iterated. Include query/selection.hpp to call these members; it documents the ranges.
  selected_messages find(const selection&) const&;
  selected_objects objects(const selection&) const&;
  selected_messages find(const selection&) const&& = delete;
  selected_objects objects(const selection&) const&& = delete;

  std::vector<gap> gaps() const;  ///< gaps found so far, in order; throws std::bad_alloc

  /// Returns whether the scan is complete: at the end of the archive, and under `on_damage::stop` at the first gap.
  /// Never scans. Returns false without an archive.
  bool is_complete() const noexcept { return scan_progress().is_complete; }

  /// Returns the incomplete message at the end of the archive, if the scan has met one; see is_complete(). Never scans.
  std::optional<tgmap::incomplete_tail> incomplete_tail() const noexcept;
  std::uint64_t size_bytes() const noexcept;  ///< size of the archive when it was opened
  io_mode mode() const noexcept;              ///< `map` or `read`; `automatic` without an archive
  bool is_in_memory() const noexcept;         ///< opened by from_memory; its views raise no signal unless it may change
  const char* mode_reason() const noexcept;   ///< why this mode, for people: "network file system (NFS)"
  const open_options& options() const noexcept;  ///< options that the archive was opened with

  tgmap::index_status index_status() const noexcept;  ///< if it was opened with an index, and if not, why

  /// Returns a copy of the bytes of the index that the archive uses, for other processes. Throws std::bad_alloc.
  /// Errors: no_archive, no_index, file_shrank, io.
  /// Complexity: O(bytes of the index).
  std::vector<std::byte> index_bytes() const;
  std::vector<std::byte> index_bytes(failure&) const;

  /// Divides the archive into at most `count` parts of about as many bytes, each of one message or more. Every message
  /// is in exactly one part, and a part that is opened on its own has the same messages. Parts begin and end where one
  /// message directly follows another, so damage is inside of parts. An archive without messages has no parts; one with
  /// more than `max_gaps` gaps is one part. Completes the scan. Throws std::bad_alloc.
  /// Errors: no_archive, io; invalid_option (`count` is 0); with an index also index_damaged, index_mismatch; damaged
  /// at a gap under `on_damage::stop`. The overload with `failure&` then still divides the bytes before the gap.
  /// Complexity: O(count · log messages) after the scan; with damage at most O(messages) more.
  std::vector<archive_part> partition(std::size_t count) const;
  std::vector<archive_part> partition(std::size_t count, failure&) const;

  tgmap::pin pin() const noexcept;  ///< keeps everything that handles and views borrow alive, on any thread

  /// Checks that the file still has the payload of an object, by one fstat, so that a view of it raises no signal yet.
  /// Errors: no_archive, file_shrank, io.
  failure check_not_truncated(const object&) const noexcept;

  /// Brings the payload of an object into memory. Reports truncation and I/O errors without a signal.
  /// Errors: no_archive, file_shrank, resident_limit, out_of_memory, io.
  /// Complexity: O(pages of the payload).
  failure prefetch(const object&) const noexcept;

  /// Copies the bytes [offset, offset + out.size()) by positioned reads, in every `io_mode`. Never raises a signal.
  /// Errors: no_archive, read_past_end, file_shrank, io.
  void read(std::uint64_t offset, std::span<std::byte> out) const;
  void read(std::uint64_t offset, std::span<std::byte> out, failure&) const noexcept;

  /// Returns a new handle that also sees messages appended since the archive was opened. Does not scan known messages
  /// again. This handle and its views do not change. The file stays the same one: see is_replaced(). If a `byte_source`
  /// has another version, the new handle is that of another archive, without an index; this one then reads nothing
  /// more. Errors: no_archive, file_shrank, io.
  archive reopen() const;
  archive reopen(failure&) const noexcept;

  /// Returns whether the path of the archive leads to another file now: one with another device and number. Returns
  /// false if it leads to none, and for archives that were not opened by a path, or from a pipe. Asks a `byte_source`
  /// whether it has another version now; if so, this archive reads nothing more.
  /// Errors: no_archive, io.
  [[nodiscard]] bool is_replaced() const;
  [[nodiscard]] bool is_replaced(failure&) const noexcept;

  explicit operator bool() const noexcept { return state_ != nullptr; }  ///< whether this is an open archive

 private:
  friend struct detail::access;
  std::shared_ptr<const detail::archive_state> state_;
};

}  // namespace v0
}  // namespace tgmap

/// \cond
template <>
inline constexpr bool std::ranges::disable_sized_range<tgmap::archive> = true;
/// \endcond

#include <tgmap/detail/archive_iterator.hpp>
