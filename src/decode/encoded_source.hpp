// SPDX-License-Identifier: Apache-2.0
// Reads the encoded bytes of an object, which are its decompressed payload, whole or in parts.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tgmap/object.hpp>

#include "codec/partial_decompressor.hpp"
#include "core/memory.hpp"
#include "decode/plan.hpp"

namespace tgmap::decode {

using codec::extent;

/// A `workspace` is the buffers between stages of one thread.
struct workspace {
  codec::partial_buffers codec{};  ///< stored bytes
  core::scratch encoded{};         ///< decompressed bytes
  core::scratch unshuffled{};      ///< unshuffled bytes
  core::scratch masks{};
  core::scratch whole{};     ///< the whole decompressed payload, if a part cannot be decompressed by itself
  core::scratch verified{};  ///< stored bytes whose hash was compared

  /// Frees buffers that are too large to be kept for the next object.
  void trim() noexcept {
    for (core::scratch* each : {&codec.stored, &codec.other, &encoded, &unshuffled, &masks, &whole, &verified})
      each->trim();
  }
};

/// Returns the workspace of this thread, which lets consecutive objects share memory.
workspace& thread_workspace() noexcept;

/// How the encoded bytes will be read.
enum class reading : std::uint8_t {
  whole,           ///< at once
  parts,           ///< in arbitrary parts; if a part cannot be decompressed by itself, the whole is
  whole_in_parts,  ///< all of it, piece by piece; fails if a piece fails
};

/// An `encoded_source` reads the encoded bytes of one object.
/// Thread safety: const members may run in any number of threads, each with its own workspace.
class encoded_source final : public codec::payload_reader {
 public:
  /// Opens an object. Unless it is read at once, reads the offsets of its pieces.
  /// Errors: those of the codec and of object::read.
  /// Lifetime: the arguments must outlive this.
  failure open(const plan&, const object&, reading) noexcept;

  /// Returns whether only the whole can be read.
  bool whole_only() const noexcept { return plan_->compression != nullptr && !has_parts(); }
  bool compressed() const noexcept { return plan_->compression != nullptr; }
  extent all() const noexcept { return {0, plan_->encoded}; }

  /// Returns the smallest readable extent that contains `wanted`.
  extent around(extent wanted) const noexcept;

  /// Returns the number of stored bytes that reading an extent takes.
  std::uint64_t cost(extent) const noexcept;

  /// Fills `out` with an extent returned by `around`. The bytes equal those of the whole, however they are read.
  /// Errors: those of object::decode.
  failure read(extent, workspace&, std::span<std::byte> out) const noexcept;

  /// Compares the piece offsets of the descriptor with the stored bytes.
  /// Errors: bad_parameter (found = index of the wrong offset), those of object::read.
  failure check_offsets(workspace&) const noexcept;

  /// Remembers that every piece was read without a failure, which proves all offsets.
  void remember_all_offsets() const noexcept;

  // payload_reader, for codecs.
  std::uint64_t size() const noexcept override { return plan_->stored; }
  failure read(std::uint64_t at, std::span<std::byte> out) const noexcept override;
  std::span<const std::byte> in_memory() const noexcept override;
  std::uint64_t checked_offsets() const noexcept override { return proven_.load(std::memory_order_relaxed); }
  void remember_checked_offsets(std::uint64_t count) const noexcept override;

 private:
  bool has_parts() const noexcept { return parts_ && !parts_failed_.load(std::memory_order_relaxed); }
  failure read_whole(extent, workspace&, std::span<std::byte> out) const noexcept;
  failure decompress_all(workspace&, std::span<std::byte> out) const noexcept;

  const plan* plan_ = nullptr;
  const object* from_ = nullptr;
  bool always_by_parts_ = false, reads_everything_ = false;
  mutable std::atomic<bool> parts_failed_{false};  ///< a part could not be decompressed, but the whole could
  mutable std::atomic<std::uint64_t> proven_{0};   ///< offsets that are right
  std::unique_ptr<const codec::partial_decompressor> parts_{};
};

}  // namespace tgmap::decode
