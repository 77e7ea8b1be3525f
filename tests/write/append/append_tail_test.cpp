// SPDX-License-Identifier: Apache-2.0
// An appender finds the end of an archive, whatever the payloads contain.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/rounds.hpp>
#include <support/samples.hpp>
#include <support/temporary.hpp>

using namespace tgmap_test;
using tgmap::on_tail;

BOOST_AUTO_TEST_SUITE(append_tail_test)

namespace {

/// Returns a message of one object whose payload is an archive followed by noise.
built_message enclose(const bytes& archive, writing how) {
  message_spec spec;
  spec.objects = {bytes_object(archive + payload_of(5, 300))};
  spec.writing = how;
  return build(spec);
}

/// Returns the end of the object.
std::uint64_t object_end(const built_message& m) {
  for (const auto& frame : m.frames)
    if (frame.offset == m.objects.at(0)) return frame.offset + frame.length;
  BOOST_FAIL("no object");
  return 0;
}

tgmap::failure opening(const std::filesystem::path& path, on_tail tail) {
  tgmap::failure why;
  tgmap::appender::open(path, {.tail = tail}, why);
  return why;
}

/// Checks that the file is refused as damaged and left unchanged. The damage begins within [from, to].
void check_damaged(const std::filesystem::path& path, std::uint64_t from, std::uint64_t to) {
  const bytes data = read_file(path);
  for (const auto tail : {on_tail::refuse, on_tail::truncate}) {
    const tgmap::failure why = opening(path, tail);
    TGMAP_FAILED(why, tgmap::errc::damaged);
    BOOST_TEST(why.offset >= from);
    BOOST_TEST(why.offset <= to);
    BOOST_TEST(why.found == why.offset);
    BOOST_TEST(why.expected >= why.found);  // equal if only the end of a stream is missing
    BOOST_TEST((read_file(path) == data));
  }
}

/// Checks that the bytes from `end` on are refused or cut off, as the options say.
void check_tail(const std::filesystem::path& path, std::uint64_t end) {
  const bytes data = read_file(path);
  const tgmap::failure why = opening(path, on_tail::refuse);
  TGMAP_FAILED(why, tgmap::errc::incomplete_tail);
  BOOST_TEST(why.expected == end);
  BOOST_TEST(why.found == data.size());
  BOOST_TEST((read_file(path) == data));
  const tgmap::appender out(path, {.tail = on_tail::truncate});
  BOOST_TEST(out.size_bytes() == end);
  BOOST_TEST((read_file(path) == data.substr(0, end)));
}

void check_whole(const std::filesystem::path& path) {
  const bytes data = read_file(path);
  for (const auto tail : {on_tail::refuse, on_tail::truncate}) {
    const tgmap::appender out(path, {.tail = tail});
    BOOST_TEST(out.size_bytes() == data.size());
  }
  BOOST_TEST((read_file(path) == data));
}

}  // namespace

BOOST_AUTO_TEST_CASE(messages_in_a_truncated_payload) {
  const temporary_directory here;
  const bytes first = numbered(10), inner = first + numbered(11) + numbered(12);
  for (const bytes& whole : {bytes(), numbered(0) + numbered(1)})
    for (const auto how : {writing::buffered, writing::streamed}) {
      const built_message outer = enclose(inner, how);
      const std::size_t nested = outer.data.find(first);
      BOOST_TEST_REQUIRE(nested != bytes::npos);
      // Between these offsets a scan finds a message inside the payload. A stream hides it again once its object is
      // complete.
      const std::size_t visible = nested + first.size();
      const std::size_t hidden = how == writing::streamed ? object_end(outer) : outer.data.size();
      for (std::size_t cut = 1; cut < outer.data.size(); cut += stride(5)) {
        const auto path = here.file("cut.tgm", whole + outer.data.substr(0, cut));
        BOOST_TEST_CONTEXT("cut at " << cut << " of " << outer.data.size()) {
          if (cut >= visible && cut < hidden)
            check_damaged(path, whole.size(), whole.size() + nested);
          else
            check_tail(path, whole.size());
        }
      }
      check_whole(here.file("whole.tgm", whole + outer.data));
    }
}

