// SPDX-License-Identifier: Apache-2.0
#include <tgmap/zio/socket.hpp>

#include <unistd.h>
#include <zmq.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <support/temporary.hpp>
#include <thread>

#include "fixtures/sockets.hpp"

using namespace tgmap;
using namespace tgmap_test;

namespace {

zio::message some_message(std::uint64_t seqno = 3) {
  zio::message out{.level = zio::level::info,
                   .form = zio::tens_form,
                   .label = R"({"TENS":{"tensors":[]}})",
                   .origin = 1,
                   .granule = 2,
                   .seqno = seqno};
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{5}, std::size_t{33}, std::size_t{100}, std::size_t{20000}})
    out.payload.push_back(owned_part(bytes, static_cast<unsigned char>(bytes)));
  return out;
}

struct pair_of_kinds {
  zio::socket_kind sender, receiver;
};

constexpr std::array pairs{pair_of_kinds{zio::socket_kind::push, zio::socket_kind::pull},
                           pair_of_kinds{zio::socket_kind::dealer, zio::socket_kind::router},
                           pair_of_kinds{zio::socket_kind::dealer, zio::socket_kind::dealer}};

std::array<std::string, 3> endpoints(const temporary_directory& folder) {
  return {"tcp://127.0.0.1:*", "ipc://" + (folder / "socket").string(), "inproc://socket_test"};
}

/// A plain socket of ZeroMQ, to send parts that our sockets never send.
class bare_socket {
 public:
  bare_socket(int type, const std::string& connect_to)
      : context_(::zmq_ctx_new()), socket_(::zmq_socket(context_, type)) {
    const int zero = 0;
    ::zmq_setsockopt(socket_, ZMQ_LINGER, &zero, sizeof zero);
    BOOST_TEST(::zmq_connect(socket_, connect_to.c_str()) == 0);
  }
  ~bare_socket() {
    ::zmq_close(socket_);
    ::zmq_ctx_term(context_);
  }
  void send(std::initializer_list<std::string> parts) {
    for (const auto& part : parts)
      ::zmq_send(socket_, part.data(), part.size(), &part + 1 == parts.end() ? 0 : ZMQ_SNDMORE);
  }

 private:
  void* context_;
  void* socket_;
};

const std::string headers_only[] = {"ZIO0TENS", std::string(24, '\1')};

}  // namespace

BOOST_AUTO_TEST_SUITE(socket_test)

BOOST_AUTO_TEST_CASE(every_kind_works_with_every_transport) {
  const temporary_directory folder;
  for (const auto& kinds : pairs)
    for (const auto& endpoint : endpoints(folder))
      for (const bool sender_binds : {false, true}) {
        if (sender_binds && kinds.receiver == zio::socket_kind::router) continue;
        zio::socket first = bound(sender_binds ? kinds.sender : kinds.receiver, endpoint);
        zio::socket second = connected(sender_binds ? kinds.receiver : kinds.sender, first);
        zio::socket& sender = sender_binds ? first : second;
        zio::socket& receiver = sender_binds ? second : first;
        for (std::uint64_t i = 0; i < 3; ++i) {
          const auto sent = some_message(i);
          sender.send(sent, patient);
          BOOST_TEST(same(receiver.receive(patient), sent), endpoint);
        }
        sender.drain(patient);
        const auto counts = sender.statistics();
        BOOST_TEST(counts.messages_sent == 3u);
        BOOST_TEST(counts.bytes_sent == 3 * 20138u);
        BOOST_TEST(counts.bytes_copied == 3 * 5u);  // small parts are copied to their handles
        BOOST_TEST(counts.bytes_in_flight == 0u);
        BOOST_TEST(receiver.statistics().bytes_received == 3 * 20138u);
      }
}

BOOST_AUTO_TEST_CASE(a_router_answers_the_last_sender) {
  for (const std::string endpoint : {"tcp://127.0.0.1:*", "inproc://router_test"}) {
    zio::socket router = bound(zio::socket_kind::router, endpoint);
    failure why;
    router.send(some_message(), soon, {}, why);
    BOOST_TEST(why.code == zio::errc::peer_gone);

    zio::socket socket = connected(zio::socket_kind::dealer, router),
                other = connected(zio::socket_kind::dealer, router);
    socket.send(some_message(1), patient);
    BOOST_TEST(router.receive(patient).seqno == 1u);
    const std::string first = router.peer();
    BOOST_TEST(!first.empty());
    other.send(some_message(2), patient);
    BOOST_TEST(router.receive(patient).seqno == 2u);
    BOOST_TEST((router.peer() != first));
    router.send(some_message(20), patient);
    router.set_peer(first);
    router.send(some_message(10), patient);
    BOOST_TEST(socket.receive(patient).seqno == 10u);
    BOOST_TEST(other.receive(patient).seqno == 20u);

    router.set_peer("nobody");
    router.send(some_message(), soon, {}, why);
    BOOST_TEST(why.code == zio::errc::peer_gone);
    router.set_peer(first);
    router.send(some_message(11), patient);
    BOOST_TEST(socket.receive(patient).seqno == 11u);
  }
}

