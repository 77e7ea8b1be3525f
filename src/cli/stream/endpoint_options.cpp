// SPDX-License-Identifier: Apache-2.0
#include "cli/stream/endpoint_options.hpp"

#include <algorithm>
#include <limits>

#include "cli/app/cli_error.hpp"
#include "cli/options/option_checks.hpp"
#include "cli/stream/stream_advice.hpp"

namespace tgmap::cli {

namespace {

void check(const endpoint_arguments& given, zio::socket_kind kind) {
  using zio::socket_kind;
  const bool two_way = kind == socket_kind::dealer || kind == socket_kind::router;
  if (given.flow && !two_way)
    throw usage_error("--flow needs answers, which --socket " + std::string(to_string_view(kind)) + " does not carry",
                      "leave --socket out");
  if (given.flow && !given.bind && kind == socket_kind::router)
    throw usage_error("--flow: a router is the end that binds", "add --bind, or leave --socket out");
  if (!given.server_key.empty() && given.bind)
    throw usage_error("--curve-server-key is for the end that connects", "give the keys of this end by --curve-key");
  if (given.server_key.empty() && !given.key.empty() && !given.bind)
    throw usage_error("--curve-key of the end that connects needs --curve-server-key", "add it");
}

template <class Read>
auto key_in(const std::string& file, Read&& read) {
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
               "Listen at the address rather than connect to it; tcp://127.0.0.1:* chooses a port");
  std::vector<named_choice<zio::socket_kind>> words;
  words.reserve(kinds.size());
  for (const zio::socket_kind each : kinds) words.push_back({std::string(to_string_view(each)), each});
  add_choice<zio::socket_kind>(app, "--socket", "Kind of socket; " + words.front().name + " unless --flow is given",
                               words, [&into](zio::socket_kind kind) { into.kind = kind; });
  app.add_flag("--flow", into.flow,
               "Speak FLOW, which gives credit for messages and tells of the end; the end that binds is a router then, "
               "the other one a dealer");
  app.add_option("--credit", into.credit, "With --flow: messages that may be on their way at once")
      ->check(integer_from(1))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--timeout", into.timeout, "End when the other end is silent for so long; else wait for ever")
      ->check(non_negative_number())
      ->type_name("SECONDS");
  app.add_option("--curve-server-key", into.server_key, "Connect encrypted to the end that has this public key, a file")
      ->type_name("FILE");
  app.add_option("--curve-key", into.key,
                 "The keys of this end, a file; with --bind only who knows the public one is heard")
      ->type_name("FILE");
  app.add_flag("--insecure", into.insecure,
               "Listen without any keys at an address that other machines, or all users of this one, reach");
}

zio::socket_options socket_options_of(const endpoint_arguments& given, zio::socket_kind usual) {
  using zio::socket_kind;
  const socket_kind of_flow = given.bind ? socket_kind::router : socket_kind::dealer;
  zio::socket_options out{
      .kind = given.kind.value_or(given.flow ? of_flow : usual), .endpoint = given.endpoint, .bind = given.bind};
  check(given, out.kind);
  out.allow_insecure = given.insecure;
  if (!given.key.empty())
    out.keys = key_in(given.key, [](const auto& file, failure& why) { return zio::read_curve_keys(file, why); });
  if (!given.server_key.empty())
    out.server_key =
        key_in(given.server_key, [](const auto& file, failure& why) { return zio::read_curve_public_key(file, why); });
  return out;
}

std::chrono::milliseconds patience_of(const endpoint_arguments& given) noexcept {
  using std::chrono::milliseconds;
  if (!given.timeout) return milliseconds(-1);
  constexpr double most = 1e12;  // what no wait lasts
  return milliseconds(static_cast<milliseconds::rep>(std::min(*given.timeout * 1000, most)));
}

}  // namespace tgmap::cli
