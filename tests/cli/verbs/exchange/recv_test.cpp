// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <functional>
#include <memory>
#include <tgmap/zio/flow_port.hpp>
#include <tgmap/zio/from_archive.hpp>
#include <thread>

#include "../../rewriting.hpp"

using namespace tgmap_test;
namespace zio = tgmap::zio;

namespace {

constexpr std::chrono::milliseconds patient{20000};

zio::message tensor(std::uint64_t seqno, std::size_t floats = 4) {
  auto memory = std::make_shared<std::vector<std::byte>>(floats * 4, static_cast<std::byte>(seqno));
  zio::message out{.level = zio::level::info, .form = zio::tens_form, .origin = 7, .granule = 1000 + seqno};
  out.label = R"({"TENS":{"metadata":{},"tensors":[{"dtype":"f","part":0,"shape":[)" + std::to_string(floats) +
              R"(],"word":4}]}})";
  out.seqno = seqno;
  out.payload.push_back({*memory, tgmap::pin(memory)});
  return out;
}

struct receives : rewriting {
  std::string endpoint = "ipc://" + path("socket");

  zio::socket end(zio::socket_kind kind, bool bind = false) const {
    return zio::socket({.kind = kind, .endpoint = endpoint, .bind = bind});
  }

  /// Runs `recv` with a socket in another thread at the other end.
  outcome recv(std::vector<std::string> arguments, zio::socket_kind kind, bool bind,
               const std::function<void(zio::socket&)>& sender) const {
    std::thread other([&] {
      zio::socket over = end(kind, bind);
      sender(over);
    });
    arguments.insert(arguments.begin(), {"recv", "--no-sync", "--from", endpoint, "-o", path("o")});
    if (!bind) arguments.emplace_back("--bind");
    const outcome out = run(arguments);
    other.join();
    return out;
  }

  /// Sends messages by PUSH to the endpoint of recv.
  outcome recv(const std::vector<std::string>& arguments, const std::vector<zio::message>& sent) const {
    return recv(arguments, zio::socket_kind::push, false, [&](zio::socket& over) {
      for (const zio::message& each : sent) over.send(each, patient);
    });
  }

  /// Returns the recorded messages.
  std::vector<zio::message> recorded() const {
    std::vector<zio::message> out;
    const tgmap::archive all = open("o");
    for (const tgmap::message& each : all) out.push_back(zio::from_archive(all, each).message);
    return out;
  }

