// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tgmap/tools/copy.hpp>
#include <utility>
#include <vector>

#include "edit/output/output_set.hpp"

namespace tgmap::edit {

/// A `range_copier` appends byte ranges of archives to outputs. It joins adjacent ranges, leaves large ones to the
/// system where possible, and gathers small ones. Its memory is bounded, however many outputs there are.
class range_copier {
 public:
  /// Appends a range of the archive. Lifetime: source and output must live until `finish`. Errors: throws write_error;
  /// tgmap::error if the archive cannot be read.
  void copy(const copy_source&, std::uint64_t offset, std::uint64_t length, output_set::output& to);

  /// Appends new bytes behind the ranges, and copies them if it gathers. Errors: as `copy`.
  void write(std::span<const std::byte>, output_set::output& to);

  /// Writes everything that is pending or gathered.
  void finish();

 private:
  struct pending {
    const copy_source* from = nullptr;
    std::uint64_t begin = 0, end = 0;   ///< a range that may grow; written after `gathered`
    std::vector<std::byte> gathered{};  ///< small ranges
  };

  void write_range(pending&, output_set::output&);
  std::span<std::byte> extend_gathered(pending&, std::size_t bytes);
  void limit_gathered(pending&, output_set::output&);
  void write_gathered(pending&, output_set::output&);

  std::map<output_set::output*, pending> pending_{};
  std::uint64_t gathered_bytes_ = 0;  ///< of all outputs
};

}  // namespace tgmap::edit
