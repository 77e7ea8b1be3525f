// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace tgmap::convert {

/// Takes a file piece by piece. What it throws ends the conversion.
using sink = std::function<void(std::span<const std::byte>)>;

}  // namespace tgmap::convert
