// SPDX-License-Identifier: Apache-2.0
// Archives that grow while they are read, and archives after a crash.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <optional>
#include <support/failures.hpp>
#include <support/rounds.hpp>
#include <support/samples.hpp>
#include <support/temporary.hpp>

#include "write/rewritten_message.hpp"

using namespace tgmap_test;
using tgmap::cbor_value;
using tgmap::new_message;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(appender_test)

namespace {

new_message with_number(const std::uint32_t& n) {
  new_message out;
  out.extra = cbor_value::map({{"n", n}});
  out.objects.emplace_back(new_object::of(std::span<const std::uint32_t>(&n, 1)));
  return out;
}

/// Checks that the archive has messages 0 to count - 1, by their key `n`.
void check_numbers(const tgmap::archive& a, std::size_t count) {
  BOOST_TEST_REQUIRE(a.size() == count);
  for (std::size_t i = 0; i < count; ++i) BOOST_TEST(*a[i].metadata().get<std::uint64_t>("n") == i);
}

}  // namespace

BOOST_AUTO_TEST_CASE(readers_see_whole_messages) {
  const temporary_directory here;
  const auto path = here / "grows.tgm";
  tgmap::appender out(path, {.sync = true});
  BOOST_TEST(out.size_bytes() == 0U);
  tgmap::archive reader(path);
  for (std::uint32_t n = 0; n < 20; ++n) {
    out.write(with_number(n));
    BOOST_TEST(out.size_bytes() == std::filesystem::file_size(path));
    const tgmap::archive now = reader.reopen();
    check_numbers(now, n + 1);
    BOOST_TEST(!now.incomplete_tail());
    if (n % 5 == 0) reader = now;
  }
  check_numbers(reader, 16);  // earlier handles stay unchanged
  BOOST_TEST(validation_findings(tgmap::archive(path)) == "");
}

BOOST_AUTO_TEST_CASE(an_archive_is_continued) {
  const temporary_directory here;
  for (const int version : {2, 3}) {
    const auto path = here / ("v" + std::to_string(version));
    for (std::uint32_t n = 0; n < 4; ++n) {
      tgmap::appender out(path, {.write = {.version = version, .payload_alignment = 64}});
      out.write(with_number(n));
    }
    const tgmap::archive a(path);
    check_numbers(a, 4);
    for (const auto& m : a) BOOST_TEST(m[0].payload_offset() % 64 == 0U);
  }
}

BOOST_AUTO_TEST_CASE(messages_of_another_archive) {
  const temporary_directory here;
  const auto from = here.file("from.tgm", mixed_archive(12));
  const tgmap::archive source(from);
  tgmap::appender out(here / "to.tgm");
  for (const auto& m : source) out.write(m);
  out.sync();
  BOOST_TEST((read_file(here / "to.tgm") == read_file(from)));
}

