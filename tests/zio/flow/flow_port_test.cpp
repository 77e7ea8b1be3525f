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

BOOST_AUTO_TEST_SUITE(flow_socket)

namespace {

constexpr flow_role other(flow_role role) { return role == flow_role::giver ? flow_role::taker : flow_role::giver; }

/// A giver and a taker, one of them the server, to whom the other one connects.
struct flow_pair {
  flow_place server, client;

  flow_pair(flow_role serves, std::string endpoint, std::uint64_t credit = 2)
      : server{serves, flow_side::server, std::move(endpoint), credit},
        client{other(serves), flow_side::client, {}, credit} {}

  zio::socket listen() {
    zio::socket out = socket_of(server);
    client.endpoint = out.endpoint();
    return out;
  }
};

zio::socket raw_dealer(const zio::socket& to) {
  return zio::socket(
      {.kind = zio::socket_kind::dealer, .endpoint = to.endpoint(), .linger = std::chrono::milliseconds(0)});
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
          zio::socket over = socket_of(both.client);
          at_client = play(both.client, over, 30, of_client);
        });
        const std::uint64_t at_server = play(both.server, listens, 30, of_server);
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
        BOOST_TEST(play(both.server, listens, 20, why) == 20u);
        BOOST_TEST(!why, endpoint << " " << credit << ": " << why.text());
        // The server's last word is still to be sent.
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
        zio::socket over = socket_of(both.client);
        play(both.client, over, client_wants, of_client);
      });
      play(both.server, listens, 45 - client_wants, of_server);
      client.join();
      BOOST_TEST(!of_client, of_client.text());
      BOOST_TEST(!of_server, of_server.text());
    }
}

BOOST_AUTO_TEST_CASE(a_client_that_dies_ends_its_server_with_an_error) {
  for (const flow_role serves : {flow_role::giver, flow_role::taker})
    for (const std::uint64_t steps : {0u, 1u, 4u, 10u}) {
      flow_pair both(serves, "tcp://127.0.0.1:*");
      both.server.linger = std::chrono::milliseconds(0);
      zio::socket listens = both.listen();
      const pid_t client = start_end(both.client, 10, steps);
      failure why;
      const std::uint64_t done = play_to_death(both.server, listens, client, why);
      BOOST_TEST(nobody_there(why), steps << ": " << why.text());
      BOOST_TEST(done <= 10u + both.server.credit);
      BOOST_TEST(status_of(client) == 1000 + SIGKILL);
    }
}

BOOST_AUTO_TEST_CASE(a_server_that_dies_ends_its_client_with_an_error) {
  const temporary_directory scratch;
  int number = 0;
  for (const flow_role serves : {flow_role::giver, flow_role::taker})
    for (const std::uint64_t steps : {0u, 1u, 4u, 10u}) {
      // The address is known before anybody listens there.
      flow_pair both(serves, "ipc://" + (scratch / ("f" + std::to_string(number++))).string());
      both.client.endpoint = both.server.endpoint;
      both.client.linger = std::chrono::milliseconds(0);
      zio::socket over = socket_of(both.client);
      const pid_t server = start_end(both.server, 10, steps);
      failure why;
      play_to_death(both.client, over, server, why);
      BOOST_TEST(nobody_there(why), steps << ": " << why.text());
      BOOST_TEST(status_of(server) == 1000 + SIGKILL);
    }
}

