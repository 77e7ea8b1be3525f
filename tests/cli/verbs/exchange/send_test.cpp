// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <support/shared_data.hpp>
#include <tgmap/write/writer.hpp>
#include <tgmap/zio/flow_port.hpp>
#include <tgmap/zio/tens.hpp>
#include <tgmap/zio/to_archive.hpp>
#include <thread>

#include "../../rewriting.hpp"
#include "cli/stream/endpoint_options.hpp"
#include "zio/stream/leased_file.hpp"
#include "zio/stream/send_schedule.hpp"

using namespace tgmap_test;
namespace zio = tgmap::zio;
namespace cli = tgmap::cli;

namespace {

constexpr std::chrono::milliseconds long_enough{20000};

zio::message recorded_tensor(std::uint64_t seqno, std::uint64_t granule) {
  auto memory = std::make_shared<std::vector<std::byte>>(16, static_cast<std::byte>(seqno));
  zio::message out{.level = zio::level::info, .form = zio::tens_form, .origin = 7, .granule = granule, .seqno = seqno};
  out.label = R"({"TENS":{"metadata":{},"tensors":[{"dtype":"f","part":0,"shape":[4],"word":4}]}})";
  out.payload.push_back({*memory, tgmap::pin(memory)});
  return out;
}

struct sends : rewriting {
  std::string endpoint = "ipc://" + path("socket");

  /// Writes an archive of messages like recv.
  std::string record(const std::vector<zio::message>& all) const {
    tgmap::memory_sink sink;
    tgmap::writer to(sink);
    for (const auto& each : all) to.write(zio::to_archive(each));
    const std::string file = path("in.tgm");
    write_file(file, {reinterpret_cast<const char*>(sink.bytes().data()), sink.bytes().size()});
    return file;
  }

  std::string three() const {
    return record({recorded_tensor(5, 1000), recorded_tensor(6, 2000), recorded_tensor(7, 3000)});
  }

  /// Runs `send` with a socket in another thread at the other end. The socket stays open to the end, because `send`
  /// reports connections that close earlier.
  outcome send(std::vector<std::string> arguments, zio::socket_kind kind, bool bind,
               const std::function<void(zio::socket&)>& taker) const {
    std::promise<void> ended;
    std::thread other([&] {
      zio::socket over({.kind = kind, .endpoint = endpoint, .bind = bind});
      taker(over);
      ended.get_future().wait();
    });
    arguments.insert(arguments.begin(), {"send", "--to", endpoint});
    if (!bind) arguments.emplace_back("--bind");
    const outcome out = run(arguments);
    ended.set_value();
    other.join();
    return out;
  }