BOOST_AUTO_TEST_CASE(the_envelope_is_optional) {
  zio::socket pull = bound(zio::socket_kind::pull);
  bare_socket push(ZMQ_PUSH, pull.endpoint());
  push.send({headers_only[0], headers_only[1], "abc"});
  BOOST_TEST(pull.receive(patient).payload.size() == 1u);
  push.send({"", headers_only[0], headers_only[1], "abc"});
  BOOST_TEST(pull.receive(patient).payload.size() == 1u);

  zio::socket router = bound(zio::socket_kind::router);
  bare_socket dealer(ZMQ_DEALER, router.endpoint());
  dealer.send({"", headers_only[0], headers_only[1]});
  BOOST_TEST(router.receive(patient).payload.empty());
  dealer.send({headers_only[0], headers_only[1]});
  BOOST_TEST(router.receive(patient).payload.empty());
}

BOOST_AUTO_TEST_CASE(invalid_messages_are_errors_and_the_next_one_is_read) {
  zio::socket pull = bound(zio::socket_kind::pull);
  bare_socket push(ZMQ_PUSH, pull.endpoint());
  struct refusal {
    std::initializer_list<std::string> parts;
    std::error_code why;
  };
  const std::string envelope_twice[] = {"", ""};
  for (const auto& [parts, expected] :
       {refusal{{""}, zio::errc::too_few_parts}, refusal{{headers_only[0]}, zio::errc::too_few_parts},
        refusal{{"", headers_only[0]}, zio::errc::too_few_parts},
        refusal{{envelope_twice[0], envelope_twice[1], headers_only[1]}, zio::errc::bad_prefix},
        refusal{{"ZIO9TENS", headers_only[1]}, zio::errc::bad_level},
        refusal{{headers_only[1], headers_only[0]}, zio::errc::bad_prefix},
        refusal{{headers_only[0], "short"}, zio::errc::bad_coordinates}}) {
    push.send(parts);
    push.send({headers_only[0], headers_only[1]});
    failure why;
    pull.receive(patient, {}, why);
    BOOST_TEST(why.code == expected, why.text());
    pull.receive(patient, {}, why);
    BOOST_TEST(!why, why.text());
  }
}

BOOST_AUTO_TEST_CASE(a_message_that_is_too_large_is_skipped) {
  auto options = socket_of(zio::socket_kind::pull, "tcp://127.0.0.1:*", true);
  options.max_message_bytes = 100;
  zio::socket pull(options);
  bare_socket push(ZMQ_PUSH, pull.endpoint());
  push.send({headers_only[0], headers_only[1], std::string(60, 'a'), std::string(60, 'b'), "c"});
  push.send({headers_only[0], headers_only[1], std::string(60, 'a')});
  failure why;
  pull.receive(patient, {}, why);
  BOOST_TEST(why.code == zio::errc::message_limit);
  BOOST_TEST(why.expected == 100u);
  BOOST_TEST(why.found == 8 + 24 + 121u);
  BOOST_TEST(pull.receive(patient).payload.size() == 1u);
}

BOOST_AUTO_TEST_CASE(received_parts_own_their_memory) {
  zio::message came;
  {
    zio::socket pull = bound(zio::socket_kind::pull);
    zio::socket push = connected(zio::socket_kind::push, pull);
    push.send(some_message(), patient);
    came = pull.receive(patient);
  }
  BOOST_TEST(same(came, some_message()));
  const zio::part kept = came.payload[4];
  came = {};
  BOOST_TEST((kept.bytes.back() == std::byte{static_cast<unsigned char>(20000)}));
}

BOOST_AUTO_TEST_CASE(waiting_ends_at_the_timeout) {
  zio::socket pull = bound(zio::socket_kind::pull);
  failure why;
  pull.receive(soon, {}, why);
  BOOST_TEST(why.code == zio::errc::timed_out);
  BOOST_TEST(why.found >= 20u);
  pull.receive(std::chrono::milliseconds(0), {}, why);
  BOOST_TEST(why.code == zio::errc::timed_out);

  zio::socket push = bound(zio::socket_kind::push);  // nobody receives
  push.send(some_message(), soon, {}, why);
  BOOST_TEST(why.code == zio::errc::timed_out);
  BOOST_TEST(push.statistics().messages_sent == 0u);
  BOOST_TEST(push.statistics().bytes_in_flight == 0u);
  push.drain(soon, {}, why);
  BOOST_TEST(!why);
}

