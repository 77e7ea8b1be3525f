// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <iterator>
#include <memory>
#include <ranges>
#include <span>
#include <stop_token>
#include <tgmap/gap.hpp>
#include <tgmap/message.hpp>
#include <tgmap/options.hpp>
#include <tgmap/tensor.hpp>
#include <utility>
#include <vector>

namespace tgmap {
inline namespace v0 {

class selected_messages;  // with selected_objects in where.hpp
class selected_objects;
class selection;

/// An archive of messages one after another. A cheap shared handle: copies share mapping and message table.
///
/// Opening reads nothing. Messages are found lazily, 16 bytes of memory each; random access to message i scans to i at
/// most. Every const member may run in any number of threads: who asks for known messages never waits, who needs bytes
/// not scanned yet waits only until those are. Handles and views borrow: keep the archive or a `pin()`.
/// A view of a mapped file that is cut can raise SIGBUS; the library's own reads do not: see docs/threat_model.md.
class TGMAP_API archive {
 public:
  archive() noexcept = default;  ///< no archive: every access is `errc::no_archive`

  /// Opens a file: one open, one fstat, one fstatfs, one mmap, in constant time. Pipes are spooled into an unlinked
  /// temporary file. Errors: io (also: not found), is_directory, invalid_option, out_of_memory. What is thrown names
  /// the file.
  explicit archive(const std::filesystem::path&, const open_options& = {});
  static archive open(const std::filesystem::path&, const open_options&, failure&) noexcept;
  static archive open(const std::filesystem::path& path, failure& why) noexcept { return open(path, {}, why); }

  /// Opens what a descriptor names; the descriptor is duplicated, its position is not used (pipes: read to the end).
  static archive from_descriptor(int descriptor, const open_options& = {});
  static archive from_descriptor(int descriptor, const open_options&, failure&) noexcept;
  static archive from_descriptor(int descriptor, failure& why) noexcept { return from_descriptor(descriptor, {}, why); }

  /// Opens a block of memory, which must outlive the archive, its copies and its pins. Not copied: `io` makes no
  /// difference, and mode() is `map`.
  static archive from_memory(std::span<const std::byte>, const open_options& = {});
  static archive from_memory(std::span<const std::byte>, const open_options&, failure&) noexcept;
  static archive from_memory(std::span<const std::byte> bytes, failure& why) noexcept {
    return from_memory(bytes, {}, why);
  }

  /// Takes a block of memory. The archive, its copies and its pins own the bytes; else as the one that borrows them.
  static archive from_memory(std::vector<std::byte>&&, const open_options& = {});
  static archive from_memory(std::vector<std::byte>&&, const open_options&, failure&) noexcept;
  static archive from_memory(std::vector<std::byte>&& bytes, failure& why) noexcept {
    return from_memory(std::move(bytes), {}, why);
  }

  /// Reads a stream to its end into an unlinked temporary file and opens that; see also iostreams.hpp.
  static archive from_stream(std::istream&, const open_options& = {});
  static archive from_stream(std::istream&, const open_options&, failure&) noexcept;
  static archive from_stream(std::istream& stream, failure& why) noexcept { return from_stream(stream, {}, why); }

  /// Message `i`. Scans to `i` at most. Errors: out_of_range; damaged (a gap lies before it, `on_damage::stop`); io.
  message operator[](std::size_t i) const&;
  message at(std::size_t i, failure&) const& noexcept;

  /// Message `n` counted from the end: `from_end(0)` is the last, `[size() - 1 - n]`. Walks postambles backwards while
  /// each is sound version 3 with a length: two page reads each, nothing scanned; else scans forward. A forged file can
  /// have two readings: what a completed scan has found is the one that counts, see docs/format.md.
  message nth_from_end(std::size_t n) const&;
  message nth_from_end(std::size_t n, failure&) const& noexcept;
  message back() const& { return nth_from_end(0); }

  /// The message that begins at that archive offset, whatever lies before. Scans nothing; it has no number until a
  /// scan has reached it. Errors: out_of_range; what is wrong there (10–19, for streams 30–36).
  message at_offset(std::uint64_t offset) const&;
  message at_offset(std::uint64_t offset, failure&) const& noexcept;

  message operator[](std::size_t) const&& = delete;  // a handle would outlive the archive
  message at(std::size_t, failure&) const&& = delete;
  message nth_from_end(std::size_t) const&& = delete;
  message nth_from_end(std::size_t, failure&) const&& = delete;
  message back() const&& = delete;
  message at_offset(std::uint64_t) const&& = delete;
  message at_offset(std::uint64_t, failure&) const&& = delete;

  /// Number of messages. Completes the scan: O(messages), hence an archive is no `std::ranges::sized_range`.
  /// Under `on_damage::stop` a gap is `errc::damaged`; the second form then still returns the messages before it.
  std::size_t size() const;
  std::size_t size(failure&) const noexcept;

  /// Scans on, up to about `max_bytes` further bytes of the archive, or until asked to stop. For progress bars and
  /// services. Errors: io. Damage is no error here: it ends up in gaps().
  progress scan(std::uint64_t max_bytes = UINT64_MAX, const std::stop_token& = {}) const;
  progress scan(std::uint64_t max_bytes, const std::stop_token&, failure&) const noexcept;
  progress scan(failure& why) const noexcept { return scan(UINT64_MAX, {}, why); }
  progress scan_progress() const noexcept;  ///< what is known now; never waits

  /// Messages in order, scanning as it goes. Throws what operator[] throws.
  class iterator;
  iterator begin() const&;
  void begin() const&& = delete;
  std::default_sentinel_t end() const noexcept { return {}; }

  /// The messages, or the objects, that a selection matches: lazy ranges that scan and read metadata as they are
  /// iterated. To call them include where.hpp, which says more.
  selected_messages find(const selection&) const&;
  selected_objects objects(const selection&) const&;
  selected_messages find(const selection&) const&& = delete;
  selected_objects objects(const selection&) const&& = delete;

  std::vector<gap> gaps() const;  ///< gaps known so far, in order; throws std::bad_alloc

  /// Returns whether the scan is complete: no more messages, gaps or tail will be found. It is complete at the end of
  /// the archive, and under `on_damage::stop` at the first gap. Never scans; false without an archive.
  bool is_complete() const noexcept { return scan_progress().is_complete; }

  /// Returns the incomplete message at the end of the archive, if the scan has met one. Nothing means that there is
  /// none or, unless is_complete(), that the scan has not come that far. Never scans.
  std::optional<tgmap::incomplete_tail> incomplete_tail() const noexcept;

  std::uint64_t size_bytes() const noexcept;  ///< size of the archive when it was opened
  io_mode mode() const noexcept;              ///< map or read, as chosen
  bool is_in_memory() const noexcept;         ///< made by from_memory: no view of it raises a signal
  const char* mode_reason() const noexcept;   ///< why, for people: "network file system (NFS)"
  const open_options& options() const noexcept;

  /// Keeps everything that handles and views borrow alive, on any thread.
  tgmap::pin pin() const noexcept;

  /// Brings the payload of an object of this archive into memory and reports truncation and I/O errors without a
  /// signal. O(pages of it). Errors: no_archive, file_shrank, resident_limit, out_of_memory, io.
  failure prefetch(const object&) const noexcept;

  /// Copies archive bytes [offset, offset + out.size()) by positioned reads, in every io_mode: truncation and I/O
  /// errors are errors, never signals. Errors: no_archive, read_beyond, file_shrank, io.
  void read(std::uint64_t offset, std::span<std::byte> out) const;
  void read(std::uint64_t offset, std::span<std::byte> out, failure&) const noexcept;

  /// A new handle that also sees messages appended meanwhile; this one and its views are unchanged. Known messages are
  /// not scanned again. Errors: file_shrank, io.
  archive reopen() const;
  archive reopen(failure&) const noexcept;

  explicit operator bool() const noexcept { return state_ != nullptr; }

 private:
  friend struct detail::access;
  std::shared_ptr<const detail::archive_state> state_;
};

class archive::iterator {  // an input iterator; see archive::begin
 public:
  using value_type = message;
  using difference_type = std::ptrdiff_t;
  using iterator_concept = std::input_iterator_tag;
  iterator() noexcept = default;
  explicit iterator(const archive& of) : archive_(&of) { load(); }
  const message& operator*() const noexcept { return current_; }
  const message* operator->() const noexcept { return &current_; }
  iterator& operator++() {
    ++index_;
    load();
    return *this;
  }
  void operator++(int) { ++*this; }
  bool operator==(std::default_sentinel_t) const noexcept { return archive_ == nullptr; }

 private:
  TGMAP_API void load();
  const archive* archive_ = nullptr;
  std::size_t index_ = 0;
  message current_{};
};

inline archive::iterator archive::begin() const& { return iterator(*this); }

}  // namespace v0
}  // namespace tgmap

template <>
inline constexpr bool std::ranges::disable_sized_range<tgmap::archive> = true;