BOOST_AUTO_TEST_CASE(archives_of_all_kinds_in_a_truncated_payload) {
  const temporary_directory here;
  const bytes whole = mixed_archive(5), inner = mixed_archive(8);
  for (const auto how : {writing::buffered, writing::streamed}) {
    const bytes outer = enclose(inner, how).data;
    for (std::size_t cut = 1; cut < outer.size(); cut += 7 * stride(5)) {
      const auto path = here.file("cut.tgm", whole + outer.substr(0, cut));
      BOOST_TEST_CONTEXT("cut at " << cut << " of " << outer.size()) {
        if (opening(path, on_tail::refuse).code == make_error_code(tgmap::errc::damaged))
          check_damaged(path, whole.size(), whole.size() + outer.find(inner));
        else
          check_tail(path, whole.size());
      }
    }
    check_whole(here.file("whole.tgm", whole + outer));
  }
}

BOOST_AUTO_TEST_CASE(messages_appended_after_a_crash_are_kept) {
  const temporary_directory here;
  const bytes whole = numbered(0), added = several(5, 3, 40);
  for (const bytes& crashed : {numbered(1), numbered_stream(1), numbered(1, 2), numbered_stream(1, 2)})
    for (std::size_t cut = 1; cut < crashed.size(); cut += 3) {
      const auto path = here.file("a.tgm", whole + crashed.substr(0, cut) + added);
      BOOST_TEST_CONTEXT("cut at " << cut) {
        // The damage may begin later: a scan of a stream skips padding and may take the next bytes for frames of it.
        check_damaged(path, whole.size(), std::filesystem::file_size(path));
      }
    }
}

BOOST_AUTO_TEST_CASE(damage_in_the_middle) {
  const temporary_directory here;
  const bytes before = numbered_archive(2), behind = several(5, 2, 40);
  check_damaged(here.file("noise.tgm", before + "noise" + behind), before.size(), before.size());
  bytes longer = numbered(3);
  put_u64(longer, 16, longer.size() + 1);
  check_damaged(here.file("length.tgm", before + longer + behind), before.size(), before.size());
  put_u64(longer, 16, std::uint64_t{1} << 60);
  check_damaged(here.file("huge.tgm", before + longer + behind), before.size(), before.size());
  // Noise, then the beginning of a message.
  check_damaged(here.file("both.tgm", before + "noise" + behind.substr(0, 30)), before.size(), before.size());
}

BOOST_AUTO_TEST_CASE(a_payload_that_looks_like_the_end_of_a_message) {
  const temporary_directory here;
  // Backwards, a small message follows an end marker; forwards, both are part of a payload.
  const bytes inner = "39277777" + numbered(9);
  message_spec spec;
  spec.version = 2;
  spec.objects = {bytes_object(inner)};
  const bytes outer = message(spec);
  const std::size_t nested = outer.find(inner);
  const auto path = here.file("cut.tgm", numbered(0) + outer.substr(0, nested + inner.size()));
  const tgmap::archive seen(path);
  BOOST_TEST(seen.back().offset() == numbered(0).size() + nested + 8);
  check_damaged(path, numbered(0).size(), numbered(0).size());
}

BOOST_AUTO_TEST_CASE(payloads_are_not_read) {
  const temporary_directory here;
  // One message of 64 GiB, a hole between its preamble and its postamble.
  constexpr std::uint64_t length = std::uint64_t{1} << 36;
  const auto path = here.file("large.tgm", "TENSOGRM" + big_endian(3, 2) + bytes(6, '\0') + big_endian(length, 8));
  const auto postamble = big_endian(24, 8) + big_endian(length, 8) + "39277777";
  std::filesystem::resize_file(path, length - postamble.size());
  append_file(path, postamble);
  const bytes one = numbered(1);
  const auto source = tgmap::archive::from_memory(span_of(one));
  tgmap::appender out(path);
  BOOST_TEST(out.size_bytes() == length);
  out.write(source[0]);
  const tgmap::archive all(path);
  BOOST_TEST(all.size() == 2U);
  BOOST_TEST(sound(all[1]));
}

BOOST_AUTO_TEST_SUITE_END()
