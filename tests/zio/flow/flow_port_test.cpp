// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <functional>
#include <stop_token>
#include <support/temporary.hpp>
#include <tgmap/zio/flow_port.hpp>
#include <thread>
#include <vector>

#include "fixtures/flow_ends.hpp"

using namespace tgmap;
using namespace tgmap_test;
using zio::flow_role;
using zio::flow_side;

BOOST_AUTO_TEST_SUITE(flow_port_test)

namespace {

constexpr flow_role other(flow_role role) { return role == flow_role::giver ? flow_role::taker : flow_role::giver; }

/// A giver and a taker. One of them is the server, to which the other one connects.
struct flow_pair {
  flow_end server, client;

  flow_pair(flow_role serves, std::string endpoint, std::uint64_t credit = 2)
      : server{serves, flow_side::server, std::move(endpoint), credit},
        client{other(serves), flow_side::client, {}, credit} {}

  zio::socket listen() {
    zio::socket out = socket_of(server);
    client.endpoint = out.endpoint();
    return out;
  }
};

zio::socket raw_dealer(const zio::socket& socket) {
  return zio::socket(
      {.kind = zio::socket_kind::dealer, .endpoint = socket.endpoint(), .linger = std::chrono::milliseconds(0)});
}

zio::message flow_message(const char* label, std::uint64_t seqno = 0) {
  return {.form = zio::flow_form, .label = label, .seqno = seqno};
}

constexpr const char* bot_extract = R"({"credit":2,"direction":"extract","flow":"BOT"})";
constexpr const char* bot_inject = R"({"credit":2,"direction":"inject","flow":"BOT"})";
constexpr const char* eot = R"({"flow":"EOT"})";

bool nobody_there(const failure& why) { return why.code == zio::errc::timed_out || why.code == zio::errc::peer_gone; }

}  // namespace

BOOST_AUTO_TEST_CASE(messages_arrive_in_order_between_threads) {
  const temporary_directory scratch;
  for (const std::string& endpoint :
       {std::string("tcp://127.0.0.1:*"), "ipc://" + (scratch / "f").string(), std::string("inproc://flow")})
    for (const flow_role serves : {flow_role::giver, flow_role::taker})
      for (const std::uint64_t credit : {1u, 3u, 9u}) {
        flow_pair both(serves, endpoint, credit);
        zio::socket listens = both.listen();
        failure of_client, of_server;
        std::uint64_t at_client = 0;
        std::thread client([&] {
          zio::socket socket = socket_of(both.client);
          at_client = run_end(both.client, socket, 30, of_client);
        });
        const std::uint64_t at_server = run_end(both.server, listens, 30, of_server);
        client.join();
        BOOST_TEST(!of_client, endpoint << " " << credit << ": " << of_client.text());
        BOOST_TEST(!of_server, endpoint << " " << credit << ": " << of_server.text());
        BOOST_TEST(at_client == 30u);
        BOOST_TEST(at_server == 30u);
      }
}

BOOST_AUTO_TEST_CASE(messages_arrive_in_order_between_processes) {
  const temporary_directory scratch;
  for (const std::string& endpoint : {std::string("tcp://127.0.0.1:*"), "ipc://" + (scratch / "f").string()})
    for (const flow_role serves : {flow_role::giver, flow_role::taker})
      for (const std::uint64_t credit : {1u, 3u, 9u}) {
        flow_pair both(serves, endpoint, credit);
        zio::socket listens = both.listen();
        const pid_t client = start_end(both.client, 20);
        failure why;
        BOOST_TEST(run_end(both.server, listens, 20, why) == 20u);
        BOOST_TEST(!why, endpoint << " " << credit << ": " << why.text());
        // The last message of the server is not sent yet.
        BOOST_TEST(status_of(client) == 0);
      }
}

