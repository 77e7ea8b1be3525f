// SPDX-License-Identifier: Apache-2.0
// Appending while one system call fails, or kills the process, for each call in turn.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <functional>
#include <numeric>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/tgmap.hpp>

#include "write/append/failing_calls.hpp"

using namespace tgmap_test;
using tgmap::cbor_value;
using tgmap::new_message;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(append_kill_test)

namespace {

/// Number of messages that a child process has appended, in memory that it shares with its parent.
struct progress {
  progress() : memory(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    BOOST_REQUIRE(memory != MAP_FAILED);
  }
  ~progress() { ::munmap(memory, 4096); }
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  volatile std::uint32_t& done() { return *static_cast<volatile std::uint32_t*>(memory); }
  void* memory;
};

std::vector<std::uint32_t> elements_of(std::uint32_t n) {
  std::vector<std::uint32_t> out(n % 3 == 0 ? 100000 : 5);  // large ones are written directly, small ones buffered
  std::iota(out.begin(), out.end(), n);
  return out;
}

new_message message_of(std::uint32_t n, const std::vector<std::uint32_t>& elements) {
  new_message out{.extra = cbor_value::map({{"n", n}})};
  out.objects.emplace_back(new_object::of(std::span<const std::uint32_t>(elements)));
  return out;
}

/// Appends the n-th message: as a whole, as a stream, or as a copy of a message of another archive.
void add(tgmap::appender& to, std::uint32_t n, tgmap::failure& why) {
  const auto elements = elements_of(n);
  if (n % 4 == 1) {
    auto* stream = to.begin_stream(cbor_value::map({{"n", n}}), why);
    if (stream == nullptr) return;
    stream->write(new_object::of(std::span<const std::uint32_t>(elements)), why);
    tgmap::failure not_closed;
    to.close_stream(not_closed);
    if (!why) why = not_closed;
  } else if (n % 4 == 2) {
    const auto bytes = tgmap::to_bytes(message_of(n, elements));
    const auto other = tgmap::archive::from_memory(bytes);
    to.write(other[0], why);
  } else {
    to.write(message_of(n, elements), why);
  }
}

constexpr std::uint32_t messages = 7;

/// Checks that the archive has messages 0 to count - 1, all undamaged.
void check(const tgmap::archive& a, std::size_t count) {
  BOOST_TEST_REQUIRE(a.size() == count);
  for (std::uint32_t n = 0; n < count; ++n) {
    BOOST_TEST(*a[n].metadata().get<std::uint64_t>("n") == n);
    BOOST_TEST((a[n][0].view<std::uint32_t>().values()[4] == n + 4));
    BOOST_TEST(a[n][0].verify() == tgmap::hash_result::match);
  }
}

/// Runs `body` in a child process. Returns true if the child was killed.
bool run_in_child(const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) BOOST_TEST(WTERMSIG(status) == SIGKILL);
  return WIFSIGNALED(status);
}

}  // namespace

