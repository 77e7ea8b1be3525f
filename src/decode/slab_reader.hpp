// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/decode/part_reader.hpp>
#include <vector>

#include "decode/range_decoder.hpp"
#include "decode/slab_runs.hpp"

namespace tgmap::decode {

/// One box and where it goes.
struct slab_request {
  slab_runs runs;
  std::span<std::byte> out;
};

/// Reads boxes of one object along the payload, window by window, so that what is decompressed together is
/// decompressed once for all of them.
class slab_reader {
 public:
  slab_reader(const range_decoder& by, const plan& p, std::uint64_t read_ahead) noexcept
      : by_(by), plan_(p), read_ahead_(read_ahead) {}

  /// Fills the boxes. Errors: as object::decode; std::bad_alloc is thrown.
  failure read(std::vector<slab_request>&, workspace&) const;

  /// What that would take; `out` is not looked at.
  part_cost cost(std::vector<slab_request>&) const;

 private:
  extent window_at(const slab_runs& next) const noexcept;
  template <class Load, class Take>
  failure each_window(std::vector<slab_request>&, Load&&, Take&&) const;
  void put(const window&, const run&, std::span<std::byte> out) const noexcept;
  void put_bits(const window&, const run&, std::span<std::byte> out) const noexcept;

  const range_decoder& by_;
  const plan& plan_;
  std::uint64_t read_ahead_;
};

}  // namespace tgmap::decode