BOOST_AUTO_TEST_CASE(either_side_may_end_first) {
  for (const flow_role serves : {flow_role::giver, flow_role::taker})
    for (const std::uint64_t client_wants : {5u, 40u}) {
      flow_pair both(serves, "tcp://127.0.0.1:*", 3);
      zio::socket listens = both.listen();
      failure of_client, of_server;
      std::thread client([&] {
        zio::socket socket = socket_of(both.client);
        run_end(both.client, socket, client_wants, of_client);
      });
      run_end(both.server, listens, 45 - client_wants, of_server);
      client.join();
      BOOST_TEST(!of_client, of_client.text());
      BOOST_TEST(!of_server, of_server.text());
    }
}

BOOST_AUTO_TEST_CASE(the_death_of_a_client_is_an_error_of_the_server) {
  for (const flow_role serves : {flow_role::giver, flow_role::taker})
    for (const std::uint64_t steps : {0u, 1u, 4u, 10u}) {
      flow_pair both(serves, "tcp://127.0.0.1:*");
      both.server.linger = std::chrono::milliseconds(0);
      zio::socket listens = both.listen();
      const pid_t client = start_end(both.client, 10, steps);
      failure why;
      const std::uint64_t done = run_end_while_alive(both.server, listens, client, why);
      BOOST_TEST(nobody_there(why), steps << ": " << why.text());
      BOOST_TEST(done <= 10u + both.server.credit);
      BOOST_TEST(status_of(client) == 1000 + SIGKILL);
    }
}

BOOST_AUTO_TEST_CASE(the_death_of_a_server_is_an_error_of_the_client) {
  const temporary_directory scratch;
  int number = 0;
  for (const flow_role serves : {flow_role::giver, flow_role::taker})
    for (const std::uint64_t steps : {0u, 1u, 4u, 10u}) {
      // The client may connect before the server listens.
      flow_pair both(serves, "ipc://" + (scratch / ("f" + std::to_string(number++))).string());
      both.client.endpoint = both.server.endpoint;
      both.client.linger = std::chrono::milliseconds(0);
      zio::socket socket = socket_of(both.client);
      const pid_t server = start_end(both.server, 10, steps);
      failure why;
      run_end_while_alive(both.client, socket, server, why);
      BOOST_TEST(nobody_there(why), steps << ": " << why.text());
      BOOST_TEST(status_of(server) == 1000 + SIGKILL);
    }
}

BOOST_AUTO_TEST_CASE(without_a_peer_calls_time_out_and_can_be_repeated) {
  flow_pair both(flow_role::taker, "tcp://127.0.0.1:*");
  zio::socket listens = both.listen();
  zio::flow_taker server(listens, {.side = flow_side::server, .credit = 2});
  failure why;
  server.open(short_timeout, {}, why);
  BOOST_TEST(why.code == zio::errc::timed_out);
  BOOST_TEST(why.found == static_cast<std::uint64_t>(short_timeout.count()));

  zio::socket connects = socket_of(both.client);
  zio::flow_giver client(connects, {.credit = 2});
  client.open(short_timeout, {}, why);
  BOOST_TEST(why.code == zio::errc::timed_out);
  std::thread later([&] {
    failure inside;
    client.open(long_timeout, {}, inside);
    BOOST_TEST(!inside, inside.text());
  });
  server.open(long_timeout, {}, why);
  later.join();
  BOOST_TEST(!why, why.text());
  BOOST_TEST(!server.get(short_timeout, {}, why).has_value());
  BOOST_TEST(why.code == zio::errc::timed_out);

  // A message that was not sent uses no number and no credit.
  for (const std::uint64_t i : {0u, 1u}) BOOST_TEST(client.put(numbered(i), long_timeout));
  BOOST_TEST(!client.put(numbered(2), short_timeout, {}, why));
  BOOST_TEST(why.code == zio::errc::timed_out);
  BOOST_TEST(is_numbered(server.get(long_timeout).value(), 0));
  BOOST_TEST(is_numbered(server.get(long_timeout).value(), 1));
  BOOST_TEST(client.put(numbered(2), long_timeout));
  BOOST_TEST(is_numbered(server.get(long_timeout).value(), 2));

  std::stop_source stop;
  stop.request_stop();
  static_cast<void>(server.get(std::chrono::milliseconds(-1), stop.get_token(), why));
  BOOST_TEST(why.code == zio::errc::stopped);
  client.finish(short_timeout, {}, why);
  BOOST_TEST(why.code == zio::errc::timed_out);  // nobody has answered yet
  BOOST_TEST(!server.get(long_timeout).has_value());
  server.finish(long_timeout);
  client.finish(long_timeout);
  BOOST_TEST((client.flow().state() == zio::flow_state::ended));
}

