// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <tgmap/write/writer.hpp>
#include <tuple>

#include "cli/outputs/file_sink.hpp"
#include "cli/rewrite/message_parts.hpp"

namespace tgmap::cli {

/// Writers into one sink, one for each layout that messages have: each keeps its memory for the next message.
class layout_writers {
 public:
  /// The sink must live longer.
  explicit layout_writers(file_sink& to) noexcept : to_(&to) {}

  /// Throws tgmap::error; what the sink throws.
  void write(const message_parts&);

 private:
  file_sink* to_;
  std::map<std::tuple<int, bool, index_placement, index_placement>, std::unique_ptr<writer>> writers_{};
};

}  // namespace tgmap::cli
