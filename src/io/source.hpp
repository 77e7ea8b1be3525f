// SPDX-License-Identifier: Apache-2.0
// The bytes of an archive, however they are reached: a mapping, a block of memory, or positioned reads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <tgmap/error.hpp>
#include <tgmap/options.hpp>
#include <vector>

#include "core/bus_guard.hpp"
#include "io/file.hpp"
#include "io/mapping.hpp"
#include "io/resident_pool.hpp"

namespace tgmap::io {

/// Whether what lies around some structure will be read as well: then the kernel may read ahead of it. `apart`: nothing
/// else on its pages ever will be, so that a positioned read costs less than the page fault of a mapping.
enum class locality : std::uint8_t { scattered, clustered, sparse };

/// Offsets count from the start of the archive; callers have checked that ranges fit `size()`.
/// Const members may run in any number of threads. Spans stay valid until the source is destroyed.
class source {
 public:
  /// Takes the file as far as `options.offset` and `options.length` say; spools what is no regular file.
  /// Errors: is_directory, invalid_option, of the operating system.
  static std::unique_ptr<source> from_file(file, const open_options&, failure&) noexcept;
  static std::unique_ptr<source> from_memory(std::span<const std::byte>, const open_options&, failure&) noexcept;
  static std::unique_ptr<source> from_memory(std::vector<std::byte>&&, const open_options&, failure&) noexcept;

  std::uint64_t size() const noexcept { return size_; }
  io_mode mode() const noexcept { return mode_; }
  const char* mode_reason() const noexcept { return reason_; }

  /// All bytes when they are mapped or in memory; else null.
  const std::byte* mapped() const noexcept { return memory_.data(); }

  /// Whether structure is read where it lies: the archive is in memory, or is mapped, many places of it were looked at,
  /// and a mapping_guard is in place and may be used. That may end at any time.
  bool direct() const noexcept {
    return structure_.load(std::memory_order_acquire) != nullptr &&
           (core::bus_guard_active.load(std::memory_order_relaxed) || !file_);
  }

  /// Says that many places will be looked at: from then on `direct()`, if that can be. Reads are cheaper for few.
  void expect_many() const noexcept;

  /// Asks whether the guard still is in place. Costs system calls where `direct()` needs a guard: for a scan or a
  /// batch.
  void check_guard() const noexcept {
    if (file_ && structure_.load(std::memory_order_relaxed) != nullptr) core::check_bus_guard();
  }

  /// Whether `size` bytes may be looked at where they lie by `look()`: they are in memory, or mapped and guarded. For
  /// few bytes nobody is asked for a guard.
  bool may_look(std::uint64_t size) const noexcept {
    constexpr std::uint64_t few = 64 << 10;
    if (memory_.data() == nullptr || !file_) return memory_.data() != nullptr;
    return guard_ != guard_use::never &&
           (core::bus_guard_active.load(std::memory_order_relaxed) || (size >= few && core::offer_bus_guard()));
  }

  /// Copies structure the cheapest way that cannot raise a signal. Errors: file_shrank, of the operating system.
  failure load(std::uint64_t offset, std::span<std::byte> out, locality what = locality::scattered) const noexcept {
    if (!direct()) {
      if (looks_.load(std::memory_order_relaxed) < few_looks &&
          looks_.fetch_add(1, std::memory_order_relaxed) + 1 == few_looks)
        expect_many();
      return read(offset, out);
    }
    if (!file_) {
      std::memcpy(out.data(), memory_.data() + offset, out.size());
      return {};
    }
    if (what == locality::sparse) return read(offset, out);
    const std::byte* const from =
        (what == locality::clustered ? memory_.data() : structure_.load(std::memory_order_relaxed)) + offset;
    // What a fault was about, a positioned read says; by then the bytes may even be there again.
    return core::guarded_copy(out, from) ? failure{} : read(offset, out);
  }

  /// Calls `look(bytes)` on all bytes where they lie, if `may_look` was true just before, for what passes over many
  /// in a row: the kernel reads ahead. It must not throw and owns nothing meanwhile. Errors: file_shrank, of the
  /// operating system.
  template <class Look>
  failure look(Look&& look) const noexcept {
    if (file_) return core::guarded([&]() noexcept { look(memory_); }) ? failure{} : fault();
    look(memory_);
    return {};
  }