  /// Receives this many messages by PULL.
  outcome send(const std::vector<std::string>& arguments, std::size_t wanted, std::vector<zio::message>& taken) const {
    return send(arguments, zio::socket_kind::pull, true, [&](zio::socket& over) {
      tgmap::failure why;
      while (taken.size() < wanted && !why) taken.push_back(over.receive(long_enough, {}, why));
      BOOST_TEST(!why, why.text());
    });
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(send, sends)

BOOST_AUTO_TEST_CASE(recorded_messages_are_sent_byte_for_byte) {
  for (const bool copy : {false, true}) {
    std::vector<std::string> arguments{three(), "--json"};
    if (copy) arguments.emplace_back("--copy");
    std::vector<zio::message> taken;
    const outcome seen = send(arguments, 3, taken);
    BOOST_TEST(seen.status == 0, seen.err);
    BOOST_TEST((seen.out.find(R"("messages":3,"bytes":48,)") != std::string::npos), seen.out);
    BOOST_TEST((seen.out.find(R"("ended":"end")") != std::string::npos), seen.out);
    for (std::uint64_t i = 0; i < 3; ++i)
      BOOST_TEST((zio::encode(taken.at(i)) == zio::encode(recorded_tensor(5 + i, 1000 + 1000 * i))));
  }
}

BOOST_AUTO_TEST_CASE(messages_are_selected_repeated_and_renumbered) {
  std::vector<zio::message> taken;
  outcome seen = send({three() + ":1..", "--loop", "2", "--renumber"}, 4, taken);
  BOOST_TEST(seen.status == 0, seen.err);
  for (std::uint64_t i = 0; i < taken.size(); ++i) {
    BOOST_TEST(taken[i].seqno == i);
    BOOST_TEST(taken[i].granule > 1'000'000'000u);
    BOOST_TEST((taken[i].payload.at(0).bytes[0] == static_cast<std::byte>(6 + i % 2)));
  }
  taken.clear();
  seen = send({three(), "-w", "zio.seqno=6"}, 1, taken);
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST(taken.at(0).seqno == 6u);
}

BOOST_AUTO_TEST_CASE(other_messages_become_tensors) {
  const std::string file = (test_data() / "mixed_0.tgm").string();
  std::vector<zio::message> taken;
  const outcome seen = send({file, "--raw-words"}, 10, taken);
  BOOST_TEST(seen.status == 0, seen.err);
  for (std::uint64_t i = 0; i < taken.size(); ++i) {
    BOOST_TEST(taken[i].seqno == i);
    BOOST_TEST(zio::tens::of(taken[i]).tensors().size() == taken[i].payload.size());
  }
  taken.clear();
  const outcome without = send({file}, 8, taken);
  BOOST_TEST(without.status == 1);
  BOOST_TEST((without.err.find("add --raw-words") != std::string::npos), without.err);
}

BOOST_AUTO_TEST_CASE(a_flow_is_given) {
  for (const bool bind : {false, true}) {
    const auto kind = bind ? zio::socket_kind::router : zio::socket_kind::dealer;
    std::vector<std::uint64_t> first_bytes;
    const outcome seen = send({three(), "--flow", "--json"}, kind, bind, [&](zio::socket& over) {
      zio::flow_options how;
      how.side = bind ? zio::flow_side::server : zio::flow_side::client;
      zio::flow_taker taker(over, how);
      taker.open(long_enough);
      while (const auto dat = taker.get(long_enough))
        first_bytes.push_back(std::to_integer<std::uint64_t>(dat->payload.at(0).bytes[0]));
      taker.finish(long_enough);
    });
    BOOST_TEST(seen.status == 0, seen.err);
    BOOST_TEST((first_bytes == std::vector<std::uint64_t>{5, 6, 7}));
  }
}

BOOST_AUTO_TEST_CASE(a_taker_that_wants_no_more_is_no_fault) {
  const outcome seen =
      send({three(), "--flow", "--loop", "--json"}, zio::socket_kind::router, true, [&](zio::socket& over) {
        zio::flow_options how;
        how.side = zio::flow_side::server;
        zio::flow_taker taker(over, how);
        taker.open(long_enough);
        for (int i = 0; i < 7; ++i) static_cast<void>(taker.get(long_enough));
        taker.finish(long_enough);
      });
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST((seen.out.find(R"("ended":"taker")") != std::string::npos), seen.out);
}

BOOST_AUTO_TEST_CASE(nobody_who_takes_is_an_error_in_time) {
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--bind"}, {"--flow"}, {"--flow", "--bind"}}) {
    std::vector<std::string> arguments{"send", three(), "--to", endpoint, "--timeout", "0.1", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == 1);
    BOOST_TEST((seen.err.find("the other end received nothing for 100 ms") != std::string::npos), seen.err);
    BOOST_TEST((seen.out.find(R"("messages":0,"bytes":0,)") != std::string::npos), seen.out);
    BOOST_TEST((seen.out.find(R"("ended":"failure")") != std::string::npos), seen.out);
  }
}

BOOST_AUTO_TEST_CASE(messages_that_wait_are_not_called_sent) {
  const outcome seen = run({"send", three(), "--to", endpoint, "--timeout", "0.1"});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST((seen.err.find(": 0 messages sent, 0 bytes, in ") != std::string::npos), seen.err);
  BOOST_TEST((seen.err.find(", 3 messages not sent, ") != std::string::npos), seen.err);
  const outcome json = run({"send", three(), "--to", endpoint, "--timeout", "0.1", "--json"});
  BOOST_TEST((json.out.find(R"("messages_in_flight":3,)") != std::string::npos), json.out);
}

BOOST_AUTO_TEST_CASE(a_signal_does_not_call_waiting_messages_sent) {
  const outcome seen = shell("\"$TGMAP\" send --json --rate 1 --loop --to '" + endpoint + "' '" + three() +
                             "' & p=$!; sleep 1; kill -TERM $p; wait $p");
  BOOST_TEST((seen.out.find(R"("messages":0,"bytes":0,)") != std::string::npos), seen.out);
  BOOST_TEST((seen.out.find(R"("ended":"signal")") != std::string::npos), seen.out);
}

BOOST_AUTO_TEST_CASE(a_taker_that_vanishes_is_an_error_in_time) {
  const outcome seen = send({three(), "--loop", "--rate", "200", "--timeout", "0.3"}, zio::socket_kind::pull, false,
                            [&](zio::socket& over) {
                              zio::socket here = std::move(over);
                              here.receive(long_enough);
                            });
  BOOST_TEST(seen.status == 1, seen.err);
}

BOOST_AUTO_TEST_CASE(an_archive_that_was_cut_sends_what_there_is) {
  const std::string file = three();
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 100);
  std::vector<zio::message> taken;
  const outcome seen = send({file}, 2, taken);
  BOOST_TEST(seen.status == 3, seen.err);
  BOOST_TEST(taken.at(1).seqno == 6u);
}

BOOST_AUTO_TEST_CASE(contradictory_options_are_refused) {
  const std::string file = three();
  const auto status = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"send", file, "--to", endpoint});
    return run(more).status;
  };
  BOOST_TEST(status({"--rate", "fast"}) == 2);
  BOOST_TEST(status({"--rate", "0"}) == 2);
  BOOST_TEST(status({"--rate", "5", "--as-recorded"}) == 2);
  BOOST_TEST(status({"--loop", "0"}) == 2);
  BOOST_TEST(status({"--socket", "pull"}) == 2);
  BOOST_TEST(status({"--socket", "push", "--flow"}) == 2);
  BOOST_TEST(status({"--max-in-flight", "0"}) == 2);
  BOOST_TEST(run({"send", file + ":0:0", "--to", endpoint}).status == 2);
  BOOST_TEST(run({"send", file}).status == 2);
  for (const char* open : {"tcp://*:*", "ipc://@tgmap_send_test"}) {
    const outcome seen = run({"send", file, "--bind", "--to", open, "--timeout", "0"});
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(
        seen.err.find("can connect to this address, and there are no keys; add --curve-key") != std::string::npos,
        seen.err);
  }
}