BOOST_AUTO_TEST_CASE(other_clients_do_not_disturb_a_flow) {
  flow_pair both(flow_role::taker, "tcp://127.0.0.1:*");
  zio::socket listens = both.listen();
  zio::socket first = raw_dealer(listens), second = raw_dealer(listens);
  // A message that opens no flow is refused, too, and the server keeps waiting.
  second.send(flow_message(R"({"flow":"DAT"})"), long_timeout);
  second.send({.form = zio::tens_form}, long_timeout);
  zio::flow_taker server(listens, {.side = flow_side::server, .credit = 2});
  failure why;
  server.open(short_timeout, {}, why);
  BOOST_TEST(why.code == zio::errc::timed_out);
  BOOST_TEST(second.receive(long_timeout).label == eot);
  second.send(flow_message(bot_inject), long_timeout);  // two takers
  server.open(short_timeout, {}, why);
  BOOST_TEST(why.code == zio::errc::timed_out);
  BOOST_TEST(second.receive(long_timeout).label == eot);

  first.send(flow_message(bot_extract), long_timeout);
  server.open(long_timeout);
  BOOST_TEST(first.receive(long_timeout).label == bot_inject);
  BOOST_TEST(first.receive(long_timeout).label == R"({"credit":2,"flow":"PAY"})");
  second.send(flow_message(bot_extract), long_timeout);
  second.send(flow_message(R"({"flow":"DAT"})", 1), long_timeout);
  static_cast<void>(server.get(short_timeout, {}, why));
  BOOST_TEST(why.code == zio::errc::timed_out);
  BOOST_TEST(second.receive(long_timeout).label == eot);
  first.send(flow_message(R"({"flow":"DAT"})", 1), long_timeout);
  BOOST_TEST(server.get(long_timeout)->seqno == 1u);
  first.send(flow_message(eot, 2), long_timeout);
  BOOST_TEST(!server.get(long_timeout).has_value());
  server.finish(long_timeout);
  BOOST_TEST(first.receive(long_timeout).label == R"({"credit":1,"flow":"PAY"})");
  BOOST_TEST(first.receive(long_timeout).label == eot);

  // The socket can carry another flow.
  zio::flow_taker next(listens, {.side = flow_side::server, .credit = 2});
  second.send(flow_message(bot_extract), long_timeout);
  next.open(long_timeout);
  BOOST_TEST(second.receive(long_timeout).label == bot_inject);
}

BOOST_AUTO_TEST_CASE(a_violation_is_reported_to_the_peer) {
  const auto breached = [](std::function<void(zio::socket&)> commit, std::error_code code) {
    zio::socket listens = socket_of({flow_role::giver, flow_side::server, "tcp://127.0.0.1:*"});
    zio::socket raw = raw_dealer(listens);
    zio::flow_giver server(listens, {.side = flow_side::server, .credit = 2});
    raw.send(flow_message(bot_inject), long_timeout);
    server.open(long_timeout);
    BOOST_TEST(raw.receive(long_timeout).label == bot_extract);
    commit(raw);
    failure why;
    BOOST_TEST(!server.put(numbered(0), long_timeout, {}, why));
    BOOST_TEST(why.code == code, why.text());
    BOOST_TEST(raw.receive(long_timeout).label == eot);
    BOOST_TEST(!server.put(numbered(0), long_timeout, {}, why));
    BOOST_TEST(why.code == errc::call_out_of_order, why.text());
  };
  const auto says = [](const char* label) {
    return [label](zio::socket& raw) { raw.send(flow_message(label, 1), long_timeout); };
  };
  breached(says(R"({"credit":3,"flow":"PAY"})"), zio::errc::flow_credit);
  breached(says(R"({"flow":"DAT"})"), zio::errc::flow_protocol);
  breached(says(bot_inject), zio::errc::flow_protocol);
  breached(says("{"), zio::errc::bad_label);
  breached([](zio::socket& raw) { raw.send({.form = zio::tens_form}, long_timeout); }, zio::errc::flow_protocol);
}