BOOST_AUTO_TEST_CASE(waiting_ends_on_request) {
  zio::socket pull = bound(zio::socket_kind::pull), push = bound(zio::socket_kind::push);
  const std::chrono::milliseconds for_ever{-1};
  for (const bool before : {true, false}) {
    std::stop_source source;
    failure of_pull, of_push;
    if (before) source.request_stop();
    std::jthread receiver([&] { pull.receive(for_ever, source.get_token(), of_pull); });
    std::jthread sender([&] { push.send(some_message(), for_ever, source.get_token(), of_push); });
    if (!before) std::this_thread::sleep_for(soon);
    source.request_stop();
    receiver.join();
    sender.join();
    BOOST_TEST(of_pull.code == zio::errc::stopped);
    BOOST_TEST(of_push.code == zio::errc::stopped);
  }
}

BOOST_AUTO_TEST_CASE(push_cannot_receive_and_pull_cannot_send) {
  zio::socket pull = bound(zio::socket_kind::pull), push = bound(zio::socket_kind::push);
  failure why;
  pull.send(some_message(), soon, {}, why);
  BOOST_TEST(why.code == errc::call_out_of_order);
  push.receive(soon, {}, why);
  BOOST_TEST(why.code == errc::call_out_of_order);
  BOOST_TEST(zio::to_string_view(pull.kind()) == "pull");
}

BOOST_AUTO_TEST_CASE(a_moved_socket_refuses_calls) {
  zio::socket pull = bound(zio::socket_kind::pull);
  const std::string endpoint = pull.endpoint();
  BOOST_TEST((endpoint.find('*') == std::string::npos), endpoint);
  const zio::socket moved = std::move(pull);
  BOOST_TEST(moved.endpoint() == endpoint);
  failure why;
  pull.receive(soon, {}, why);  // NOLINT
  BOOST_TEST(why.code == errc::call_out_of_order);
  BOOST_TEST(pull.endpoint().empty());  // NOLINT
}

BOOST_AUTO_TEST_CASE(invalid_addresses_are_refused) {
  const auto refused = [](zio::socket_options options) {
    failure why;
    const zio::socket none(options, why);
    BOOST_TEST_CONTEXT(options.endpoint) BOOST_TEST(static_cast<bool>(why));
    return why;
  };
  for (const char* endpoint : {"", "tcp://", "tcp://127.0.0.1", "tcp://127.0.0.1:x", "udp://127.0.0.1:5", "127.0.0.1:5",
                               "tcp://127.0.0.1:70000", "inproc://", "ipc"})
    BOOST_TEST(refused(socket_of(zio::socket_kind::pull, endpoint, true)).code == zio::errc::bad_endpoint, endpoint);
  const zio::socket taken = bound(zio::socket_kind::pull);
  BOOST_TEST(refused(socket_of(zio::socket_kind::pull, taken.endpoint(), true)).code.value() == EADDRINUSE);
  for (const char* endpoint : {"tcp://*:*", "tcp://0.0.0.0:*", "tcp://[::]:*", "tcp://eth0:*", "ipc://@tgmap_test"})
    BOOST_TEST(refused(socket_of(zio::socket_kind::pull, endpoint, true)).code == zio::errc::insecure_endpoint,
               endpoint);
  auto none = socket_of(zio::socket_kind::pull, "tcp://127.0.0.1:*", true);
  none.max_message_bytes = 0;
  BOOST_TEST(refused(none).code == errc::invalid_option);

  auto open = socket_of(zio::socket_kind::pull, "tcp://*:*", true);
  open.allow_insecure = true;
  BOOST_TEST(zio::socket(open).endpoint().starts_with("tcp://0.0.0.0:"));
}

// Abstract names have no permissions, so every user of the machine can connect.
BOOST_AUTO_TEST_CASE(abstract_names_are_open_to_others) {
  const std::string name = "ipc://@tgmap_socket_test_" + std::to_string(::getpid());
  auto to = socket_of(zio::socket_kind::pull, name, true);
  failure why;
  const zio::socket none(to, why);
  BOOST_TEST(why.code == zio::errc::insecure_endpoint);
  BOOST_TEST(why.text() == "other machines or users can connect to this address, and there are no keys");
  auto from = socket_of(zio::socket_kind::push, name, false);
  for (const bool encrypted : {false, true}) {
    to.allow_insecure = !encrypted;
    if (encrypted) {
      to.keys = zio::make_curve_keys();
      from.server_key = to.keys->public_key;
    }
    zio::socket pull(to), push(from);
    push.send(some_message(7), patient);
    BOOST_TEST(pull.receive(patient).seqno == 7u);
  }
}

BOOST_AUTO_TEST_CASE(connections_are_counted) {
  zio::socket pull = bound(zio::socket_kind::pull);
  {
    zio::socket push = connected(zio::socket_kind::push, pull);
    push.send(some_message(), patient);
    pull.receive(patient);
  }
  failure why;
  for (int i = 0; i < 100 && pull.statistics().disconnected == 0; ++i) pull.receive(soon, {}, why);
  BOOST_TEST(pull.statistics().connected == 1u);
  BOOST_TEST(pull.statistics().disconnected == 1u);
  BOOST_TEST(pull.statistics().refused == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
