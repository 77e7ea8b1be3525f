// SPDX-License-Identifier: Apache-2.0
// The bytes of an archive: a mapping, a block of memory, a file that is read, or a byte_source.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <tgmap/error.hpp>
#include <tgmap/options.hpp>
#include <vector>

#include "core/bus_guard.hpp"
#include "io/block_reads.hpp"
#include "io/byte_source_reader.hpp"
#include "io/file.hpp"
#include "io/mapping.hpp"
#include "io/resident_pool.hpp"

namespace tgmap::io {

/// Says if the bytes around a read will be read, too. `scattered`: they will not, so the kernel must not read ahead.
/// `clustered`: they will, so the kernel may read ahead. `sparse`: no other byte of the page will be read, so a
/// positioned read costs less than the page fault of a mapping.
enum class locality : std::uint8_t { scattered, clustered, sparse };

/// A `source` is the bytes of one archive. Offsets count from its start. Callers have checked that ranges are within
/// `size()`.
/// Thread safety: const members may run in any number of threads.
/// Lifetime: spans are valid until the source is destroyed.
class source {
 public:
  /// Opens the range of the file that `options.offset` and `options.length` select. Copies pipes and devices to a
  /// temporary file first. Errors: is_directory, invalid_option, of the operating system.
  static std::unique_ptr<source> from_file(file, const open_options&, failure&) noexcept;
  static std::unique_ptr<source> from_memory(std::span<const std::byte>, memory, const open_options&,
                                             failure&) noexcept;
  static std::unique_ptr<source> from_memory(std::span<const std::byte> bytes, const open_options& options,
                                             failure& why) noexcept {
    return from_memory(bytes, memory::constant, options, why);
  }
  static std::unique_ptr<source> from_memory(std::vector<std::byte>&&, const open_options&, failure&) noexcept;

  /// The end of a byte_source that is read when it is opened: the start of an archive, the end of an index.
  enum class opening_end : std::uint8_t { front, back };

  /// Opens a byte_source, which must not be null. Errors: invalid_option, those of byte_source_reader.
  static std::unique_ptr<source> from_bytes(std::shared_ptr<byte_source>, const open_options&, failure&,
                                            opening_end = opening_end::front) noexcept;

  std::uint64_t size() const noexcept { return size_; }
  io_mode mode() const noexcept { return mode_; }
  const char* mode_reason() const noexcept { return mode_reason_; }

  /// Returns all bytes if they are mapped or in memory; otherwise null.
  const std::byte* mapped() const noexcept { return memory_.data(); }

  /// Checks if structure is read in place: the archive is in memory, or it is mapped, many places were read, and a
  /// mapping_guard is installed and may be used. May become false at any time.
  bool direct() const noexcept {
    return structure_.load(std::memory_order_acquire) != nullptr &&
           (core::bus_guard_active.load(std::memory_order_relaxed) || !file_);
  }

  /// Announces that many places will be read, and makes the source direct() if possible. For few places reads are
  /// cheaper.
  void expect_many() const noexcept;

  /// Checks that the guard is still installed. If the source is direct() under a guard, this takes system calls; call
  /// it once for a scan or a batch.
  void check_guard() const noexcept {
    if (file_ && structure_.load(std::memory_order_relaxed) != nullptr) core::check_bus_guard();
  }

  /// Checks if `look()` may be called for `size` bytes: they are in memory, or mapped under a guard. Installs no guard
  /// for few bytes.
  bool may_look(std::uint64_t size) const noexcept {
    if (memory_.data() == nullptr || !file_) return memory_.data() != nullptr;
    return guard_ != guard_use::never &&
           (core::bus_guard_active.load(std::memory_order_relaxed) || (size >= few_bytes && core::offer_bus_guard()));
  }

  /// Copies structure in the cheapest way that cannot raise a signal. Errors: file_shrank, of the operating system.
  failure load(std::uint64_t offset, std::span<std::byte> out, locality what = locality::scattered) const noexcept {
    if (!direct()) {
      if (structure_reads_.load(std::memory_order_relaxed) < min_mapped_reads &&
          structure_reads_.fetch_add(1, std::memory_order_relaxed) + 1 == min_mapped_reads)
        expect_many();
      block_reads* const ahead = file_ ? block_reads::of(*this) : nullptr;
      return ahead != nullptr ? ahead->read(offset, out) : read(offset, out);
    }
    if (is_constant_ && !file_) {
      std::memcpy(out.data(), memory_.data() + offset, out.size());
      return {};
    }
    if (!file_ || what == locality::sparse) return read(offset, out);
    const std::byte* const from =
        (what == locality::clustered ? memory_.data() : structure_.load(std::memory_order_relaxed)) + offset;
    // After a fault a positioned read finds the reason. It succeeds if the file has the bytes again.
    return core::guarded_copy(out, from) ? failure{} : read(offset, out);
  }

