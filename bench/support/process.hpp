// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tgmap_bench {

enum class command_output : bool { dropped, shown };

/// Runs a program, the first of the words, as a process of its own. Throws when it does not end with status 0.
void run_command(std::vector<std::string> words, command_output = command_output::dropped);

/// The number that `measure` gives in a child of this process. Throws when it failed there.
double in_child(const std::function<double()>& measure);

}  // namespace tgmap_bench
