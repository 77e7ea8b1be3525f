// SPDX-License-Identifier: Apache-2.0
// Appenders and the children of their process.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <optional>
#include <support/failures.hpp>
#include <support/process/child.hpp>
#include <support/samples.hpp>
#include <support/temporary.hpp>
#include <thread>

using namespace tgmap_test;
using tgmap::appender;
using tgmap::errc;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(append_fork_test)

namespace {

struct archive_of_one {
  temporary_directory here{};
  std::filesystem::path path = here.file("a.tgm", numbered(0));
  bytes second = numbered(1);
  tgmap::archive more = tgmap::archive::from_memory(span_of(second));
};

bool is_locked(const std::filesystem::path& path) {
  failure why;
  const appender other = appender::open(path, why);
  return why.code == errc::archive_locked;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_child_changes_nothing_and_unlocks_nothing, archive_of_one) {
  std::optional<appender> out(std::in_place, path);
  out->write(more[0]);
  const bytes before = read_file(path);
  const int status = ended([&] {
    failure why;
    out->write(more[0], why);
    if (why.code != errc::call_out_of_order) return false;
    if (out->begin_stream(why) != nullptr || why.code != errc::call_out_of_order) return false;
    out->sync(why);
    if (why.code != errc::call_out_of_order) return false;
    out.reset();
    return is_locked(path);
  });
  BOOST_TEST(status == 0);
  BOOST_TEST(read_file(path) == before);
  BOOST_TEST(is_locked(path));
  out->write(more[0]);
  out->close();
  BOOST_TEST(!is_locked(path));
  BOOST_TEST(tgmap::archive(path).size() == 3u);
}

BOOST_FIXTURE_TEST_CASE(an_open_stream_survives_a_child, archive_of_one) {
  std::optional<appender> out(std::in_place, path);
  tgmap::stream_writer& stream = out->begin_stream();
  BOOST_TEST(ended([&] { out.reset(); }) == 0);
  stream.finish();
  out->close_stream();
  out->close();
  BOOST_TEST(tgmap::archive(path).size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(a_child_that_lives_on_keeps_no_lock, archive_of_one) {
  for (const bool closes : {true, false}) {
    std::optional<appender> out(std::in_place, path);
    int end[2];
    BOOST_REQUIRE(::pipe(end) == 0);
    const ::pid_t child = ::fork();
    BOOST_REQUIRE(child >= 0);
    if (child == 0) {
      char none = 0;
      ::close(end[1]);
      static_cast<void>(::read(end[0], &none, 1));  // until the parent is done
      std::_Exit(0);
    }
    if (closes) out->close();
    out.reset();
    BOOST_TEST(!is_locked(path));
    ::close(end[0]);
    ::close(end[1]);
    BOOST_TEST(::waitpid(child, nullptr, 0) == child);
  }
}

/// The lock of a process that was killed ends although a child of it lives on.
BOOST_FIXTURE_TEST_CASE(a_killed_parent_keeps_no_lock, archive_of_one) {
  int end[2];
  BOOST_REQUIRE(::pipe(end) == 0);
  const int status = ended([&] {
    const appender out(path);
    const ::pid_t child = ::fork();
    if (child == 0) {
      char none = 0;
      ::close(end[1]);
      static_cast<void>(::read(end[0], &none, 1));
      std::_Exit(0);
    }
    ::kill(::getpid(), SIGKILL);
  });
  BOOST_TEST(status == 128 + SIGKILL);
  for (int i = 0; i < 1000 && is_locked(path); ++i)  // the child may not have run yet
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  BOOST_TEST(!is_locked(path));
  ::close(end[0]);
  ::close(end[1]);
}

BOOST_AUTO_TEST_SUITE_END()
