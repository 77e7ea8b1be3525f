// SPDX-License-Identifier: Apache-2.0
// An appender never touches bytes that another program has written to its archive.
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <support/failures.hpp>
#include <support/samples.hpp>
#include <support/temporary.hpp>

using namespace tgmap_test;
using tgmap::cbor_value;
using tgmap::new_message;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(append_conflict_test)

namespace {

/// An archive of one message, its appender, which has appended a second one, and a third message to append.
struct shared_archive {
  temporary_directory here{};
  std::filesystem::path path = here.file("a.tgm", numbered(0));
  bytes third = numbered(2), foreign = numbered(7);
  tgmap::archive more = tgmap::archive::from_memory(span_of(third));
  tgmap::appender out{path};
  bytes before{};

  shared_archive() {
    const bytes second = numbered(1);
    const auto one = tgmap::archive::from_memory(span_of(second));
    out.write(one[0]);
    before = read_file(path);
  }

  /// Checks that every way to write fails with archive_changed and leaves the file unchanged.
  void check_refused(std::uint64_t found) {
    const bytes now = std::filesystem::exists(path) ? read_file(path) : bytes();
    const auto check = [&](const tgmap::failure& why) {
      TGMAP_FAILED(why, tgmap::errc::archive_changed);
      BOOST_TEST((why.code == tgmap::condition::io));
      BOOST_TEST(why.offset == before.size());
      BOOST_TEST(why.expected == before.size());
      BOOST_TEST(why.found == found);
      if (std::filesystem::exists(path)) BOOST_TEST((read_file(path) == now));
      BOOST_TEST(out.size_bytes() == before.size());
    };
    tgmap::failure why;
    for (int round = 0; round < 2; ++round) {
      out.write(more[0], why);
      check(why);
      out.write(new_message(), why);
      check(why);
      BOOST_TEST(out.begin_stream(cbor_value::map(), why) == nullptr);
      check(why);
    }
  }
};

new_object of_numbers(const std::vector<std::uint32_t>& numbers) {
  return new_object::of(std::span<const std::uint32_t>(numbers));
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_message_of_another_program_stays, shared_archive) {
  append_file(path, foreign);
  check_refused(before.size() + foreign.size());
  // A message at fault neither writes nor truncates anything.
  const float bad[] = {NAN};
  new_message message;
  message.objects.emplace_back(new_object::of(std::span<const float>(bad)));
  TGMAP_THROWS(out.write(message), tgmap::errc::non_finite);
  BOOST_TEST((read_file(path) == before + foreign));
}

BOOST_FIXTURE_TEST_CASE(it_continues_once_the_file_is_restored, shared_archive) {
  append_file(path, foreign);
  check_refused(before.size() + foreign.size());
  std::filesystem::resize_file(path, before.size());
  out.write(more[0]);
  BOOST_TEST((read_file(path) == before + third));
}

BOOST_FIXTURE_TEST_CASE(a_truncated_archive_gets_no_hole, shared_archive) {
  for (const std::size_t kept : {before.size() - 1, std::size_t{100}, std::size_t{0}}) {
    std::filesystem::resize_file(path, kept);
    check_refused(kept);
    BOOST_TEST((read_file(path) == before.substr(0, kept)));
  }
}

BOOST_FIXTURE_TEST_CASE(another_file_of_the_same_name, shared_archive) {
  const auto other = here.file("other.tgm", before);  // the bytes are the same, the file is another
  std::filesystem::rename(other, path);
  check_refused(before.size());
  write_file(path, foreign);
  check_refused(foreign.size());
}

// As `mv a b; cp -p b a` leaves it.
BOOST_FIXTURE_TEST_CASE(a_copy_with_the_same_time_is_another_file, shared_archive) {
  const auto moved = here / "moved.tgm";
  std::filesystem::rename(path, moved);
  std::filesystem::copy_file(moved, path);
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(moved));
  check_refused(before.size());
  BOOST_TEST((read_file(moved) == before));
}

