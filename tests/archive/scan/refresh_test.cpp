// SPDX-License-Identifier: Apache-2.0
// Files that other programs append to.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/temporary.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(refresh_test)

namespace {

const bytes start = numbered(0) + numbered(1, 2);

template <class F>
void mapped_and_read(F&& body) {
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    const temporary_directory temporary;
    const auto path = temporary.file("growing.tgm", start);
    BOOST_TEST_CONTEXT(mode) { body(path, tgmap::open_options{.io = mode}); }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(only_a_reopened_handle_sees_an_appended_message) {
  mapped_and_read([](const auto& path, const auto& options) {
    const tgmap::archive old(path, options);
    BOOST_TEST(old.size() == 2u);
    const auto first = old[0];
    append_file(path, numbered(2));
    BOOST_TEST(old.size() == 2u);
    BOOST_TEST(old.size_bytes() == start.size());
    const auto fresh = old.reopen();
    BOOST_TEST(fresh.scan_progress().messages == 2u);  // known messages are not scanned again
    BOOST_TEST(fresh.size() == 3u);
    BOOST_TEST(sound(fresh[2]));
    BOOST_TEST(number_of(fresh.back()) == 2u);
    BOOST_TEST(old.size() == 2u);
    BOOST_TEST(sound(first));
  });
}

BOOST_AUTO_TEST_CASE(an_unchanged_file_is_not_an_error) {
  mapped_and_read([](const auto& path, const auto& options) {
    const tgmap::archive old(path, options);
    const auto same = old.reopen();
    BOOST_TEST(same.size_bytes() == old.size_bytes());
    BOOST_TEST(same.size() == 2u);
    const auto again = same.reopen().reopen();
    BOOST_TEST(again.size() == 2u);
  });
}

BOOST_AUTO_TEST_CASE(a_message_arriving_in_parts_is_a_tail_until_it_is_whole) {
  mapped_and_read([](const auto& path, const auto& options) {
    tgmap::archive archive(path, options);
    const bytes next = numbered(2);
    for (std::size_t sent = 0; sent < next.size(); sent += 97) {
      BOOST_TEST(archive.size() == 2u);
      const auto part = std::min<std::size_t>(97, next.size() - sent);
      append_file(path, next.substr(sent, part));
      archive = archive.reopen();
      archive.scan();
      if (sent + part < next.size()) {
        BOOST_TEST_REQUIRE(archive.incomplete_tail().has_value());
        BOOST_TEST(archive.incomplete_tail()->begin == start.size());
        BOOST_TEST(archive.incomplete_tail()->end == archive.size_bytes());
      }
    }
    BOOST_TEST(archive.size() == 3u);
    BOOST_TEST(sound(archive[2]));
    BOOST_TEST(archive.gaps().empty());
    BOOST_TEST((!archive.incomplete_tail() || archive.incomplete_tail()->begin == archive.incomplete_tail()->end));
  });
}

BOOST_AUTO_TEST_CASE(a_stream_arriving_in_parts_is_incomplete_until_it_ends) {
  for (const int version : {2, 3}) {
    mapped_and_read([&](const auto& path, const auto& options) {
      tgmap::archive archive(path, options);
      message_spec spec = numbered_spec(2, version);
      spec.objects.push_back(bytes_object(payload_of(3, 100)));
      spec.writing = writing::streamed;
      const auto built = build(spec);
      std::size_t sent = 0;
      for (const auto& frame : built.frames) {
        append_file(path, built.data.substr(sent, frame.offset + frame.length - sent));
        sent = frame.offset + frame.length;
        archive = archive.reopen();
        BOOST_TEST_REQUIRE(archive.size() == 3u);
        BOOST_TEST(archive[2].is_incomplete());
        BOOST_TEST(archive[2].length() == sent);
      }
      append_file(path, built.data.substr(sent));
      archive = archive.reopen();
      BOOST_TEST_REQUIRE(archive.size() == 3u);
      BOOST_TEST(!archive[2].is_incomplete());
      BOOST_TEST(archive[2].length() == built.data.size());
      BOOST_TEST(archive[2].size() == 2u);
      BOOST_TEST(sound(archive[2]));
      append_file(path, numbered(3));
      BOOST_TEST(archive.reopen().size() == 4u);
    });
  }
}

BOOST_AUTO_TEST_CASE(a_stream_with_backfilled_lengths_is_complete) {
  mapped_and_read([](const auto& path, const auto& options) {
    bytes stream = numbered_stream(2);
    write_file(path, start + stream.substr(0, stream.size() - 24));
    const tgmap::archive old(path, options);
    BOOST_TEST(old[2].is_incomplete());
    fix_length(stream);
    write_file(path, start + stream);
    const auto fresh = old.reopen();
    BOOST_TEST_REQUIRE(fresh.size() == 3u);
    BOOST_TEST(!fresh[2].is_incomplete());
    BOOST_TEST(!fresh[2].is_streamed());
    BOOST_TEST(fresh[2].length() == stream.size());
    BOOST_TEST(sound(fresh[2]));
  });
}

BOOST_AUTO_TEST_CASE(an_empty_file_can_grow) {
  const temporary_directory temporary;
  const auto path = temporary.file("empty.tgm", "");
  const tgmap::archive old(path);
  BOOST_TEST(old.size() == 0u);
  append_file(path, start);
  BOOST_TEST(old.reopen().size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_file_that_shrank_cannot_be_refreshed) {
  mapped_and_read([](const auto& path, const auto& options) {
    const tgmap::archive old(path, options);
    std::filesystem::resize_file(path, start.size() - 1);
    tgmap::failure why;
    const auto fresh = old.reopen(why);
    TGMAP_FAILED(why, tgmap::errc::file_shrank);
    BOOST_TEST(why.expected == start.size());
    BOOST_TEST(why.found == start.size() - 1);
    BOOST_TEST(!fresh);
  });
}

BOOST_AUTO_TEST_CASE(memory_does_not_grow) {
  const auto archive = open(start);
  BOOST_TEST(archive.reopen().size() == 2u);
}

BOOST_AUTO_TEST_CASE(damage_at_the_old_end_is_scanned_again) {
  const bytes next = numbered(2);
  for (const std::size_t written : {0u, 4u, 30u})  // bytes of the message after the junk
    mapped_and_read([&](const auto& path, tgmap::open_options options) {
      append_file(path, "junk" + next.substr(0, written));
      options.damage = tgmap::on_damage::skip;
      const tgmap::archive old(path, options);
      BOOST_TEST(old.size() == 2u);
      append_file(path, next.substr(written) + numbered(3));
      const auto fresh = old.reopen();
      BOOST_TEST(fresh.size() == 4u);
      BOOST_TEST(number_of(fresh[2]) == 2u);
      BOOST_TEST(sound(fresh[3]));
      BOOST_REQUIRE(fresh.gaps().size() == 1u);
      BOOST_TEST(fresh.gaps()[0].begin == start.size());
      BOOST_TEST(fresh.gaps()[0].end == start.size() + 4);
    });
}

BOOST_AUTO_TEST_CASE(a_stop_at_damage_remains_after_growth) {
  mapped_and_read([](const auto& path, const auto& options) {
    append_file(path, "junkTENS");
    const tgmap::archive old(path, options);
    TGMAP_THROWS(old.size(), tgmap::errc::damaged);
    append_file(path, numbered(2).substr(4));
    const auto fresh = old.reopen();
    tgmap::failure why;
    BOOST_TEST(fresh.size(why) == 2u);
    TGMAP_FAILED(why, tgmap::errc::damaged);
    BOOST_REQUIRE(fresh.gaps().size() == 1u);
    BOOST_TEST(fresh.gaps()[0].begin == start.size());
    BOOST_TEST(fresh.gaps()[0].end == start.size() + 4);
  });
}

BOOST_AUTO_TEST_SUITE_END()
