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

/// What a program did.
struct outcome {
  int status = -1;  ///< exit status; 1000 + number for a signal
  std::string out, err;
};

/// Runs the command with standard input from `input` and standard output and error into files.
outcome run(const std::vector<std::string>& arguments, std::string_view input = {});

/// Runs a line of shell, in which "$TGMAP" is the command.
outcome shell(const std::string& line);

/// Whether the command was built with simdjson, and so with tensor constants; else said loudly that `what` is skipped.
bool has_simdjson_or_skip(std::string_view what);

/// Whether the command was built with ZeroMQ; else said loudly that `what` is skipped.
bool has_zeromq_or_skip(std::string_view what);

/// What a terminal is like.
struct terminal {
  unsigned short columns = 0, rows = 0;              ///< 0: it does not say
  std::map<std::string, std::string> environment{};  ///< besides TERM=xterm, for the command alone
  std::string typed{};  ///< what somebody types there; empty: standard input is no terminal
};

/// Runs the command with standard output and error at a terminal; `out` has both, with "\n" line ends.
outcome run_at_terminal(const std::vector<std::string>& arguments, const terminal& = {});

/// What a dry run printed, as it would be without: every line must say that nothing was written.
std::string without_dry(const std::string& text);

/// Each line of `text`, which must be JSON.
std::vector<nlohmann::json> json_lines(const std::string& text);

}  // namespace tgmap_test
