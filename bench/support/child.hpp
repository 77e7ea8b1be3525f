// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace tgmap_bench {

/// The number that `measure` gives in a child of this process. Throws when it failed there.
double in_child(const std::function<double()>& measure);

}  // namespace tgmap_bench
