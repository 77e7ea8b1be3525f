// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <support/bytes.hpp>
#include <vector>

namespace tgmap_test {

/// Bytes made to cause disproportionate work or memory.
struct hostile {
  std::string name;
  std::function<bytes(std::size_t)> make;  ///< the argument is the approximate size
};

/// Returns inputs that mislead a scan: magic words, false preambles and frames, damage everywhere.
const std::vector<hostile>& hostile_to_scans();

/// Returns inputs that are valid for a scan, with many parts that a reader might store or search again.
const std::vector<hostile>& hostile_to_visits();

bytes repeated(const bytes& piece, std::size_t size);

}  // namespace tgmap_test
