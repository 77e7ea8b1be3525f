// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/outputs/output_sink.hpp"
#include "cli/outputs/range_copier.hpp"
#include "cli/rewrite/layout_writers.hpp"
#include "cli/rewrite/message_parts.hpp"

namespace tgmap::cli {

/// Messages on their way into one file: made anew in whatever layout each has, or copied as they lie.
class rewritten_output {
 public:
  /// All must live longer.
  rewritten_output(const copy_source& from, output_set::output& to) : from_(&from), to_(&to), sink_(to) {}

  /// Throws tgmap::error; file_error.
  void write(const message_parts&);

  /// A range of the archive. Ranges that follow each other are one. Throws as above.
  void copy(std::uint64_t offset, std::uint64_t length);

  /// Puts out what is held back.
  void finish();

 private:
  void settle();

  const copy_source* from_;
  output_set::output* to_;
  output_sink sink_;
  layout_writers writers_{sink_};
  range_copier copier_{};
  std::uint64_t begin_ = 0, end_ = 0;  ///< of a range that waits for what follows it
  std::vector<std::byte> block_{};
};

}  // namespace tgmap::cli
