// SPDX-License-Identifier: Apache-2.0
// Replays recorded TCP connections of ZIO with a plain TCP peer.
#include <boost/test/unit_test.hpp>
#include <optional>
#include <support/shared_data.hpp>

#include <tgmap/zio/frame.hpp>
#include "fixtures/frames.hpp"
#include "fixtures/raw_peer.hpp"
#include "fixtures/sockets.hpp"

namespace tgmap_test {

namespace {

struct capture {
  const char* name;
  const char* frame;  // of the message that was sent
  zio::socket_kind client, server;
};

// The captures of CLIENT and SERVER are not used: stock builds of libzmq abort on such connections.
constexpr capture captures[] = {
    {"dealer_router_f4_1d", "f4_1d", zio::socket_kind::dealer, zio::socket_kind::router},
    {"push_pull_u1_size_256", "u1_size_256", zio::socket_kind::push, zio::socket_kind::pull},
};

struct recording {
  std::vector<std::byte> client, server;
  zio::message message;
};

std::optional<recording> load(const capture& which) {
  const auto root = shared_data_or_skip(std::string("capture ") + which.name);
  if (!root) return std::nullopt;
  const auto folder = *root / "data/tens";
  recording out;
  out.client = bytes_of_file(folder / "wire" / (std::string(which.name) + ".c2s.bin"));
  out.server = bytes_of_file(folder / "wire" / (std::string(which.name) + ".s2c.bin"));
  auto frame =
      std::make_shared<std::vector<std::byte>>(bytes_of_file(folder / "tens" / (std::string(which.frame) + ".frame")));
  out.message = zio::decode(*frame, tgmap::pin(frame));
  return out;
}

/// Plays the client: greeting, handshake, message. Each waits for the answer to the one before, because ZeroMQ treats
/// an early message as a protocol violation. Ends after `bytes` and returns the answers.
std::vector<std::byte> play(raw_peer& client, const recording& recorded, std::size_t bytes) {
  constexpr std::size_t greeting = 64;
  const std::size_t ready = greeting + 2 + std::to_integer<std::size_t>(recorded.client[greeting + 1]);
  const auto steps = {std::pair{greeting, greeting}, std::pair{ready, recorded.server.size()},
                      std::pair{recorded.client.size(), recorded.server.size()}};
  std::vector<std::byte> answered;
  std::size_t sent = 0;
  for (const auto& [until, answers] : steps) {
    const std::size_t end = std::min(until, bytes);
    if (sent < end) client.write(std::span(recorded.client).subspan(sent, end - sent));
    sent = std::max(sent, end);
    if (sent < until) break;
    const auto more = client.read(answers - answered.size());
    answered.insert(answered.end(), more.begin(), more.end());
  }
  return answered;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(socket_wire_test)

BOOST_AUTO_TEST_CASE(clients_send_the_recorded_bytes) {
  for (const auto& which : captures)
    for (const bool copy : {false, true}) {
      const auto recorded = load(which);
      if (!recorded) continue;
      raw_peer server;
      auto options = socket_of(which.client, server.endpoint(), false);
      options.copy_payloads = copy;
      zio::socket client(options);
      client.send(recorded->message, patient);
      server.accept();
      server.write(recorded->server);
      const auto wrote = server.read(recorded->client.size());
      BOOST_TEST((wrote == recorded->client), which.name);
      client.drain(patient);
      BOOST_TEST(client.statistics().bytes_in_flight == 0u);
    }
}

BOOST_AUTO_TEST_CASE(servers_read_the_recorded_bytes) {
  for (const auto& which : captures) {
    const auto recorded = load(which);
    if (!recorded) continue;
    zio::socket server = bound(which.server);
    raw_peer client(server.endpoint());
    const auto answered = play(client, *recorded, recorded->client.size());
    const zio::message came = server.receive(patient);
    BOOST_TEST(same(came, recorded->message), which.name);
    BOOST_TEST((answered == recorded->server), which.name);
    BOOST_TEST(server.peer().empty() == (which.server == zio::socket_kind::pull));
  }
}

BOOST_AUTO_TEST_CASE(a_server_survives_a_client_that_ends_anywhere) {
  const auto recorded = load(captures[0]);
  if (!recorded) return;
  zio::socket server = bound(zio::socket_kind::router);
  for (std::size_t size = 0; size < recorded->client.size(); size += 7) {
    raw_peer client(server.endpoint());
    play(client, *recorded, size);
    client.close();
  }
  raw_peer client(server.endpoint());
  play(client, *recorded, recorded->client.size());
  BOOST_TEST(same(server.receive(patient), recorded->message));
  tgmap::failure why;
  server.receive(soon, {}, why);
  BOOST_TEST(why.code == zio::errc::timed_out);
}

BOOST_AUTO_TEST_CASE(a_part_that_is_too_large_ends_its_connection) {
  const auto recorded = load(captures[1]);
  if (!recorded) return;
  auto options = socket_of(zio::socket_kind::pull, "tcp://127.0.0.1:*", true);
  options.max_message_bytes = 255;
  zio::socket server(options);
  raw_peer client(server.endpoint());
  BOOST_TEST(play(client, *recorded, recorded->client.size()).size() == recorded->server.size());
  BOOST_TEST(client.read(1).empty());  // the connection is closed
  tgmap::failure why;
  server.receive(soon, {}, why);
  BOOST_TEST(why.code == zio::errc::timed_out);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tgmap_test
