// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/zio/flow.hpp>
#include <tgmap/zio/socket.hpp>
#include <vector>

#include "cli/options/option_checks.hpp"

namespace tgmap::cli {

/// Where messages come from or go to, and how.
struct endpoint_arguments {
  std::string endpoint{};
  bool bind = false, insecure = false, flow = false;
  std::optional<zio::socket_kind> kind{};
  std::string server_key{}, key{};  ///< files
  std::uint64_t credit = zio::flow_options{}.credit;
  std::optional<double> timeout{};  ///< seconds of silence
};

/// The options of both `send` and `recv`. `where` is --to or --from; `kinds` are those that --socket takes, the one
/// without flow first.
void add_endpoint_options(CLI::App&, endpoint_arguments&, const std::string& where,
                          const std::vector<zio::socket_kind>& kinds);

/// What the options say of the socket; keys are read. `usual`: its kind where nothing says another one. Throws
/// usage_error; a cli_error about a file of keys.
zio::socket_options socket_options_of(const endpoint_arguments&, zio::socket_kind usual);

/// Who binds serves.
inline zio::flow_side side_of(const endpoint_arguments& given) noexcept {
  return given.bind ? zio::flow_side::server : zio::flow_side::client;
}

/// How long to wait for the other end; below 0: without end.
std::chrono::milliseconds patience_of(const endpoint_arguments&) noexcept;

}  // namespace tgmap::cli
