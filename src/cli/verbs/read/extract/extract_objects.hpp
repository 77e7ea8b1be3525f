// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <tgmap/tensor.hpp>
#include <vector>

#include "cli/app/session.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/sliced_target.hpp"

namespace tgmap::cli {

/// The selected objects in the order of the targets, and pins of their archives.
struct extract_objects {
  struct origin {
    const sliced_target* from = nullptr;
    std::optional<std::size_t> message{};  ///< its number; empty if it was named by offset
    tgmap::message source{};
  };

  std::vector<object> objects{};
  std::vector<origin> origins{};  ///< one per object
  std::vector<pin> pins{};

  /// Returns "14", or "@1234" for a message named by its offset.
  std::string message_label(std::size_t i) const;
  /// Returns the address, for example "forecast.tgm:14:0".
  std::string name(std::size_t i) const;
};

/// Returns the selected objects, at most `most`. `numbered`: scan if needed to get the numbers of messages. Reports and
/// skips what cannot be read. Errors: usage_error.
extract_objects find_objects(std::span<const sliced_target>, const selection_options&, bool numbered, std::size_t most,
                             session&);

}  // namespace tgmap::cli
