// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tgmap::cli {

/// Returns the version of ZeroMQ, or an empty text if the build does not use it or it is not installed.
std::string_view zeromq_version();

}  // namespace tgmap::cli