BOOST_AUTO_TEST_CASE(nobody_there_is_timed_out_and_waiting_can_go_on) {
  flow_pair both(flow_role::taker, "tcp://127.0.0.1:*");
  zio::socket listens = both.listen();
  zio::flow_taker server(listens, {.side = flow_side::server, .credit = 2});
  failure why;
  server.open(until_given_up, {}, why);
  BOOST_TEST(why.code == zio::errc::timed_out);
  BOOST_TEST(why.found == static_cast<std::uint64_t>(until_given_up.count()));

  zio::socket connects = socket_of(both.client);
  zio::flow_giver client(connects, {.credit = 2});
  client.open(until_given_up, {}, why);
  BOOST_TEST(why.code == zio::errc::timed_out);
  std::thread later([&] {
    failure inside;
    client.open(until_it_came, {}, inside);
    BOOST_TEST(!inside, inside.text());
  });
  server.open(until_it_came, {}, why);
  later.join();
  BOOST_TEST(!why, why.text());
  BOOST_TEST(!server.get(until_given_up, {}, why).has_value());
  BOOST_TEST(why.code == zio::errc::timed_out);

  // What was not sent costs neither a number nor credit.
  for (const std::uint64_t i : {0u, 1u}) BOOST_TEST(client.put(numbered(i), until_it_came));
  BOOST_TEST(!client.put(numbered(2), until_given_up, {}, why));
  BOOST_TEST(why.code == zio::errc::timed_out);
  BOOST_TEST(is_numbered(server.get(until_it_came).value(), 0));
  BOOST_TEST(is_numbered(server.get(until_it_came).value(), 1));
  BOOST_TEST(client.put(numbered(2), until_it_came));
  BOOST_TEST(is_numbered(server.get(until_it_came).value(), 2));

  std::stop_source stop;
  stop.request_stop();
  static_cast<void>(server.get(std::chrono::milliseconds(-1), stop.get_token(), why));
  BOOST_TEST(why.code == zio::errc::stopped);
  client.finish(until_given_up, {}, why);
  BOOST_TEST(why.code == zio::errc::timed_out);  // nobody has answered yet
  BOOST_TEST(!server.get(until_it_came).has_value());
  server.finish(until_it_came);
  client.finish(until_it_came);
  BOOST_TEST((client.flow().state() == zio::flow_state::ended));
}

BOOST_AUTO_TEST_CASE(others_do_not_disturb_a_flow) {
  flow_pair both(flow_role::taker, "tcp://127.0.0.1:*");
  zio::socket listens = both.listen();
  zio::socket first = raw_dealer(listens), second = raw_dealer(listens);
  // What opens no flow is turned away, too, and waiting goes on.
  second.send(flow_message(R"({"flow":"DAT"})"), until_it_came);
  second.send({.form = zio::tens_form}, until_it_came);
  zio::flow_taker server(listens, {.side = flow_side::server, .credit = 2});
  failure why;
  server.open(until_given_up, {}, why);
  BOOST_TEST(why.code == zio::errc::timed_out);
  BOOST_TEST(second.receive(until_it_came).label == eot);
  second.send(flow_message(bot_inject), until_it_came);  // two takers
  server.open(until_given_up, {}, why);
  BOOST_TEST(why.code == zio::errc::timed_out);
  BOOST_TEST(second.receive(until_it_came).label == eot);

  first.send(flow_message(bot_extract), until_it_came);
  server.open(until_it_came);
  BOOST_TEST(first.receive(until_it_came).label == bot_inject);
  BOOST_TEST(first.receive(until_it_came).label == R"({"credit":2,"flow":"PAY"})");
  second.send(flow_message(bot_extract), until_it_came);
  second.send(flow_message(R"({"flow":"DAT"})", 1), until_it_came);
  static_cast<void>(server.get(until_given_up, {}, why));
  BOOST_TEST(why.code == zio::errc::timed_out);
  BOOST_TEST(second.receive(until_it_came).label == eot);
  first.send(flow_message(R"({"flow":"DAT"})", 1), until_it_came);
  BOOST_TEST(server.get(until_it_came)->seqno == 1u);
  first.send(flow_message(eot, 2), until_it_came);
  BOOST_TEST(!server.get(until_it_came).has_value());
  server.finish(until_it_came);
  BOOST_TEST(first.receive(until_it_came).label == R"({"credit":1,"flow":"PAY"})");
  BOOST_TEST(first.receive(until_it_came).label == eot);

  // The socket can carry another flow.
  zio::flow_taker next(listens, {.side = flow_side::server, .credit = 2});
  second.send(flow_message(bot_extract), until_it_came);
  next.open(until_it_came);
  BOOST_TEST(second.receive(until_it_came).label == bot_inject);
}

