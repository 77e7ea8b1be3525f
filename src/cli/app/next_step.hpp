// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <tgmap/error.hpp>

namespace tgmap::cli {

/// Returns what the user can do about a failure with `file`: one clause without a full stop.
std::string next_step(const failure&, std::string_view file);

/// Returns what the user can do when elements could not be stored.
std::string next_step_for_storing(const failure&, std::string_view file);

}  // namespace tgmap::cli
