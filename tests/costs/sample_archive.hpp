// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <support/bytes.hpp>
#include <tgmap/write/new_message.hpp>

namespace tgmap_costs {

/// Returns 300 messages of one plain object with MARS keys, 40 of 12 to 60 objects in every way that a message can be
/// written, and 20 of one packed object. The same bytes at each call.
tgmap_test::bytes sample_archive();

inline constexpr std::size_t single_messages = 300, long_messages = 40, packed_messages = 20;

/// Returns a message of one packed and one plain object. Lifetime: borrows static elements.
tgmap::new_message sample_message(int step);

}  // namespace tgmap_costs