  /// Whether the file still holds all bytes. The rest of its last page reads as zeros through a mapping, without a
  /// signal: ask before damage is believed. Errors: file_shrank, of the operating system.
  failure whole() const noexcept;

  /// Copies by positioned reads where there is a file: truncation and I/O errors are errors, never signals.
  failure read(std::uint64_t offset, std::span<std::byte> out) const noexcept;

  /// The same, telling whether a file's bytes were in the page cache.
  failure read(std::uint64_t offset, std::span<std::byte> out, read_cost&) const noexcept;

  /// Asks for bytes that will be read soon, where there is a file.
  void will_need(std::uint64_t offset, std::uint64_t size) const noexcept {
    if (file_) file_.will_need(begin_ + offset, size);
  }

  /// Tells the processor that structure will be looked at there soon. Touches nothing.
  void expect(std::uint64_t offset, std::size_t size) const noexcept {
    const std::byte* const in = structure_.load(std::memory_order_relaxed);
    if (in == nullptr || size_ < size || offset > size_ - size) return;
    constexpr std::size_t cache_line = 64;
    for (std::size_t at = 0; at < size; at += cache_line) __builtin_prefetch(in + offset + at);
  }

  /// Whether the bytes lie in a file: then a positioned read of a page that no mapping has touched yet is the cheaper
  /// way to a few bytes of it, since the mapping costs a fault.
  bool in_file() const noexcept { return static_cast<bool>(file_); }

  /// Whether others can change the bytes, or take them away: those of a file, unless it is mapped and sealed.
  bool may_change() const noexcept { return file_ && !sealed_; }

  /// The bytes where they lie, or read once into memory that the source owns. Errors: as resident_pool::view.
  std::span<const std::byte> view(std::uint64_t offset, std::uint64_t size, budget what, failure& why) const noexcept {
    if (memory_.data() != nullptr)
      return memory_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
    return resident_view(offset, size, what, why);
  }

  /// Makes sure that the bytes can be touched. Errors: file_shrank, of the operating system, as view.
  failure prefetch(std::uint64_t offset, std::uint64_t size) const noexcept;

  /// Whether [offset, offset + pattern.size()) for an offset in [from, to) holds `pattern`; `to` when none does.
  /// O(to - from).
  std::uint64_t find(std::span<const std::byte> pattern, std::uint64_t from, std::uint64_t to, failure&) const noexcept;

  /// The same bytes and what was appended since. Errors: file_shrank, of the operating system.
  std::unique_ptr<source> refreshed(const open_options&, failure&) const noexcept;

  /// For a source made by from_memory or from_file.
  source(file f, std::uint64_t begin, std::uint64_t size, const open_options& options) noexcept
      : file_(std::move(f)), begin_(begin), size_(size), guard_(options.guard), resident_(options.max_resident_bytes) {}

 private:
  /// Why a look has failed.
  failure fault() const noexcept;
  std::span<const std::byte> resident_view(std::uint64_t offset, std::uint64_t size, budget, failure&) const noexcept;
  void choose_mode(const open_options&, failure&) noexcept;

  /// Structure is read until so many looks were needed; from then on another mapping and its page faults cost less.
  static constexpr std::uint32_t few_looks = 32;

  file file_;
  mapping mapping_;
  std::shared_ptr<const std::vector<std::byte>> owner_;  ///< of memory that was given away
  std::span<const std::byte> memory_;                    ///< for views
  std::uint64_t begin_ = 0;                              ///< of the archive in the file
  std::uint64_t size_ = 0;
  guard_use guard_ = guard_use::automatic;

  // The same bytes for load(): of a file by a mapping without read-ahead, made when many places are looked at.
  mutable std::atomic<const std::byte*> structure_{nullptr};
  mutable std::atomic<std::uint32_t> looks_{0};
  mutable std::mutex making_;  ///< for the next
  mutable mapping structure_mapping_;
  io_mode mode_ = io_mode::read;
  const char* reason_ = "";
  bool sealed_ = false;  ///< mapped bytes that nobody can change
  resident_pool resident_;
};

}  // namespace tgmap::io
