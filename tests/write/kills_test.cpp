// SPDX-License-Identifier: Apache-2.0
// Appending while calls fail, or while the process is killed at one of them: every one in turn.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <functional>
#include <numeric>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/tgmap.hpp>

#include "failing_writes.hpp"

using namespace tgmap_test;
using tgmap::cbor_value;
using tgmap::new_message;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(kills_test)

namespace {

/// How far a process came before it was killed, for the one that killed it.
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
  std::vector<std::uint32_t> out(n % 3 == 0 ? 100000 : 5);  // some go straight from memory, some are gathered
  std::iota(out.begin(), out.end(), n);
  return out;
}

new_message message_of(std::uint32_t n, const std::vector<std::uint32_t>& elements) {
  new_message out{.extra = cbor_value::map({{"n", n}})};
  out.objects.emplace_back(new_object::of(std::span<const std::uint32_t>(elements)));
  return out;
}

/// Adds the n-th message: whole, as a stream, or as it lies in another archive.
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

/// Messages 0 … of which none is damaged.
void check(const tgmap::archive& a, std::size_t count) {
  BOOST_TEST_REQUIRE(a.size() == count);
  for (std::uint32_t n = 0; n < count; ++n) {
    BOOST_TEST(*a[n].metadata().get<std::uint64_t>("n") == n);
    BOOST_TEST((a[n][0].view<std::uint32_t>().values()[4] == n + 4));
    BOOST_TEST(a[n][0].verify() == tgmap::hash_result::match);
  }
}

/// Whether the process was killed.
bool run_apart(const std::function<void()>& body) {
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
    for (const auto how : {writes::killed_before, writes::killed_within, writes::killed_after})
      for (long which = 0;; ++which) {
        const auto path = here / "a.tgm";
        std::filesystem::remove(path);
        shared.done() = 0;
        const bool killed = run_apart([&] {
          disturb_write(which, how);
          tgmap::appender out(path, {.sync = sync});
          for (std::uint32_t n = 0; n < messages; ++n) {
            tgmap::failure why;
            add(out, n, why);
            if (why) ::_exit(1);
            shared.done() = n + 1;
          }
        });
        BOOST_TEST_CONTEXT("call " << which << ", how " << static_cast<int>(how)) {
          const std::size_t told = shared.done();
          const tgmap::archive left(path, {.damage = tgmap::on_damage::skip});
          std::size_t whole = left.size();
          if (whole > 0 && left[whole - 1].is_incomplete()) --whole;
          BOOST_TEST((whole == told || whole == told + 1));
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

BOOST_AUTO_TEST_CASE(calls_that_need_to_be_made_again) {
  const temporary_directory here;
  for (const auto how : {writes::interrupted, writes::shortened})
    for (long which = 0; which < 30; ++which) {
      const auto path = here / "a.tgm";
      std::filesystem::remove(path);
      disturb_write(which, how);
      {
        tgmap::appender out(path, {.sync = true});
        for (std::uint32_t n = 0; n < messages; ++n) {
          tgmap::failure why;
          add(out, n, why);
          BOOST_TEST(!why, "call " << which << ": " << why.code.message());
        }
      }
      disturb_write(-1, writes::as_ever);
      check(tgmap::archive(path), messages);
    }
}

BOOST_AUTO_TEST_CASE(a_call_that_fails_leaves_the_archive_as_it_was) {
  const temporary_directory here;
  for (const bool sync : {false, true})
    for (long which = 0; which < 30; ++which) {
      const auto path = here / "a.tgm";
      std::filesystem::remove(path);
      tgmap::appender out(path, {.sync = sync});
      disturb_write(which, writes::failing);
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
        BOOST_TEST_REQUIRE(++failures < 2U);  // one call failed
      }
      disturb_write(-1, writes::as_ever);
      check(tgmap::archive(path), messages);
    }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_taken_back_ends_the_appender) {
  const temporary_directory here;
  for (long which = 0; which < 10; ++which) {
    const auto path = here / "a.tgm";
    std::filesystem::remove(path);
    std::uint32_t whole = 0;
    {
      tgmap::appender out(path);
      disturb_write(which, writes::failing, true);
      tgmap::failure why;
      for (; whole < messages && !why; whole += why ? 0 : 1) add(out, whole, why);
      BOOST_TEST_REQUIRE(static_cast<bool>(why));
      add(out, whole, why);
      TGMAP_FAILED(why, tgmap::errc::call_out_of_order);
    }
    disturb_write(-1, writes::as_ever);
    // Of a stream all but its length may have arrived: then it is there.
    tgmap::appender again(path, {.tail = tgmap::on_tail::truncate});
    const tgmap::archive left(path);
    check(left, left.size() == whole ? whole : whole + 1);
  }
}

BOOST_AUTO_TEST_SUITE_END()
