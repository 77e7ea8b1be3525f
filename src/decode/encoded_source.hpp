// SPDX-License-Identifier: Apache-2.0
// The encoded form of an object, which is what lies behind its compression, whole or in parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tgmap/object.hpp>

#include "codec/partial.hpp"
#include "core/memory.hpp"
#include "decode/plan.hpp"

namespace tgmap::decode {

using codec::extent;

/// Buffers between stages, for one thread.
struct workspace {
  codec::part_buffers codec{};  ///< what is compressed
  core::scratch encoded{};      ///< what an encoding or a filter still holds back
  core::scratch unshuffled{};   ///< what an encoding still holds back
  core::scratch masks{};

  /// Gives back what is too large to be kept for the next object.
  void trim() noexcept {
    for (core::scratch* each : {&codec.stored, &codec.other, &encoded, &unshuffled, &masks}) each->trim();
  }
};

/// The one that lives as long as its thread, so that objects decoded one after another need no new memory.
workspace& workspace_of_this_thread() noexcept;

/// Const members may run in any number of threads, each with a workspace of its own.
class encoded_source final : public codec::stored_bytes {
 public:
  /// What it refers to must outlive it. `by_parts`: also find out how to read less than all; that reads the places of
  /// pieces. Errors: those of the codec, of object::read.
  failure open(const plan&, const object&, bool by_parts) noexcept;

  /// Nothing less than all can be read.
  bool whole_only() const noexcept { return plan_->compression != nullptr && !parts_; }
  bool compressed() const noexcept { return plan_->compression != nullptr; }
  extent all() const noexcept { return {0, plan_->encoded}; }

  /// The least that can be read and holds `wanted`.
  extent around(extent wanted) const noexcept;

  /// Stored bytes that reading it takes.
  std::uint64_t cost(extent) const noexcept;

  /// Fills `out` with an extent that `around` gave. Errors: as object::decode.
  failure read(extent, workspace&, std::span<std::byte> out) const noexcept;

  // The stored bytes, for codecs.
  std::uint64_t size() const noexcept override { return plan_->stored; }
  failure read(std::uint64_t at, std::span<std::byte> out) const noexcept override;
  std::span<const std::byte> in_memory() const noexcept override;

 private:
  failure decompress_all(workspace&, std::span<std::byte> out) const noexcept;

  const plan* plan_ = nullptr;
  const object* from_ = nullptr;
  bool always_by_parts_ = false;
  std::unique_ptr<const codec::partial_decompressor> parts_{};
};

}  // namespace tgmap::decode
