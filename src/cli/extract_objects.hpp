// SPDX-License-Identifier: Apache-2.0
// Which objects are to be extracted.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/tensor.hpp>
#include <vector>

#include "cli/selection.hpp"
#include "cli/slice_text.hpp"

namespace tgmap::cli {

/// Objects, in the order of the targets, and pins of the archives that they are of.
struct extract_objects {
  struct origin {
    const sliced_target* from = nullptr;
    std::optional<std::size_t> message{};  ///< its number; nothing when it was named by its offset
  };

  std::vector<object> objects{};
  std::vector<origin> origins{};  ///< of each object
  std::vector<pin> pins{};

  /// "14", or "@1234" of a message named by its offset.
  std::string message_label(std::size_t i) const;
  /// As a target: "forecast.tgm:14:0".
  std::string name(std::size_t i) const;
};

/// Every object that is selected. `numbered`: the numbers of messages are wanted even where that takes a scan. `most`:
/// how many are of interest. What cannot be read is reported and passed over. Throws usage_error.
extract_objects find_objects(std::span<const sliced_target>, const selection_options&, bool numbered, std::size_t most,
                             session&);

}  // namespace tgmap::cli
