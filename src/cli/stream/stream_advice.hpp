// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/error.hpp>

namespace tgmap::cli {

/// What a person can do next about a failure of a socket, a flow, or a message that came: one clause, no full stop.
std::string stream_advice(const failure&);

}  // namespace tgmap::cli