BOOST_FIXTURE_TEST_CASE(the_file_was_renamed, shared_archive) {
  std::filesystem::rename(path, here / "moved.tgm");
  check_refused(0);
  BOOST_TEST((read_file(here / "moved.tgm") == before));
  BOOST_TEST(!std::filesystem::exists(path));
  std::filesystem::rename(here / "moved.tgm", path);
  out.write(more[0]);
  BOOST_TEST((read_file(path) == before + third));
}

BOOST_FIXTURE_TEST_CASE(a_stream_that_is_only_buffered, shared_archive) {
  const std::vector<std::uint32_t> few(5, 1);
  for (const bool closed : {true, false}) {
    out = tgmap::appender(here / "elsewhere.tgm");
    out = tgmap::appender(path);
    const bytes now = read_file(path);
    auto& stream = out.begin_stream();
    stream.write(of_numbers(few));
    append_file(path, foreign);
    if (closed)
      TGMAP_THROWS(out.close_stream(), tgmap::errc::archive_changed);
    else
      out = tgmap::appender(here / "elsewhere.tgm");
    BOOST_TEST((read_file(path) == now + foreign));
  }
}

BOOST_FIXTURE_TEST_CASE(a_stream_that_is_partly_written, shared_archive) {
  std::vector<std::uint32_t> many(1000000);
  std::iota(many.begin(), many.end(), 0U);
  auto& stream = out.begin_stream();
  stream.write(of_numbers(many));
  const bytes now = read_file(path);
  BOOST_TEST_REQUIRE(now.size() > before.size() + 4000000U);
  append_file(path, foreign);
  tgmap::failure why;
  stream.write(of_numbers(many), why);
  TGMAP_FAILED(why, tgmap::errc::archive_changed);
  BOOST_TEST(why.expected == now.size());
  TGMAP_THROWS(out.close_stream(), tgmap::errc::call_out_of_order);
  // The beginning of the stream cannot be cut off, because bytes of another program follow it.
  BOOST_TEST((read_file(path) == now + foreign));
  TGMAP_THROWS(out.write(more[0]), tgmap::errc::call_out_of_order);
  TGMAP_THROWS(tgmap::appender(path, {.tail = tgmap::on_tail::truncate}), tgmap::errc::archive_locked);
  out = tgmap::appender(here / "elsewhere.tgm");
  TGMAP_THROWS(tgmap::appender(path, {.tail = tgmap::on_tail::truncate}), tgmap::errc::damaged);
  BOOST_TEST((read_file(path) == now + foreign));
}

BOOST_FIXTURE_TEST_CASE(a_source_that_shrinks_leaves_the_archive_unchanged, shared_archive) {
  const bytes large = numbered(3, 3, std::size_t{5} << 20);
  const auto from = here.file("from.tgm", large);
  const tgmap::archive source(from, {.io = tgmap::io_mode::read});
  const tgmap::message m = source[0];
  std::filesystem::resize_file(from, large.size() / 2);
  TGMAP_THROWS(out.write(m), tgmap::errc::file_shrank);
  BOOST_TEST((read_file(path) == before));
  out.write(more[0]);
  BOOST_TEST((read_file(path) == before + third));
}

BOOST_FIXTURE_TEST_CASE(relative_paths_and_links, shared_archive) {
  std::filesystem::create_symlink(path, here / "link.tgm");
  const auto folder = std::filesystem::current_path();
  std::filesystem::current_path(here.path());
  out = tgmap::appender("other.tgm");
  tgmap::appender linked("link.tgm"), created("./new.tgm", {.sync = true});
  std::filesystem::current_path(folder);  // the relative paths would now name other files
  linked.write(more[0]);
  created.write(more[0]);
  created.sync();
  BOOST_TEST((read_file(path) == before + third));
  BOOST_TEST((read_file(here / "new.tgm") == third));
  TGMAP_THROWS(tgmap::appender(path), tgmap::errc::archive_locked);
}

BOOST_AUTO_TEST_SUITE_END()
