// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <tgmap/tools/validate.hpp>
#include <vector>

#include "validate/check_message.hpp"

namespace tgmap::checks {

/// What was found in messages [first, first + reports.size()).
struct batch {
  std::size_t first = 0;
  std::vector<message_report> reports;
  std::vector<finding> findings;
  std::uint64_t bytes = 0, errors = 0;
  failure why{};  ///< why it ended early
};

/// The numbers of the messages of one batch.
struct range {
  std::size_t first = 0, last = 0;
};

/// Looks at one batch. Never throws: what goes wrong is in `why`.
batch check_batch(workshop&, const archive&, range, const validate_options&) noexcept;

}  // namespace tgmap::checks
