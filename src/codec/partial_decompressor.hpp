// SPDX-License-Identifier: Apache-2.0
// Decompressing a part of a payload, for codecs whose streams consist of independent pieces.
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

/// An `extent` is a range [begin, end) of decompressed bytes.
struct extent {
  std::uint64_t begin = 0, end = 0;
  constexpr std::uint64_t size() const noexcept { return end - begin; }
  friend constexpr bool operator==(extent, extent) noexcept = default;
};

/// A `payload_reader` reads the stored bytes of one payload. Thread safety: any thread.
class payload_reader {
 public:
  virtual ~payload_reader() = default;
  virtual std::uint64_t size() const noexcept = 0;
  /// Copies the bytes [at, at + out.size()), which must be inside the payload. Errors: file_shrank, io.
  virtual failure read(std::uint64_t at, std::span<std::byte> out) const noexcept = 0;
  /// Returns all bytes if they are in memory and cannot change; else an empty span.
  virtual std::span<const std::byte> in_memory() const noexcept { return {}; }

  /// Returns the number of piece offsets, from the first one on, that have been checked already. Codecs whose check
  /// reads everything before a piece use it to check only once.
  virtual std::uint64_t checked_offsets() const noexcept { return 0; }
  virtual void remember_checked_offsets(std::uint64_t) const noexcept {}

 protected:
  payload_reader() = default;
  payload_reader(const payload_reader&) = default;
  payload_reader& operator=(const payload_reader&) = default;
};

/// A `memory_payload_reader` reads bytes that the caller owns.
class memory_payload_reader final : public payload_reader {
 public:
  explicit memory_payload_reader(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  std::uint64_t size() const noexcept override { return bytes_.size(); }
  failure read(std::uint64_t at, std::span<std::byte> out) const noexcept override {
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(at), out.size(), out.begin());
    return {};
  }
  std::span<const std::byte> in_memory() const noexcept override { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

/// Buffers of one thread, reused from part to part.
struct partial_buffers {
  core::scratch stored{};
  core::scratch other{};
};

/// A `partial_decompressor` knows the pieces of one payload.
/// Thread safety: any number of threads, each with its own buffers.
class partial_decompressor {
 public:
  virtual ~partial_decompressor() = default;

  /// Returns the smallest range of whole pieces that contains `wanted`, which is not empty and inside the decompressed
  /// bytes.
  virtual extent around(extent wanted) const noexcept = 0;

  /// Returns the number of stored bytes to read for such a range.
  virtual std::uint64_t cost(extent pieces) const noexcept = 0;

  /// Decompresses a range of whole pieces into `out`, which has its size. After a failure `out` may hold anything.
  /// Errors: those of decompressor::run and payload_reader::read.
  virtual failure read(extent pieces, const payload_reader&, partial_buffers&,
                       std::span<std::byte> out) const noexcept = 0;

  /// Compares the offsets of all pieces with the stored bytes, if the offsets come from elsewhere.
  /// Errors: bad_parameter (found = index of the piece), those of payload_reader::read.
  virtual failure check_offsets(const payload_reader&, partial_buffers&) const noexcept { return {}; }

 protected:
  partial_decompressor() = default;
  partial_decompressor(const partial_decompressor&) = default;
  partial_decompressor& operator=(const partial_decompressor&) = default;
};

/// Input of decompressor::open_partial.
struct partial_source {
  const tgmap::descriptor& descriptor;
  const codec_parameters& parameters;
  const payload_reader& stored;
  std::uint64_t size;             ///< decompressed bytes, at least 1
  bool reads_everything = false;  ///< every piece will be read, and the result counts only if all succeed
};

}  // namespace tgmap::codec
