// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <support/temporary.hpp>
#include <vector>

namespace tgmap_test {

/// The result of running a program.
struct outcome {
  int status = -1;  ///< exit status; 1000 + number for a signal
  std::string out, err;
};

/// Runs the command with standard input from `input` and standard output and error into files.
outcome run(const std::vector<std::string>& arguments, std::string_view input = {});

/// Runs a shell line in which "$TGMAP" is the command.
outcome shell(const std::string& line);

/// Returns true if the command was built with simdjson (tensor constants); otherwise prints that `what` is skipped.
bool has_simdjson_or_skip(std::string_view what);

/// Returns true if the command was built with ZeroMQ; otherwise prints that `what` is skipped.
bool has_zeromq_or_skip(std::string_view what);

/// Returns true if the Python that `cube` runs has the package; otherwise prints that `what` is skipped.
bool has_python_or_skip(std::string_view what);

/// The properties of a terminal.
struct terminal {
  unsigned short columns = 0, rows = 0;              ///< 0: it does not say
  std::map<std::string, std::string> environment{};  ///< besides TERM=xterm, for the command alone
  std::string typed{};  ///< what somebody types there; empty: standard input is no terminal
};

/// Runs the command with standard output and error at a terminal; `out` has both, with "\n" line ends.
outcome run_at_terminal(const std::vector<std::string>& arguments, const terminal& = {});

/// Removes ", not written" from the output of a dry run; every line must have it.
std::string without_dry(const std::string& text);

/// Parses each line of `text` as JSON.
std::vector<nlohmann::json> json_lines(const std::string& text);

}  // namespace tgmap_test