BOOST_AUTO_TEST_CASE(killed_at_every_call) {
  const temporary_directory here;
  progress shared;
  for (const bool sync : {false, true})
    for (const auto how : {call_outcome::killed_before, call_outcome::killed_within, call_outcome::killed_after})
      for (long which = 0;; ++which) {
        const auto path = here / "a.tgm";
        std::filesystem::remove(path);
        shared.done() = 0;
        const bool killed = run_in_child([&] {
          disturb_call(which, how);
          tgmap::appender out(path, {.sync = sync});
          for (std::uint32_t n = 0; n < messages; ++n) {
            tgmap::failure why;
            add(out, n, why);
            if (why) ::_exit(1);
            shared.done() = n + 1;
          }
        });
        BOOST_TEST_CONTEXT("call " << which << ", how " << static_cast<int>(how)) {
          const std::size_t reported = shared.done();
          const tgmap::archive left(path, {.damage = tgmap::on_damage::skip});
          std::size_t whole = left.size();
          if (whole > 0 && left[whole - 1].is_incomplete()) --whole;
          BOOST_TEST((whole == reported || whole == reported + 1));
          BOOST_TEST(left.gaps().empty());

          tgmap::failure why;
          { auto refused = tgmap::appender::open(path, {}, why); }
          const bool clean = std::filesystem::file_size(path) == 0 || !why;
          if (!clean) TGMAP_FAILED(why, tgmap::errc::incomplete_tail);
          tgmap::appender again(path, {.tail = tgmap::on_tail::truncate});
          BOOST_TEST((clean || again.size_bytes() == why.expected));
          tgmap::failure none;
          for (auto n = static_cast<std::uint32_t>(whole); n < messages; ++n) add(again, n, none);
          BOOST_TEST(!none);
          check(tgmap::archive(path), messages);
        }
        if (!killed) {
          BOOST_TEST_MESSAGE(which << " calls");
          BOOST_TEST(which > 10);
          break;
        }
      }
}

BOOST_AUTO_TEST_CASE(interrupted_and_partial_calls_are_repeated) {
  const temporary_directory here;
  for (const auto how : {call_outcome::interrupted, call_outcome::partial})
    for (long which = 0; which < 30; ++which) {
      const auto path = here / "a.tgm";
      std::filesystem::remove(path);
      disturb_call(which, how);
      {
        tgmap::appender out(path, {.sync = true});
        for (std::uint32_t n = 0; n < messages; ++n) {
          tgmap::failure why;
          add(out, n, why);
          BOOST_TEST(!why, "call " << which << ": " << why.code.message());
        }
      }
      disturb_call(-1, call_outcome::unchanged);
      check(tgmap::archive(path), messages);
    }
}

BOOST_AUTO_TEST_CASE(a_failing_call_leaves_the_archive_unchanged) {
  const temporary_directory here;
  for (const bool sync : {false, true})
    for (long which = 0; which < 30; ++which) {
      const auto path = here / "a.tgm";
      std::filesystem::remove(path);
      tgmap::appender out(path, {.sync = sync});
      disturb_call(which, call_outcome::failing);
      unsigned failures = 0;
      for (std::uint32_t n = 0; n < messages;) {
        const auto before = out.size_bytes();
        tgmap::failure why;
        add(out, n, why);
        BOOST_TEST(out.size_bytes() == std::filesystem::file_size(path));
        if (!why) {
          ++n;
          continue;
        }
        BOOST_TEST((why.code == std::errc::io_error || why.code == tgmap::errc::call_out_of_order), why.code.message());
        BOOST_TEST(out.size_bytes() == before);
        check(tgmap::archive(path), n);
        BOOST_TEST_REQUIRE(++failures < 2U);  // only one call fails
      }
      disturb_call(-1, call_outcome::unchanged);
      check(tgmap::archive(path), messages);
    }
}

BOOST_AUTO_TEST_CASE(a_failed_truncation_ends_the_appender) {
  const temporary_directory here;
  for (long which = 0; which < 10; ++which) {
    const auto path = here / "a.tgm";
    std::filesystem::remove(path);
    std::uint32_t whole = 0;
    {
      tgmap::appender out(path);
      disturb_call(which, call_outcome::failing, true);
      tgmap::failure why;
      for (; whole < messages && !why; whole += why ? 0 : 1) add(out, whole, why);
      BOOST_TEST_REQUIRE(static_cast<bool>(why));
      add(out, whole, why);
      TGMAP_FAILED(why, tgmap::errc::call_out_of_order);
    }
    disturb_call(-1, call_outcome::unchanged);
    // A stream whose length alone is missing counts as a message.
    tgmap::appender again(path, {.tail = tgmap::on_tail::truncate});
    const tgmap::archive left(path);
    check(left, left.size() == whole ? whole : whole + 1);
  }
}

BOOST_AUTO_TEST_SUITE_END()
