// SPDX-License-Identifier: Apache-2.0
#include "cli/stream/zeromq_version.hpp"

namespace tgmap::cli {

std::string_view zeromq_version() { return {}; }

}  // namespace tgmap::cli