  /// Calls `look(bytes)` with all bytes in place, for callers that read many bytes in sequence. Requires that
  /// `may_look` was true just before. `look` must not throw, and must own nothing while it runs. Errors: file_shrank,
  /// of the operating system.
  template <class Look>
  failure look(Look&& look) const noexcept {
    if (may_fault()) return core::guarded([&]() noexcept { look(memory_); }) ? failure{} : fault();
    look(memory_);
    return {};
  }

  /// Does the same through the mapping for structure, for single pages far apart. Requires direct().
  template <class Look>
  failure look_at_structure(Look&& look) const noexcept {
    const std::span<const std::byte> all(structure_.load(std::memory_order_acquire), static_cast<std::size_t>(size_));
    if (may_fault()) return core::guarded([&]() noexcept { look(all); }) ? failure{} : fault();
    look(all);
    return {};
  }

  /// Checks that the file still holds all bytes. Through a mapping the rest of the last page reads as zeros, without a
  /// signal: call this before reporting damage. Errors: file_shrank, of the operating system.
  failure check_not_truncated() const noexcept;

  /// Copies by positioned reads if there is a file: truncation and I/O errors are errors, never signals. Copies memory
  /// that may change under the guard. Errors: file_shrank, of the operating system, those of byte_source_reader.
  failure read(std::uint64_t offset, std::span<std::byte> out) const noexcept;

  /// Copies the bytes from `offset` on into several buffers, one after the other: of a file mostly by one system call,
  /// of a byte_source by as few requests as possible. Errors: as above.
  failure read(std::uint64_t offset, std::span<const std::span<std::byte>> parts) const noexcept;

  /// Does the same, and reports if the bytes were in the page cache, or held of a byte_source. A stop request ends
  /// reads of a byte_source with operation_canceled.
  failure read(std::uint64_t offset, std::span<std::byte> out, read_cost&, const std::stop_token& = {}) const noexcept;

  /// Copies many ranges of structure as load() does. Those of a byte_source take as few requests as possible.
  failure load(std::span<const byte_request>) const noexcept;

  /// Requests bytes of a file or a byte_source that will be read soon.
  void will_need(std::uint64_t offset, std::uint64_t size) const noexcept {
    if (file_) file_.will_need(begin_ + offset, size);
    if (reader_) reader_->will_need(begin_ + offset, size);
  }

  /// Prefetches structure that will be read soon into the processor's cache. Causes no page fault.
  void expect(std::uint64_t offset, std::size_t size) const noexcept {
    const std::byte* const in = structure_.load(std::memory_order_relaxed);
    if (in == nullptr || size_ < size || offset > size_ - size) return;
    constexpr std::size_t cache_line = 64;
    for (std::size_t at = 0; at < size; at += cache_line) __builtin_prefetch(in + offset + at);
  }

  /// Returns true if the bytes are in a file. Then reading a few bytes of an untouched page is cheaper by a positioned
  /// read, because through the mapping it is a page fault.
  bool in_file() const noexcept { return static_cast<bool>(file_); }

  /// Returns true if the bytes are a block of memory that the caller passed.
  bool in_memory() const noexcept { return !file_ && !reader_; }

  /// Returns true if structure, and `payload` bytes of a payload, are read by system calls or by requests of a
  /// byte_source. Then one read of both costs less than one of each.
  bool reads_by_calls(std::uint64_t payload) const noexcept {
    const bool may_be_in_place =
        memory_.data() != nullptr && (is_constant_ || (guard_ != guard_use::never && payload >= few_bytes));
    return !in_memory() && !direct() && !may_be_in_place && block_reads::of(*this) == nullptr;
  }

  /// Returns true if reads may be ended by a stop request: those of a byte_source.
  bool can_stop() const noexcept { return reader_ != nullptr; }

  /// Returns true if other programs can change or remove the bytes: those of a file, unless it is mapped and sealed,
  /// those of a byte_source, and memory that was opened as such.
  bool may_change() const noexcept { return !is_constant_; }

  /// Returns true if the file is a temporary copy of a pipe or a device.
  bool is_copy() const noexcept { return is_copy_; }

  /// Returns whether a path leads to another file than this one; false for memory, for a temporary copy, and if it is
  /// empty or leads to no file. For a byte_source, returns whether it has another version now. Errors: of the operating
  /// system, of the byte_source.
  bool is_replaced_at(const std::filesystem::path&, failure&) const noexcept;

