// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <tgmap/error.hpp>

namespace tgmap::cli {

/// What a person can do next about a failure with that file: one clause, no full stop.
std::string next_step(const failure&, std::string_view file);

/// The same where elements on their way into an archive were refused, of that file or not.
std::string next_step_of_storing(const failure&, std::string_view file);

}  // namespace tgmap::cli
