// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
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
#include "zio/stream/transport.hpp"

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

/// Returns the end of the connection and reads the keys. `default_kind` holds unless --socket or --flow is given.
/// Errors: throws usage_error; cli_error about a key file.
zio::stream_endpoint endpoint_of(const endpoint_arguments&, zio::socket_kind default_kind);

/// Parses the value of --rate: "100" messages, or "50MB/s". Returns nothing for other texts.
std::optional<zio::send_rate> parse_rate(const std::string&);

/// Returns the next step after a failure of a socket, a flow or a received message: one clause without a full stop.
std::string stream_advice(const failure&);

/// Returns "3 messages sent, 1.5 KiB, in 20 ms, 75 KiB/s". `what` is "sent" or "received".
std::string stream_summary(std::uint64_t messages, std::string_view what, std::uint64_t bytes, double seconds);

/// Returns the version of ZeroMQ, or an empty text if it is not installed, or if the build has no ZIO.
std::string_view zeromq_version();

}  // namespace tgmap::cli
