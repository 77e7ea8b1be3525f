// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "cli/outputs/copy_source.hpp"
#include "cli/outputs/output_set.hpp"

namespace tgmap::cli {

/// Moves ranges of archives to the ends of outputs, byte for byte. Ranges that follow each other are one; large ones
/// are moved by the system alone where it can, small ones are gathered. Constant memory, whatever the outputs.
class range_copier {
 public:
  /// Both must live until `finish`. Throws file_error; tgmap::error when the archive cannot be read.
  void copy(const copy_source&, std::uint64_t offset, std::uint64_t length, output_set::output& to);

  /// Bytes that are made anew, behind the ranges. Borrowed for the call. Throws file_error; tgmap::error as above.
  void write(std::span<const std::byte>, output_set::output& to);

  /// What has waited for more of its kind.
  void finish();

 private:
  struct waiting {
    const copy_source* from = nullptr;
    std::uint64_t begin = 0, end = 0;   ///< of one range, to be moved behind
    std::vector<std::byte> gathered{};  ///< this
  };

  void settle(waiting&, output_set::output&);
  /// Room for bytes that are gathered, and what is done once they are there.
  std::span<std::byte> more(waiting&, std::size_t bytes);
  void keep_within_bounds(waiting&, output_set::output&);
  void write_gathered(waiting&, output_set::output&);

  std::map<output_set::output*, waiting> waiting_{};
  std::uint64_t gathered_ = 0;  ///< for all outputs
};

}  // namespace tgmap::cli
