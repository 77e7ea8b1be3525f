// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tgmap::cli {

/// Returns the version of ZeroMQ that messages are sent by; empty where the build does without, or it is not installed.
std::string_view zeromq_version();

}  // namespace tgmap::cli