BOOST_AUTO_TEST_CASE(a_closed_stream_is_a_message) {
  const temporary_directory here;
  const auto path = here / "s.tgm";
  tgmap::appender out(path);
  out.write(with_number(0));
  const std::uint32_t numbers[] = {1, 2, 3};
  auto& stream = out.begin_stream(cbor_value::map({{"n", 1}}));
  for (const auto& n : numbers) {
    stream.write(new_object::of(std::span<const std::uint32_t>(&n, 1)));
    const tgmap::archive now(path);
    BOOST_TEST(now.size() <= 2U);
    BOOST_TEST((now.size() == 1U || now[1].is_incomplete()));
  }
  TGMAP_THROWS(out.write(with_number(2)), tgmap::errc::call_out_of_order);
  TGMAP_THROWS(out.begin_stream(), tgmap::errc::call_out_of_order);
  out.close_stream();
  TGMAP_THROWS(out.close_stream(), tgmap::errc::call_out_of_order);
  out.write(with_number(2));
  const tgmap::archive a(path);
  check_numbers(a, 3);
  BOOST_TEST(a[1].size() == 3U);
  BOOST_TEST(!a[1].is_streamed());  // its length was backfilled
  BOOST_TEST(validation_findings(a).find("error") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_abandoned_stream_is_cut_off) {
  const temporary_directory here;
  const auto path = here / "s.tgm";
  {
    tgmap::appender out(path);
    out.write(with_number(0));
    const std::uint32_t n = 5;
    out.begin_stream().write(new_object::of(std::span<const std::uint32_t>(&n, 1)));
  }
  check_numbers(tgmap::archive(path), 1);
  BOOST_TEST(!tgmap::archive(path).incomplete_tail());
}

BOOST_AUTO_TEST_CASE(assigning_another_appender_cuts_the_stream_off) {
  const temporary_directory here;
  const auto path = here / "s.tgm";
  const std::uint32_t n = 5;
  tgmap::appender out(path);
  out.write(with_number(0));
  const auto before = read_file(path);
  std::vector<std::uint32_t> many(200000, 7);  // more than the buffer holds
  out.begin_stream().write(new_object::of(std::span<const std::uint32_t>(many)));
  BOOST_TEST(read_file(path).size() > before.size());
  out = tgmap::appender(here / "other.tgm");
  BOOST_TEST((read_file(path) == before));
  out.write(with_number(n));
  check_numbers(tgmap::archive(path), 1);
  tgmap::appender again(path);  // the lock is free again
  again.write(with_number(1));
  check_numbers(tgmap::archive(path), 2);
}

BOOST_AUTO_TEST_CASE(a_finished_stream_is_kept) {
  const temporary_directory here;
  const std::uint32_t n = 5;
  for (const int version : {2, 3})
    for (const bool backfill : {true, false})
      for (const bool closed : {true, false}) {
        const auto path = here.file("s.tgm", "");
        {
          tgmap::appender out(path, {.write = {.version = version}});
          out.write(with_number(0));
          auto& stream = out.begin_stream(cbor_value::map({{"n", 1}}));
          stream.write(new_object::of(std::span<const std::uint32_t>(&n, 1)));
          stream.finish(backfill);
          TGMAP_THROWS(stream.finish(), tgmap::errc::call_out_of_order);
          TGMAP_THROWS(out.write(with_number(2)), tgmap::errc::call_out_of_order);
          if (closed) {
            out.close_stream();
            BOOST_TEST(out.size_bytes() == std::filesystem::file_size(path));
            out.write(with_number(2));
          }
        }
        const tgmap::archive a(path);
        check_numbers(a, closed ? 3 : 2);
        BOOST_TEST(a[1].is_streamed() == (version == 2 || !backfill));
        BOOST_TEST(!a.incomplete_tail());
      }
}

BOOST_AUTO_TEST_CASE(a_failed_stream_is_cut_off) {
  const temporary_directory here;
  const auto path = here / "s.tgm";
  tgmap::appender out(path);
  out.write(with_number(0));
  auto& stream = out.begin_stream();
  new_object object;
  object.dtype = tgmap::dtype::float32;
  object.shape = {4};
  stream.begin_object(object);
  TGMAP_THROWS(stream.finish(), tgmap::errc::call_out_of_order);
  TGMAP_THROWS(out.close_stream(), tgmap::errc::call_out_of_order);
  out.write(with_number(1));
  check_numbers(tgmap::archive(path), 2);
}

BOOST_AUTO_TEST_CASE(a_stream_with_a_moved_handle) {
  const temporary_directory here;
  const auto path = here / "s.tgm";
  const std::uint32_t n = 5;
  const auto object = new_object::of(std::span<const std::uint32_t>(&n, 1));
  std::optional<tgmap::stream_writer> last;
  {
    tgmap::appender out(path);
    {
      tgmap::stream_writer finished = std::move(out.begin_stream(cbor_value::map({{"n", 0}})));
      finished.write(object);
      finished.finish();
    }
    out.close_stream();
    check_numbers(tgmap::archive(path), 1);

    tgmap::stream_writer open = std::move(out.begin_stream(cbor_value::map({{"n", 1}})));
    open.write(object);
    out.close_stream();
    check_numbers(tgmap::archive(path), 2);
    TGMAP_THROWS(open.write(object), tgmap::errc::call_out_of_order);
    BOOST_TEST(open.objects() == 1U);

    { const tgmap::stream_writer gone = std::move(out.begin_stream()); }
    out.close_stream();
    last.emplace(std::move(out.begin_stream()));
    last->write(object);
  }
  TGMAP_THROWS(last->write(object), tgmap::errc::call_out_of_order);  // its appender is destroyed
  TGMAP_THROWS(last->finish(), tgmap::errc::call_out_of_order);
  BOOST_TEST(last->objects() == 1U);
  BOOST_TEST(tgmap::archive(path).size() == 3U);
  BOOST_TEST(!tgmap::archive(path).incomplete_tail());
}

BOOST_AUTO_TEST_CASE(a_moved_appender_keeps_its_stream) {
  const temporary_directory here;
  const auto path = here / "s.tgm";
  const std::uint32_t n = 5;
  tgmap::appender out(path);
  auto& stream = out.begin_stream(cbor_value::map({{"n", 0}}));
  tgmap::appender moved = std::move(out);
  stream.write(new_object::of(std::span<const std::uint32_t>(&n, 1)));
  moved.close_stream();
  moved.write(with_number(1));
  check_numbers(tgmap::archive(path), 2);
}

BOOST_AUTO_TEST_CASE(a_crash_at_any_byte) {
  const temporary_directory here;
  tgmap::memory_sink sink;
  tgmap::writer first(sink);
  for (std::uint32_t n = 0; n < 2; ++n) first.write(with_number(n));
  const auto whole = sink.bytes().size();
  first.write(with_number(2));
  const bytes all(reinterpret_cast<const char*>(sink.bytes().data()), sink.bytes().size());

  for (std::size_t cut = whole; cut < all.size(); cut += stride(5)) {
    const auto path = here.file("cut.tgm", all.substr(0, cut));
    const tgmap::archive before(path);
    if (cut > whole) {
      tgmap::failure why;
      tgmap::appender::open(path, {}, why);
      TGMAP_FAILED(why, tgmap::errc::incomplete_tail);
      BOOST_TEST(why.expected == whole);
      BOOST_TEST(why.found == cut);
      BOOST_TEST(read_file(path).size() == cut);  // unchanged
    }
    tgmap::appender out(path, {.tail = tgmap::on_tail::truncate});
    BOOST_TEST(out.size_bytes() == whole);
    out.write(with_number(2));
    check_numbers(tgmap::archive(path), 3);
    BOOST_TEST(before.size() == 2U);
  }
}

BOOST_AUTO_TEST_CASE(a_stream_cut_at_any_byte) {
  const temporary_directory here;
  const bytes whole = numbered(0), stream = numbered_stream(1);
  for (std::size_t cut = 1; cut < stream.size(); cut += stride(5)) {
    const auto path = here.file("cut.tgm", whole + stream.substr(0, cut));
    tgmap::failure why;
    tgmap::appender::open(path, {}, why);
    TGMAP_FAILED(why, tgmap::errc::incomplete_tail);
    tgmap::appender out(path, {.tail = tgmap::on_tail::truncate});
    BOOST_TEST(out.size_bytes() == whole.size());
  }
}

BOOST_AUTO_TEST_CASE(bytes_of_other_programs_are_kept) {
  const temporary_directory here;
  const bytes data = numbered(0) + "these are no bytes of a message";
  const auto path = here.file("odd.tgm", data);
  TGMAP_THROWS(tgmap::appender(path, {.tail = tgmap::on_tail::truncate}), tgmap::errc::damaged);
  BOOST_TEST(read_file(path) == data);
  const auto text = here.file("text", "not an archive at all, whatever its name");
  TGMAP_THROWS(tgmap::appender(text, {.tail = tgmap::on_tail::truncate}), tgmap::errc::damaged);
}

BOOST_AUTO_TEST_CASE(two_appenders_exclude_each_other) {
  const temporary_directory here;
  const auto path = here / "a.tgm";
  tgmap::appender one(path);
  TGMAP_THROWS(tgmap::appender(path), tgmap::errc::archive_locked);
  one = tgmap::appender(here / "other.tgm");
  tgmap::appender two(path);
  two.write(with_number(0));
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_appended_to) {
  const temporary_directory here;
  TGMAP_THROWS(tgmap::appender(here.path()), tgmap::errc::is_directory);
  tgmap::failure why;
  tgmap::appender::open(here / "none.tgm", {.create = false}, why);
  BOOST_TEST((why.code == std::errc::no_such_file_or_directory));
  BOOST_TEST(!std::filesystem::exists(here / "none.tgm"));
  auto none = tgmap::appender::open(here / "none.tgm", {.create = false}, why);
  BOOST_TEST(none.size_bytes() == 0U);
  TGMAP_THROWS(none.write(with_number(0)), tgmap::errc::call_out_of_order);
  TGMAP_THROWS(none.write(tgmap::message()), tgmap::errc::call_out_of_order);
  TGMAP_THROWS(none.begin_stream(), tgmap::errc::call_out_of_order);
  TGMAP_THROWS(none.close_stream(), tgmap::errc::call_out_of_order);
  TGMAP_THROWS(none.sync(), tgmap::errc::call_out_of_order);
  TGMAP_THROWS(tgmap::appender(here / "x", {.write = {.version = 7}}), tgmap::errc::invalid_option);
}

BOOST_AUTO_TEST_CASE(a_refused_message_is_not_written) {
  const temporary_directory here;
  const auto path = here / "a.tgm";
  tgmap::appender out(path);
  out.write(with_number(0));
  const float bad[] = {NAN};
  new_message message;
  message.objects.emplace_back(new_object::of(std::span<const float>(bad)));
  TGMAP_THROWS(out.write(message), tgmap::errc::non_finite);
  out.write(with_number(1));
  check_numbers(tgmap::archive(path), 2);
}

BOOST_AUTO_TEST_CASE(a_full_disk) {
  const temporary_directory here;
  const auto path = here / "a.tgm";
  const pid_t child = ::fork();
  if (child == 0) {  // in a child, because the limit holds for a whole process
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{.rlim_cur = 3000, .rlim_max = 3000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    tgmap::appender out(path);
    std::uint32_t n = 0;
    tgmap::failure why;
    for (; n < 100 && !why; ++n) out.write(with_number(n), why);
    const bool reported = why.code == std::errc::file_too_large;
    const std::uint64_t before = out.size_bytes();
    const bool cut = std::filesystem::file_size(path) == before;
    ::_exit(reported && cut ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  BOOST_TEST(status == 0);
  const tgmap::archive a(path);
  BOOST_TEST(a.size() > 2U);
  BOOST_TEST(!a.incomplete_tail());
}

BOOST_AUTO_TEST_CASE(killed_at_any_moment) {
  const temporary_directory here;
  for (int round = 0; round < 20; ++round) {
    const auto path = here / ("k" + std::to_string(round));
    const pid_t child = ::fork();
    if (child == 0) {
      tgmap::appender out(path);
      for (std::uint32_t n = 0;; ++n) out.write(with_number(n));
    }
    while (!std::filesystem::exists(path) ||
           std::filesystem::file_size(path) < 2000U * (1U + static_cast<unsigned>(round)))
      ::usleep(50);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const tgmap::archive left(path, {.damage = tgmap::on_damage::skip});
    const auto whole = left.size();
    check_numbers(left, whole);
    BOOST_TEST(left.gaps().empty());
    tgmap::appender out(path, {.tail = tgmap::on_tail::truncate});
    out.write(with_number(static_cast<std::uint32_t>(whole)));
    check_numbers(tgmap::archive(path), whole + 1);
  }
}

BOOST_AUTO_TEST_SUITE_END()
