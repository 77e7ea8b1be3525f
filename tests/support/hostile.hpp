// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <support/bytes.hpp>
#include <vector>

namespace tgmap_test {

/// Bytes that somebody has arranged so that work or memory might grow out of proportion.
struct hostile {
  std::string what;
  std::function<bytes(std::size_t)> make;  ///< about so many bytes
};

/// That lure a scan: magic words, preambles and frames that lead nowhere, damage everywhere.
const std::vector<hostile>& hostile_to_scans();

/// Sound to a scan; many of whatever something may be kept or looked for again for.
const std::vector<hostile>& hostile_to_visits();

bytes repeated(const bytes& piece, std::size_t size);

}  // namespace tgmap_test
