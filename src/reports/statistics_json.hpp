// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/json.hpp"
#include "statistics/object_statistics.hpp"

namespace tgmap::reports {

/// Returns the statistics of an object without its file, as docs/schema/stats.json describes them. Integers are exact.
json to_json(const statistics::object_statistics&);

}  // namespace tgmap::reports
