// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tgmap_bench {

enum class command_output : bool { dropped, shown };

/// Runs a program, whose path is the first word, as a process. Throws unless its exit status is 0.
void run_command(std::vector<std::string> words, command_output = command_output::dropped);

/// Runs `measure` in a child process and returns its result. Throws if it fails there.
double in_child(const std::function<double()>& measure);

}  // namespace tgmap_bench
