// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/text/escape.hpp"

namespace tgmap::cli {

using core::escaped;

}  // namespace tgmap::cli
