// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/error.hpp>
#include <tgmap/zio/flow.hpp>
#include <tgmap/zio/socket.hpp>
#include <vector>

#include "cli/options/option_checks.hpp"
#include "zio/stream/send_schedule.hpp"

namespace tgmap::cli {

/// The options of one end of a connection.
struct endpoint_arguments {
  std::string endpoint{};
  bool bind = false, insecure = false, flow = false;
  std::optional<zio::socket_kind> kind{};
  std::string server_key{}, key{};  ///< files
  std::uint64_t credit = zio::flow_options{}.credit;
  std::optional<double> timeout{};  ///< seconds without a message
};

/// Adds the options that `send` and `recv` share. `where` is --to or --from; `kinds` are the values of --socket, first
/// the default one.
void add_endpoint_options(CLI::App&, endpoint_arguments&, const std::string& where,
                          const std::vector<zio::socket_kind>& kinds);

/// Returns the options of the socket and reads the keys. `default_kind` holds unless --socket or --flow is given.
/// Errors: throws usage_error; cli_error about a key file.
zio::socket_options socket_options_of(const endpoint_arguments&, zio::socket_kind default_kind);

/// Returns the role in the flow: the end that binds is the server.
inline zio::flow_side flow_side_of(const endpoint_arguments& given) noexcept {
  return given.bind ? zio::flow_side::server : zio::flow_side::client;
}

/// Returns the time to wait for the other end; negative for no limit.
std::chrono::milliseconds timeout_of(const endpoint_arguments&) noexcept;

/// Parses the value of --rate: "100" messages, or "50MB/s". Returns nothing for other texts.
std::optional<zio::send_rate> parse_rate(const std::string&);

/// Returns the next step after a failure of a socket, a flow or a received message: one clause without a full stop.
std::string stream_advice(const failure&);

/// Returns the version of ZeroMQ, or an empty text if it is not installed, or if the build has no ZIO.
std::string_view zeromq_version();

}  // namespace tgmap::cli