  /// Returns whether these may be the bytes of an older source, from which refreshed() made this one, and others behind
  /// them. False only if a byte_source has another version.
  bool continues(const source& older) const noexcept {
    return !reader_ || !older.reader_ || reader_->has_version_of(*older.reader_);
  }

  /// Returns the offset of the archive in the file or byte_source.
  std::uint64_t begin() const noexcept { return begin_; }

  /// Returns the stamp of the file as it is now; nothing for memory. That of a byte_source has a digest of its version
  /// as time, which the time of no file is.
  std::optional<file_stamp> stamp() const noexcept {
    return reader_ ? version_stamp() : file_ ? file_.stamp() : std::nullopt;
  }

  /// Returns the stamp of the file once a further change would get another time. May wait 2 s, as io::settled_stamp
  /// does. Returns nothing for memory. Throws std::bad_alloc.
  std::optional<file_stamp> settled_stamp() const { return file_ ? io::settled_stamp(file_) : stamp(); }

  /// Returns the number of the user who owns the file; nothing for memory, or if it is not known.
  std::optional<std::uint32_t> owner() const noexcept;

  /// Returns the bytes in place, or reads them once into memory that the source owns. Errors: as resident_pool::view.
  std::span<const std::byte> view(std::uint64_t offset, std::uint64_t size, budget budget,
                                  failure& why) const noexcept {
    if (memory_.data() != nullptr)
      return memory_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
    return resident_view(offset, size, budget, why);
  }

  /// Makes sure that the bytes can be read. Errors: file_shrank, of the operating system, those of view.
  failure prefetch(std::uint64_t offset, std::uint64_t size) const noexcept;

  /// Returns the first offset in [from, to) at which the bytes hold `pattern`; `to` if there is none. Complexity: O(to
  /// - from).
  std::uint64_t find(std::span<const std::byte> pattern, std::uint64_t from, std::uint64_t to, failure&) const noexcept;

  /// Opens the same bytes, and those appended since; or other ones, if a byte_source has another version. Errors:
  /// file_shrank, of the operating system, of the byte_source.
  std::unique_ptr<source> refreshed(const open_options&, failure&) const noexcept;

  /// Use from_memory, from_file or from_bytes instead.
  source(file f, std::uint64_t begin, std::uint64_t size, const open_options& options) noexcept
      : file_(std::move(f)), begin_(begin), size_(size), guard_(options.guard), resident_(options.max_resident_bytes) {}

 private:
  /// Returns true if reading the bytes in place can raise a signal.
  bool may_fault() const noexcept { return file_ || !is_constant_; }

  /// Returns why look() has failed.
  failure fault() const noexcept;
  std::span<const std::byte> resident_view(std::uint64_t offset, std::uint64_t size, budget, failure&) const noexcept;
  void choose_mode(const open_options&, failure&) noexcept;
  std::optional<file_stamp> version_stamp() const noexcept;
  static std::unique_ptr<source> from_reader(std::unique_ptr<const byte_source_reader>, const open_options&,
                                             failure&) noexcept;

  /// From this number of reads on, a separate mapping for structure costs less than further reads.
  static constexpr std::uint32_t min_mapped_reads = 32;

  /// Fewer bytes are read by a call, even if a guard would allow to read them in place.
  static constexpr std::uint64_t few_bytes = 64 << 10;

  // One of these has the bytes, or neither: then they are memory.
  file file_;
  std::unique_ptr<const byte_source_reader> reader_;
  mapping mapping_;
  std::shared_ptr<const std::vector<std::byte>> owner_;  ///< of memory that the caller passed on
  std::span<const std::byte> memory_;                    ///< for views
  std::uint64_t begin_ = 0;                              ///< offset of the archive in the file or byte_source
  std::uint64_t size_ = 0;
  guard_use guard_ = guard_use::automatic;

  // The bytes for load(). Of a file: a second mapping without read-ahead, made when many places are read.
  mutable std::atomic<const std::byte*> structure_{nullptr};
  mutable std::atomic<std::uint32_t> structure_reads_{0};
  mutable std::mutex structure_mutex_;  ///< guards structure_mapping_
  mutable mapping structure_mapping_;
  io_mode mode_ = io_mode::read;
  const char* mode_reason_ = "";
  bool is_constant_ = false;  ///< nobody can change the mapped bytes
  bool is_copy_ = false;      ///< see is_copy()
  resident_pool resident_;
};

}  // namespace tgmap::io