BOOST_AUTO_TEST_CASE(a_breach_is_told_to_who_commits_it) {
  const auto breached = [](std::function<void(zio::socket&)> commit, std::error_code code) {
    zio::socket listens = socket_of({flow_role::giver, flow_side::server, "tcp://127.0.0.1:*"});
    zio::socket raw = raw_dealer(listens);
    zio::flow_giver server(listens, {.side = flow_side::server, .credit = 2});
    raw.send(flow_message(bot_inject), until_it_came);
    server.open(until_it_came);
    BOOST_TEST(raw.receive(until_it_came).label == bot_extract);
    commit(raw);
    failure why;
    BOOST_TEST(!server.put(numbered(0), until_it_came, {}, why));
    BOOST_TEST(why.code == code, why.text());
    BOOST_TEST(raw.receive(until_it_came).label == eot);
    BOOST_TEST(!server.put(numbered(0), until_it_came, {}, why));
    BOOST_TEST(why.code == errc::call_out_of_order, why.text());
  };
  const auto says = [](const char* label) {
    return [label](zio::socket& raw) { raw.send(flow_message(label, 1), until_it_came); };
  };
  breached(says(R"({"credit":3,"flow":"PAY"})"), zio::errc::flow_credit);
  breached(says(R"({"flow":"DAT"})"), zio::errc::flow_protocol);
  breached(says(bot_inject), zio::errc::flow_protocol);
  breached(says("{"), zio::errc::bad_label);
  breached([](zio::socket& raw) { raw.send({.form = zio::tens_form}, until_it_came); }, zio::errc::flow_protocol);
}

BOOST_AUTO_TEST_CASE(a_port_that_goes_tells_the_other_end) {
  zio::socket listens = socket_of({flow_role::giver, flow_side::server, "tcp://127.0.0.1:*"});
  zio::socket raw = raw_dealer(listens);
  {
    zio::flow_giver server(listens, {.side = flow_side::server, .credit = 2});
    raw.send(flow_message(bot_inject), until_it_came);
    server.open(until_it_came);
  }
  BOOST_TEST(raw.receive(until_it_came).label == bot_extract);
  BOOST_TEST(raw.receive(until_it_came).label == eot);
}

BOOST_AUTO_TEST_CASE(what_a_client_has_sent_before_it_went_is_read) {
  for (const bool ends : {true, false}) {
    zio::socket listens = socket_of({flow_role::taker, flow_side::server, "tcp://127.0.0.1:*"});
    zio::flow_taker server(listens, {.side = flow_side::server, .credit = 2});
    {
      zio::socket raw({.kind = zio::socket_kind::dealer, .endpoint = listens.endpoint()});
      raw.send(flow_message(bot_extract), until_it_came);
      server.open(until_it_came);
      for (const std::uint64_t i : {1u, 2u}) raw.send(flow_message(R"({"flow":"DAT"})", i), until_it_came);
      if (ends) raw.send(flow_message(eot, 3), until_it_came);
      raw.drain(until_it_came);
    }
    BOOST_TEST(server.get(until_it_came).value().seqno == 1u);
    // Until ZeroMQ knows nothing can be paid. Not a flood of probes: a full queue of a gone peer looks like a slow one.
    const auto give_up = std::chrono::steady_clock::now() + until_it_came;
    while (listens.statistics().disconnected == 0 && std::chrono::steady_clock::now() < give_up)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    BOOST_TEST(listens.statistics().disconnected == 1u);
    failure why;
    zio::message probe = flow_message(R"({"flow":"PAY","credit":1})");
    for (int i = 0; i < 500 && !why; ++i) {
      if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      listens.send(probe, until_it_came, {}, why);
    }
    BOOST_TEST(why.code == zio::errc::peer_gone);
    BOOST_TEST(server.get(until_it_came).value().seqno == 2u);
    BOOST_TEST(!server.get(until_given_up, {}, why).has_value());
    BOOST_TEST(why.code == (ends ? std::error_code() : make_error_code(zio::errc::peer_gone)), why.text());
    if (!ends) continue;
    server.finish(until_it_came, {}, why);
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
