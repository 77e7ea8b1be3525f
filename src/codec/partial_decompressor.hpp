// SPDX-License-Identifier: Apache-2.0
// Decompressing less than all: what a codec offers whose stored bytes fall into pieces that stand by themselves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tgmap/descriptor.hpp>
#include <tgmap/error.hpp>

#include "codec/codec_parameters.hpp"
#include "core/memory.hpp"

namespace tgmap::codec {

/// Bytes [begin, end) of what is decompressed.
struct extent {
  std::uint64_t begin = 0, end = 0;
  constexpr std::uint64_t size() const noexcept { return end - begin; }
  friend constexpr bool operator==(extent, extent) noexcept = default;
};

/// The stored bytes of one payload. Any thread.
class stored_bytes {
 public:
  virtual ~stored_bytes() = default;
  virtual std::uint64_t size() const noexcept = 0;
  /// Copies [at, at + out.size()), which is within the size. Errors: file_shrank, io.
  virtual failure read(std::uint64_t at, std::span<std::byte> out) const noexcept = 0;
  /// All of them where they lie, when they cannot change; else nothing.
  virtual std::span<const std::byte> in_memory() const noexcept { return {}; }

  /// How many places of pieces were found to be right before, from the first one on. Codecs ask that have to look for
  /// it at all that lies before a piece.
  virtual std::uint64_t proven_places() const noexcept { return 0; }
  /// That many were found to be right.
  virtual void remember_places(std::uint64_t) const noexcept {}

 protected:
  stored_bytes() = default;
  stored_bytes(const stored_bytes&) = default;
  stored_bytes& operator=(const stored_bytes&) = default;
};

/// Those that are the caller's, or a copy.
class bytes_in_memory final : public stored_bytes {
 public:
  explicit bytes_in_memory(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  std::uint64_t size() const noexcept override { return bytes_.size(); }
  failure read(std::uint64_t at, std::span<std::byte> out) const noexcept override {
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(at), out.size(), out.begin());
    return {};
  }
  std::span<const std::byte> in_memory() const noexcept override { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

/// Buffers for one thread, used again for the next part.
struct part_buffers {
  core::scratch stored{};
  core::scratch other{};
};

/// Knows where the pieces are. Any number of threads may read through one, each with its own buffers.
class partial_decompressor {
 public:
  virtual ~partial_decompressor() = default;

  /// The smallest run of whole pieces that holds `wanted`, which is not empty and within what is decompressed.
  virtual extent around(extent wanted) const noexcept = 0;

  /// Stored bytes that reading such a run takes.
  virtual std::uint64_t cost(extent pieces) const noexcept = 0;

  /// Decompresses a run of whole pieces. `out` is of its size; after a failure it holds anything.
  /// Errors: as decompressor::run, and those of stored_bytes::read.
  virtual failure read(extent pieces, const stored_bytes&, part_buffers&, std::span<std::byte> out) const noexcept = 0;

  /// Holds the places of all pieces against the stored bytes, where something else tells them than these bytes.
  /// Errors: bad_parameter (found = number of the piece), those of stored_bytes::read.
  virtual failure check_places(const stored_bytes&, part_buffers&) const noexcept { return {}; }

 protected:
  partial_decompressor() = default;
  partial_decompressor(const partial_decompressor&) = default;
  partial_decompressor& operator=(const partial_decompressor&) = default;
};

/// What opening one may look at. `size`: bytes of what is decompressed, not 0. `all_are_read`: every piece will be, and
/// nothing counts if one of them fails.
struct part_source {
  const descriptor& what;
  const codec_parameters& parameters;
  const stored_bytes& stored;
  std::uint64_t size;
  bool all_are_read = false;
};

}  // namespace tgmap::codec
