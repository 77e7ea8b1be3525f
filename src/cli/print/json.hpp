// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/json.hpp"

namespace tgmap::cli {

using reports::add_member;
using reports::ascii_json;
using reports::json;
using reports::json_line;
using reports::json_of;
using reports::or_null;
using reports::put;
using reports::to_json;

}  // namespace tgmap::cli