  bool recorded_are(const std::vector<zio::message>& wanted) const {
    const auto there = recorded();
    return std::ranges::equal(there, wanted,
                              [](const auto& a, const auto& b) { return zio::encode(a) == zio::encode(b); });
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(recv, receives)

BOOST_AUTO_TEST_CASE(messages_are_recorded_bit_for_bit) {
  const std::vector<zio::message> sent{tensor(3), tensor(4, 5000), tensor(5, 0)};
  const outcome seen = recv({"--count", "3", "--json"}, sent);
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST(recorded_are(sent));
  const auto lines = json_lines(seen.out);
  BOOST_TEST(lines.at(0)["messages"] == 3);
  BOOST_TEST(lines.at(0)["gaps"] == 0);
  BOOST_TEST(lines.at(0)["bytes_copied"] == 0);
  BOOST_TEST(lines.at(0)["ended"] == "count");
  BOOST_TEST(lines.at(0)["added"] == read("o").size());
  BOOST_TEST(seen.err.find("listening at " + endpoint) != std::string::npos, seen.err);
  // More messages are appended.
  const outcome more = recv({"--count", "1"}, {tensor(6)});
  BOOST_TEST(more.status == 0, more.err);
  BOOST_TEST(more.err.find("1 message received") != std::string::npos, more.err);
  BOOST_TEST(recorded().size() == 4u);
}

BOOST_AUTO_TEST_CASE(other_kinds_of_sockets) {
  const auto sends = [](zio::socket& over) { over.send(tensor(1), patient); };
  BOOST_TEST(recv({"--count", "1", "--socket", "router"}, zio::socket_kind::dealer, false, sends).status == 0);
  BOOST_TEST(recv({"--count", "1", "--socket", "dealer"}, zio::socket_kind::dealer, true, sends).status == 0);
  BOOST_TEST(recv({"--count", "1"}, zio::socket_kind::push, true, sends).status == 0);
  BOOST_TEST(recorded().size() == 3u);
}

BOOST_AUTO_TEST_CASE(missing_messages_are_reported) {
  const outcome seen = recv({"--count", "4", "--json"}, {tensor(1), tensor(2), tensor(5), tensor(4)});
  BOOST_TEST(seen.status == 3, seen.err);
  BOOST_TEST(json_lines(seen.out).at(0)["gaps"] == 2);
  BOOST_TEST(seen.err.find("messages are missing: origin 7: number 5 follows 2") != std::string::npos, seen.err);
  BOOST_TEST(recorded().size() == 4u);
}

BOOST_AUTO_TEST_CASE(senders_that_do_not_number_have_no_gaps) {
  BOOST_TEST(recv({"--count", "3"}, {tensor(0), tensor(0), tensor(0)}).status == 0);
}

BOOST_AUTO_TEST_CASE(invalid_messages_are_left_out) {
  zio::message odd = tensor(2);
  odd.level = static_cast<zio::level>(40);
  const outcome seen = recv({"--count", "2", "--json"}, {tensor(1), odd, tensor(2)});
  BOOST_TEST(seen.status == 1, seen.err);
  BOOST_TEST(seen.err.find("message 1 is left out: unknown level") != std::string::npos, seen.err);
  BOOST_TEST(json_lines(seen.out).at(0)["left_out"] == 1);
  BOOST_TEST(recorded_are({tensor(1), tensor(2)}));
}

BOOST_AUTO_TEST_CASE(silence_ends_it) {
  const outcome seen = recv({"--timeout", "2", "--json"}, {tensor(1), tensor(2)});
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST(json_lines(seen.out).at(0)["ended"] == "silence");
  const outcome fewer = recv({"--timeout", "2", "--count", "3"}, {tensor(1)});
  BOOST_TEST(fewer.status == 1);
  BOOST_TEST(fewer.err.find("--timeout") != std::string::npos, fewer.err);
  BOOST_TEST(recorded().size() == 3u);
  const outcome none = run({"recv", "--from", endpoint, "--timeout", "0.1", "-o", path("none")});
  BOOST_TEST(none.status == 1);
  BOOST_TEST(!exists("none"));
}

BOOST_AUTO_TEST_CASE(floods_are_refused) {
  const outcome bytes =
      recv({"--max-bytes", "10kB", "--timeout", "30"}, {tensor(1, 1000), tensor(2, 1000), tensor(3, 1000)});
  BOOST_TEST(bytes.status == 1);
  BOOST_TEST(bytes.err.find("would exceed --max-bytes") != std::string::npos, bytes.err);
  BOOST_TEST(recorded_are({tensor(1, 1000), tensor(2, 1000)}));
  zio::message large = tensor(4, 100);
  for (int i = 0; i < 10; ++i) large.payload.push_back(large.payload[0]);
  const outcome message = recv({"--max-message", "2kB", "--timeout", "30"}, {tensor(3, 100), large});
  BOOST_TEST(message.status == 1);
  BOOST_TEST(message.err.find("the limit is 2048; add --max-message") != std::string::npos, message.err);
  BOOST_TEST(recorded().size() == 3u);
}

BOOST_AUTO_TEST_CASE(received_messages_are_limited) {
  const std::vector<zio::message> three{tensor(1, 1000), tensor(2, 1000), tensor(3, 2000)};
  const outcome part = recv({"--max-decoded", "4000", "--timeout", "30"}, three);
  BOOST_TEST(part.status == 1);
  BOOST_TEST(part.err.find("part 0 of message 2 has 8000 bytes; 4000 are allowed") != std::string::npos, part.err);
  BOOST_TEST(part.err.find("--max-decoded") != std::string::npos, part.err);
  BOOST_TEST(recorded_are({three[0], three[1]}));

  const outcome total = recv({"--max-total", "10kB", "--timeout", "30"}, three);
  BOOST_TEST(total.status == 1);
  BOOST_TEST(total.err.find("message 2 would bring the total to ") != std::string::npos, total.err);
  BOOST_TEST(total.err.find("bytes; 10240 are allowed; earlier messages are kept") != std::string::npos, total.err);
  BOOST_TEST(total.err.find("--max-total") != std::string::npos, total.err);
  BOOST_TEST(recorded().size() == 4u);

  zio::message wide = tensor(3, 1000);
  wide.payload.push_back(wide.payload[0]);
  const outcome memory = recv({"--max-memory", "5kB", "--timeout", "30"}, {wide});
  BOOST_TEST(memory.status == 1);
  BOOST_TEST(memory.err.find("the limit is 5120; add --max-message or --max-memory") != std::string::npos, memory.err);
  BOOST_TEST(recv({"--max-memory", "9kB", "--max-total", "20kB", "--count", "3"}, three).status == 0);
}

BOOST_AUTO_TEST_CASE(a_flow_is_taken_until_its_end) {
  for (const bool giver_binds : {false, true})
    for (const std::string credit : {"1", "3", "9"}) {
      tgmap::failure why;
      const auto kind = giver_binds ? zio::socket_kind::router : zio::socket_kind::dealer;
      const outcome seen = recv({"--flow", "--credit", credit, "--json"}, kind, giver_binds, [&](zio::socket& over) {
        zio::flow_giver giver(over,
                              {.side = giver_binds ? zio::flow_side::server : zio::flow_side::client, .credit = 4});
        giver.open(patient, {}, why);
        for (std::uint64_t i = 0; !why && i < 6; ++i) static_cast<void>(giver.put(tensor(i), patient, {}, why));
        if (!why) giver.finish(patient, {}, why);
      });
      BOOST_TEST(!why, why.text());
      BOOST_TEST(seen.status == 0, seen.err);
      BOOST_TEST(json_lines(seen.out).at(0)["ended"] == "end");
      BOOST_TEST(json_lines(seen.out).at(0)["messages"] == 6);
    }
  const auto all = recorded();
  BOOST_TEST(all.size() == 36u);
  BOOST_TEST(all.at(7).seqno == 2u);
  BOOST_TEST((all.at(7).form == zio::flow_form));
  BOOST_TEST(all.at(7).label.ends_with(R"("flow":"DAT"})"));
}

BOOST_AUTO_TEST_CASE(a_flow_that_is_enough_is_ended) {
  bool taken = true;
  const outcome seen =
      recv({"--flow", "--count", "2", "--credit", "1"}, zio::socket_kind::dealer, false, [&](zio::socket& over) {
        zio::flow_giver giver(over, {});
        giver.open(patient);
        for (std::uint64_t i = 0; taken && i < 100; ++i) taken = giver.put(tensor(i), patient);
        giver.finish(patient);
      });
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST(!taken);
  BOOST_TEST(recorded().size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_silent_sender_is_an_error_and_received_messages_are_kept) {
  const outcome seen = recv({"--flow", "--timeout", "2"}, zio::socket_kind::dealer, false, [&](zio::socket& over) {
    over.send({.form = zio::flow_form, .label = R"({"flow":"BOT","direction":"extract","credit":2})"}, patient);
    over.receive(patient);
    over.receive(patient);
    zio::message m = tensor(1);
    m.form = zio::flow_form;
    m.label = R"({"flow":"DAT"})";
    over.send(m, patient);
  });
  BOOST_TEST(seen.status == 1);
  const bool named = seen.err.find("timed out after") != std::string::npos ||
                     seen.err.find("the peer is not connected") != std::string::npos;
  BOOST_TEST(named, seen.err);
  BOOST_TEST(recorded().size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_full_disk_keeps_what_was_recorded) {
  std::thread other([&] {
    zio::socket over = end(zio::socket_kind::push);
    for (std::uint64_t i = 1; i <= 4; ++i) over.send(tensor(i, 5000), patient);
  });
  const outcome seen =
      shell("ulimit -f 100; \"$TGMAP\" recv --bind --timeout 30 --from '" + endpoint + "' -o '" + path("o") + "'");
  other.join();
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find(path("o") + ": File too large; allow larger files") != std::string::npos, seen.err);
  const auto there = recorded();
  BOOST_TEST(there.size() >= 1u);
  BOOST_TEST(there.size() < 4u);
}

BOOST_AUTO_TEST_CASE(signals_end_it_after_a_whole_message) {
  for (const std::string signal : {"TERM", "KILL"}) {
    std::thread other([&] {
      zio::socket over = end(zio::socket_kind::push);
      for (std::uint64_t i = 1; i <= 4; ++i) over.send(tensor(i, 5000), patient);
    });
    const std::string out = path("o" + signal);
    const outcome seen =
        shell("\"$TGMAP\" recv --bind --json --from '" + endpoint + "' -o '" + out + "' & p=$!; while [ ! -s '" + out +
              "' ]; do sleep 0.01; done; kill -" + signal + " $p; wait $p");
    other.join();
    if (signal == "KILL") {
      BOOST_TEST(seen.status == 137);
    } else {
      BOOST_TEST(seen.status == 0, seen.err);
      BOOST_TEST(json_lines(seen.out).at(0)["ended"] == "signal");
      BOOST_TEST(!open("o" + signal).incomplete_tail().has_value());
    }
    BOOST_TEST(open("o" + signal).size() >= (signal == "KILL" ? 0u : 1u));  // an unfinished one is no message
  }
}

BOOST_AUTO_TEST_CASE(mistakes_are_reported) {
  const auto refused = [&](std::vector<std::string> arguments, int status, const char* text) {
    arguments.insert(arguments.begin(), {"recv", "--timeout", "0.1"});
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == status, seen.err);
    BOOST_TEST(seen.err.find(text) != std::string::npos, seen.err);
  };
  const std::string o = path("x");
  refused({"--from", endpoint, "-o", "-"}, 2, "name a file with -o");
  refused({"--from", endpoint, "-o", o, "--flow", "--socket", "pull"}, 2, "omit --socket");
  refused({"--from", endpoint, "-o", o, "--flow", "--socket", "router"}, 2, "add --bind");
  refused({"--from", endpoint, "-o", o, "--bind", "--curve-server-key", "k"}, 2, "--curve-key");
  refused({"--from", endpoint, "-o", o, "--curve-key", "k"}, 2, "needs --curve-server-key");
  refused({"--from", endpoint, "-o", o, "--bind", "--curve-key", path("no_keys")}, 1, "no_keys: No such file");
  refused({"--from", endpoint, "-o", o, "--bind", "--curve-key", make("keys", "no key")}, 1,
          "name a ZeroMQ certificate");
  refused({"--from", "nonsense", "-o", o}, 1, "write it as tcp://HOST:PORT");
  refused({"--from", "tcp://0.0.0.0:*", "--bind", "-o", o}, 1, "--insecure");
  refused({"--from", "ipc://@tgmap_recv_test", "--bind", "-o", o}, 1,
          "can connect to this address, and there are no keys");
  refused({"--from", endpoint, "-o", make("bad", "TENSOGRM")}, 1, "bad");
  BOOST_TEST(!exists("x"));
}

BOOST_AUTO_TEST_SUITE_END()
