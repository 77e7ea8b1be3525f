// SPDX-License-Identifier: Apache-2.0
#include "cli/stream/endpoint_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <limits>
#include <tgmap/zio/curve_keys.hpp>
#include <tgmap/zio/errc.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/options/option_checks.hpp"
#include "cli/print/human_numbers.hpp"
#include "tgmap_build_info.hpp"

namespace tgmap::cli {

std::optional<zio::send_rate> parse_rate(const std::string& text) {
  zio::send_rate out;
  if (text.ends_with("/s")) {
    std::string size = text.substr(0, text.size() - 2);
    std::uint64_t number = 0;
    try {
      if (!CLI::AsSizeValue(false)(size).empty()) return std::nullopt;
    } catch (const CLI::Error&) {
      return std::nullopt;
    }
    const auto [end, fault] = std::from_chars(size.data(), size.data() + size.size(), number);
    if (fault != std::errc() || end != size.data() + size.size() || number == 0) return std::nullopt;
    out.bytes = static_cast<double>(number);
    return out;
  }
  double number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size() || !std::isfinite(number) || number <= 0)
    return std::nullopt;
  out.messages = number;
  return out;
}

std::string stream_advice(const failure& why) {
  if (why.code.category() == std::system_category() && why.code.value() == EADDRINUSE)
    return "choose another port, or stop the program that uses it";
  if (why.code.category() != zio::category()) return next_step(why, {});
  switch (static_cast<zio::errc>(why.code.value())) {
    case zio::errc::bad_endpoint: return "write it as tcp://HOST:PORT or ipc://FILE";
    case zio::errc::insecure_endpoint:
      return "add --curve-key, listen at 127.0.0.1 or ipc://FILE, or add --insecure to accept everybody";
    case zio::errc::bad_curve_key: return "name a ZeroMQ certificate, or a file with one key of 40 characters";
    case zio::errc::timed_out: return "check that the other end runs, or wait longer with --timeout";
    case zio::errc::peer_gone: return "check that the other end runs";
    case zio::errc::flow_protocol:
    case zio::errc::flow_credit: return "check the program at the other end: it violates the FLOW protocol";
    case zio::errc::flow_refused: return "check the direction at the other end: both ends may be senders or receivers";
    case zio::errc::message_limit: return "add --max-message or --max-memory if you trust the sender";
    case zio::errc::bad_prefix:
    case zio::errc::bad_level:
    case zio::errc::bad_coordinates:
    case zio::errc::too_few_parts: return "check the sender: it does not send ZIO messages";
    case zio::errc::bad_label:
    case zio::errc::label_too_deep: return "check the sender: the label of its message is not JSON";
    default: return next_step(why, {});
  }
}

namespace {

void check_arguments(const endpoint_arguments& given, zio::socket_kind kind) {
  using zio::socket_kind;
  const bool two_way = kind == socket_kind::dealer || kind == socket_kind::router;
  if (given.flow && !two_way)
    throw usage_error("--flow needs replies, which --socket " + std::string(to_string_view(kind)) + " does not support",
                      "omit --socket");
  if (given.flow && !given.bind && kind == socket_kind::router)
    throw usage_error("--flow: a router must bind", "add --bind, or omit --socket");
  if (!given.server_key.empty() && given.bind)
    throw usage_error("--curve-server-key is for the end that connects", "give the keys of this end with --curve-key");
  if (given.server_key.empty() && !given.key.empty() && !given.bind)
    throw usage_error("the end that connects needs --curve-server-key together with --curve-key",
                      "add --curve-server-key");
}

template <class Read>
auto read_keys(const std::string& file, Read&& read) {
  failure why;
  auto out = read(file, why);
  if (why) throw cli_error(why.text(), stream_advice(why), file);
  return out;
}

}  // namespace

void add_endpoint_options(CLI::App& app, endpoint_arguments& into, const std::string& where,
                          const std::vector<zio::socket_kind>& kinds) {
  app.add_option(where, into.endpoint, "Connect to this address: tcp://HOST:PORT or ipc://FILE")
      ->required()
      ->type_name("ENDPOINT");
  app.add_flag("--bind", into.bind,
               "Listen at the address instead of connecting to it; tcp://127.0.0.1:* chooses a port");
  std::vector<named_choice<zio::socket_kind>> words;
  words.reserve(kinds.size());
  for (const zio::socket_kind each : kinds) words.push_back({std::string(to_string_view(each)), each});
  add_choice<zio::socket_kind>(app, "--socket",
                               "Kind of socket; default: " + words.front().name + ", or the kind that --flow needs",
                               words, [&into](zio::socket_kind kind) { into.kind = kind; });
  app.add_flag(
      "--flow", into.flow,
      "Use the FLOW protocol, which limits messages in flight and announces the end; the end that binds is a router, "
      "the other one a dealer");
  app.add_option("--credit", into.credit, "Maximum number of messages in flight with --flow")
      ->check(integer_from(1))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--timeout", into.timeout, "End after so long without a message; default: wait forever")
      ->check(non_negative_number())
      ->type_name("SECONDS");
  app.add_option("--curve-server-key", into.server_key, "Connect encrypted to the end with this public key, a file")
      ->type_name("FILE");
  app.add_option("--curve-key", into.key,
                 "File with the keys of this end; with --bind, only clients that know the public key are accepted")
      ->type_name("FILE");
  app.add_flag("--insecure", into.insecure,
               "Listen without keys at an address that other machines or other users can reach");
}

zio::stream_endpoint endpoint_of(const endpoint_arguments& given, zio::socket_kind default_kind) {
  using zio::socket_kind;
  const socket_kind flow_kind = given.bind ? socket_kind::router : socket_kind::dealer;
  zio::stream_endpoint out{.socket = {.kind = given.kind.value_or(given.flow ? flow_kind : default_kind),
                                      .endpoint = given.endpoint,
                                      .bind = given.bind,
                                      .allow_insecure = given.insecure},
                           .flow = given.flow,
                           .credit = given.credit};
  check_arguments(given, out.socket.kind);
  if (!given.key.empty())
    out.socket.keys =
        read_keys(given.key, [](const auto& file, failure& why) { return zio::read_curve_keys(file, why); });
  if (!given.server_key.empty())
    out.socket.server_key = read_keys(
        given.server_key, [](const auto& file, failure& why) { return zio::read_curve_public_key(file, why); });
  constexpr double max_milliseconds = 1e12;
  if (given.timeout)
    out.timeout = std::chrono::milliseconds(
        static_cast<std::chrono::milliseconds::rep>(std::min(*given.timeout * 1000, max_milliseconds)));
  return out;
}

std::string stream_summary(std::uint64_t messages, std::string_view what, std::uint64_t bytes, double seconds) {
  std::string out = fmt::format("{} {}, {}, in {}", count_text(messages, "message"), what, human_size(bytes),
                                human_time(seconds * 1000));
  if (seconds > 0)
    out += fmt::format(", {}/s", short_size(static_cast<std::uint64_t>(static_cast<double>(bytes) / seconds)));
  return out;
}

std::string_view zeromq_version() {
  failure why;
  static_cast<void>(zio::make_curve_keys(why));  // loads the library
  return why.code == zio::errc::zmq_absent ? std::string_view() : build::zeromq_version;
}

}  // namespace tgmap::cli
