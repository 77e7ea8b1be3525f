// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tgmap::cli {

/// Returns the version of ZeroMQ, or an empty text if it is not installed, or if the build has no ZIO.
std::string_view zeromq_version();

}  // namespace tgmap::cli
