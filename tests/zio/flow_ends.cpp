// SPDX-License-Identifier: Apache-2.0
#include "flow_ends.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <vector>

namespace tgmap_test {

using tgmap::failure;
using zio::flow_role;
using zio::flow_side;

zio::socket socket_of(const flow_place& place) {
  const bool serves = place.side == flow_side::server;
  return zio::socket({.kind = serves ? zio::socket_kind::router : zio::socket_kind::dealer,
                      .endpoint = place.endpoint,
                      .bind = serves,
                      .linger = place.linger});
}

zio::flow_options options_of(const flow_place& place) {
  return {.role = place.role, .side = place.side, .credit = place.credit};
}

zio::message numbered(std::uint64_t i) {
  auto memory = std::make_shared<std::vector<std::byte>>(200 + i, static_cast<std::byte>(i));
  zio::message out{.form = zio::tens_form, .label = R"({"TENS":{"tensors":[]},"i":)" + std::to_string(i) + "}"};
  out.payload.push_back({*memory, tgmap::pin(memory)});
  return out;
}

bool is_numbered(const zio::message& m, std::uint64_t i) {
  const zio::message wanted = numbered(i);
  return m.payload.size() == 1 && std::ranges::equal(m.payload[0].bytes, wanted.payload[0].bytes) &&
         m.label.find("\"i\":" + std::to_string(i) + "}") != std::string::npos && m.seqno == i + 1;
}

namespace {

/// Calls `step` with the number of messages that are behind, before each; where nothing comes for `timeout`, goes on if
/// `again` says so.
template <class Step, class Again>
std::uint64_t play_steps(const flow_place& place, zio::socket& over, std::uint64_t count,
                         std::chrono::milliseconds timeout, failure& why, Step&& step, Again&& again) {
  std::uint64_t done = 0;
  const auto patiently = [&](auto&& call) {
    do call();
    while (why.code == zio::errc::timed_out && again());
  };
  if (place.role == flow_role::giver) {
    zio::flow_giver end(over, options_of(place));
    patiently([&] { end.open(timeout, {}, why); });
    for (bool went = true; !why && done < count; ++done) {
      step(done);
      patiently([&] { went = end.put(numbered(done), timeout, {}, why); });
      if (!went) break;
    }
    step(done);
    if (!why) end.finish(timeout, {}, why);
    return done;
  }
  zio::flow_taker end(over, options_of(place));
  patiently([&] { end.open(timeout, {}, why); });
  for (std::optional<zio::message> m; !why && done < count; ++done) {
    step(done);
    patiently([&] { m = end.get(timeout, {}, why); });
    if (!m) break;
    if (!is_numbered(*m, done)) why = {.code = tgmap::errc::damaged, .found = done};
  }
  step(done);
  if (!why) end.finish(timeout, {}, why);
  return done;
}

void no_step(std::uint64_t) {}
bool never() { return false; }

}  // namespace

std::uint64_t play(const flow_place& place, zio::socket& over, std::uint64_t count, failure& why) {
  return play_steps(place, over, count, until_it_came, why, no_step, never);
}

std::uint64_t play_to_death(const flow_place& place, zio::socket& over, pid_t alive, failure& why) {
  // It stays a zombie for status_of().
  const auto lives = [alive] {
    siginfo_t facts{};
    return ::waitid(P_PID, static_cast<id_t>(alive), &facts, WEXITED | WNOHANG | WNOWAIT) == 0 && facts.si_pid == 0;
  };
  return play_steps(place, over, 1000, until_given_up, why, no_step, lives);
}

pid_t start_end(const flow_place& place, std::uint64_t count, std::uint64_t steps) {
  std::ostringstream what;
  what << static_cast<int>(place.role) << ' ' << static_cast<int>(place.side) << ' ' << place.credit << ' ' << count
       << ' ' << steps << ' ' << place.endpoint;
  const std::string set = "TGMAP_FLOW_END=" + what.str();
  std::vector<char*> environment;
  for (char** each = environ; *each != nullptr; ++each) environment.push_back(*each);
  environment.push_back(const_cast<char*>(set.c_str()));
  environment.push_back(nullptr);
  const char* const arguments[] = {
      "zio_test", "--run_test=flow_end_process", "--catch_system_errors=no", "--log_level=nothing", "--report_level=no",
      nullptr};
  const pid_t child = ::fork();
  if (child == 0) {
    ::execve("/proc/self/exe", const_cast<char**>(arguments), environment.data());
    ::_exit(99);
  }
  return child;
}

int status_of(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child) return -1;
  return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

// What start_end() runs.
BOOST_AUTO_TEST_SUITE(flow_end_process, *boost::unit_test::disabled())

BOOST_AUTO_TEST_CASE(is_one_end) {
  const char* const what = std::getenv("TGMAP_FLOW_END");
  if (what == nullptr) return;
  std::istringstream in(what);
  int role = 0, side = 0;
  std::uint64_t count = 0, steps = 0;
  flow_place place{};
  in >> role >> side >> place.credit >> count >> steps >> place.endpoint;
  place.role = static_cast<flow_role>(role);
  place.side = static_cast<flow_side>(side);
  failure why;
  {
    zio::socket over = socket_of(place);
    const auto die = [&](std::uint64_t done) {
      if (done == steps) ::kill(::getpid(), SIGKILL);
    };
    const std::uint64_t done = play_steps(place, over, count, until_it_came, why, die, never);
    BOOST_TEST(!why, why.text());
    BOOST_TEST(done == count);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tgmap_test