BOOST_AUTO_TEST_CASE(the_destructor_ends_the_flow) {
  zio::socket listens = socket_of({flow_role::giver, flow_side::server, "tcp://127.0.0.1:*"});
  zio::socket raw = raw_dealer(listens);
  {
    zio::flow_giver server(listens, {.side = flow_side::server, .credit = 2});
    raw.send(flow_message(bot_inject), long_timeout);
    server.open(long_timeout);
  }
  BOOST_TEST(raw.receive(long_timeout).label == bot_extract);
  BOOST_TEST(raw.receive(long_timeout).label == eot);
}

BOOST_AUTO_TEST_CASE(messages_of_a_lost_client_are_read) {
  for (const bool ends : {true, false}) {
    zio::socket listens = socket_of({flow_role::taker, flow_side::server, "tcp://127.0.0.1:*"});
    zio::flow_taker server(listens, {.side = flow_side::server, .credit = 2});
    {
      zio::socket raw({.kind = zio::socket_kind::dealer, .endpoint = listens.endpoint()});
      raw.send(flow_message(bot_extract), long_timeout);
      server.open(long_timeout);
      for (const std::uint64_t i : {1u, 2u}) raw.send(flow_message(R"({"flow":"DAT"})", i), long_timeout);
      if (ends) raw.send(flow_message(eot, 3), long_timeout);
      raw.drain(long_timeout);
    }
    BOOST_TEST(server.get(long_timeout).value().seqno == 1u);
    // Wait until ZeroMQ notices. Probe slowly: the full queue of a lost peer looks like that of a slow one.
    const auto give_up = std::chrono::steady_clock::now() + long_timeout;
    while (listens.statistics().disconnected == 0 && std::chrono::steady_clock::now() < give_up)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    BOOST_TEST(listens.statistics().disconnected == 1u);
    failure why;
    zio::message probe = flow_message(R"({"flow":"PAY","credit":1})");
    for (int i = 0; i < 500 && !why; ++i) {
      if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      listens.send(probe, long_timeout, {}, why);
    }
    BOOST_TEST(why.code == zio::errc::peer_gone);
    BOOST_TEST(server.get(long_timeout).value().seqno == 2u);
    BOOST_TEST(!server.get(short_timeout, {}, why).has_value());
    BOOST_TEST(why.code == (ends ? std::error_code() : make_error_code(zio::errc::peer_gone)), why.text());
    if (!ends) continue;
    server.finish(long_timeout, {}, why);
    BOOST_TEST(!why, why.text());
    BOOST_TEST((server.flow().state() == zio::flow_state::ended));
  }
}

BOOST_AUTO_TEST_CASE(sockets_that_carry_no_flow_are_refused) {
  const zio::socket pull({.kind = zio::socket_kind::pull, .endpoint = "tcp://127.0.0.1:*", .bind = true});
  zio::socket router({.kind = zio::socket_kind::router, .endpoint = "tcp://127.0.0.1:*", .bind = true});
  failure why;
  zio::flow_taker no_answers(const_cast<zio::socket&>(pull), {}, why);
  BOOST_TEST(why.code == errc::invalid_option);
  zio::flow_giver no_peer(router, {.side = flow_side::client}, why);
  BOOST_TEST(why.code == errc::invalid_option);
  BOOST_CHECK_THROW(zio::flow_giver(router, {.side = flow_side::client}), error);
}

BOOST_AUTO_TEST_SUITE_END()
