// SPDX-License-Identifier: Apache-2.0
// The encoded form of an object, which is what lies behind its compression, whole or in parts.
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

/// Buffers between stages, for one thread.
struct workspace {
  codec::partial_buffers codec{};  ///< what is compressed
  core::scratch encoded{};         ///< what an encoding or a filter still holds back
  core::scratch unshuffled{};      ///< what an encoding still holds back
  core::scratch masks{};
  core::scratch whole{};  ///< all that is compressed, where a part could not be had otherwise

  /// Gives back what is too large to be kept for the next object.
  void trim() noexcept {
    for (core::scratch* each : {&codec.stored, &codec.other, &encoded, &unshuffled, &masks, &whole}) each->trim();
  }
};

/// The one that lives as long as its thread, so that objects decoded one after another need no new memory.
workspace& thread_workspace() noexcept;

/// How an encoded form is going to be read.
enum class reading : std::uint8_t {
  whole,           ///< at once
  parts,           ///< any parts of it; one that cannot be had by itself is cut out of the whole
  whole_in_parts,  ///< all of it, piece by piece; it fails where a piece does
};

/// Const members may run in any number of threads, each with a workspace of its own.
class encoded_source final : public codec::payload_reader {
 public:
  /// What it refers to must outlive it. Where it is not read at once, finds out how to read less than all; that reads
  /// the places of pieces. Errors: those of the codec, of object::read.
  failure open(const plan&, const object&, reading) noexcept;

  /// Nothing less than all can be read.
  bool whole_only() const noexcept { return plan_->compression != nullptr && !has_parts(); }
  bool compressed() const noexcept { return plan_->compression != nullptr; }
  extent all() const noexcept { return {0, plan_->encoded}; }

  /// The least that can be read and holds `wanted`.
  extent around(extent wanted) const noexcept;

  /// Stored bytes that reading it takes.
  std::uint64_t cost(extent) const noexcept;

  /// Fills `out` with an extent that `around` gave: with what the whole has there, however it is read.
  /// Errors: as object::decode.
  failure read(extent, workspace&, std::span<std::byte> out) const noexcept;

  /// Holds the places of pieces that the descriptor tells against the stored bytes.
  /// Errors: bad_parameter (found = number of the piece that is told wrong), those of object::read.
  failure check_offsets(workspace&) const noexcept;

  /// Each piece was read, and none failed.
  void remember_all_offsets() const noexcept;

  // The stored bytes, for codecs.
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
  mutable std::atomic<bool> parts_failed_{false};  ///< the whole is sound, and a part of it could not be had
  mutable std::atomic<std::uint64_t> proven_{0};   ///< places of pieces that are right
  std::unique_ptr<const codec::partial_decompressor> parts_{};
};

}  // namespace tgmap::decode