BOOST_AUTO_TEST_CASE(leased_files_make_writers_wait) {
  const std::string file = three();
  zio::leased_file lent(file);
  BOOST_TEST(!lent.check_length(std::filesystem::file_size(file)));
  BOOST_TEST(lent.check_length(std::filesystem::file_size(file) + 1).code == tgmap::errc::file_shrank);
  if (!lent.leased()) return;  // this file system has no leases
  BOOST_TEST(!lent.is_break_requested());
  const zio::leased_file other(file);
  BOOST_TEST(other.leased());
  BOOST_TEST(::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC) == -1);  // asks for the end of the leases
  BOOST_TEST(lent.is_break_requested());
  lent.release_lease();
  BOOST_TEST(!lent.leased());
  BOOST_TEST(lent.may_change());
}

BOOST_AUTO_TEST_CASE(files_being_written_are_not_leased) {
  const std::string file = three();
  const int writer = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  const zio::leased_file lent(file);
  ::close(writer);
  BOOST_TEST(!lent.leased());
  BOOST_TEST(lent.may_change());
  const zio::leased_file none(path(""));  // a directory
  BOOST_TEST(!none.leased());
  BOOST_TEST(!none.may_change());
  BOOST_TEST(!none.check_length(1000));
}

BOOST_AUTO_TEST_CASE(messages_are_due_by_rate_or_as_they_were_recorded) {
  using std::chrono::milliseconds;
  const zio::send_schedule::clock::time_point now{};
  zio::send_schedule slow(cli::parse_rate("10").value());
  BOOST_TEST((slow.due(0, {}, now) == now));
  BOOST_TEST((slow.due(0, {}, now) == now + milliseconds(100)));
  BOOST_TEST((slow.due(0, {}, now + milliseconds(900)) == now + milliseconds(900)));
  zio::send_schedule bytes(cli::parse_rate("1000000/s").value());
  BOOST_TEST((bytes.due(500000, {}, now) == now));
  BOOST_TEST((bytes.due(1, {}, now) == now + milliseconds(500)));
  zio::send_schedule recorded({.as_recorded = true});
  BOOST_TEST((recorded.due(0, 5000, now) == now));
  BOOST_TEST((recorded.due(0, 7000, now) == now + milliseconds(2)));
  BOOST_TEST((recorded.due(0, 4000, now) == now));
  BOOST_TEST((recorded.due(0, {}, now) == now));
  recorded.restart();
  BOOST_TEST((recorded.due(0, 9000, now) == now));
  for (const char* bad : {"", "0", "-1", "nan", "inf", "5x", "/s", "0/s", "x/s", "1MB"})
    BOOST_TEST(!cli::parse_rate(bad), bad);
}

BOOST_AUTO_TEST_SUITE_END()
