// SPDX-License-Identifier: Apache-2.0
// Parts of an archive have its messages, each exactly once, whatever damage the archive has.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <random>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/rounds.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <tgmap/tools/index.hpp>

using namespace tgmap_test;
using tgmap::archive_part;
using tgmap::errc;
using tgmap::on_damage;
using tgmap::open_options;

BOOST_AUTO_TEST_SUITE(partition_test)

namespace {

using std::to_string;

/// The messages and gaps of an archive, as text, in order.
struct contents {
  std::vector<std::string> messages{}, gaps{};
  bool operator==(const contents&) const = default;

  /// Adds those of an archive that begins at `begin` in another one.
  void add(const tgmap::archive& archive, std::uint64_t begin) {
    tgmap::failure why;
    const std::size_t count = archive.size(why);
    for (std::size_t i = 0; i < count; ++i) {
      const tgmap::message m = archive.at(i, why);
      messages.push_back(to_string(m.offset() + begin) + " length " + to_string(m.length()) + " version " +
                         to_string(m.version()) + (m.is_streamed() ? " streamed" : "") +
                         (m.is_incomplete() ? " incomplete" : "") + why.text());
    }
    if (archive.options().damage == on_damage::skip)
      for (const auto& gap : archive.gaps())
        gaps.push_back(to_string(gap.begin + begin) + " to " + to_string(gap.end + begin));
  }
};

/// Opens a range of the bytes of an archive on its own.
using opener = std::function<tgmap::archive(const archive_part&, open_options)>;

/// Checks that parts follow each other over all bytes and all messages. Returns what is wrong, or an empty text.
std::string fault_in_order(const std::vector<archive_part>& parts, std::uint64_t end, std::size_t messages) {
  std::uint64_t at = 0;
  std::size_t number = 0;
  for (const archive_part& each : parts) {
    if (each.begin != at || each.end <= at) return "the part after byte " + to_string(at);
    if (each.first_message != number || each.messages == 0) return "the part after message " + to_string(number);
    at = each.end;
    number += each.messages;
  }
  if (parts.empty()) return messages == 0 ? "" : "no parts";
  return at == end && number == messages ? "" : "bytes or messages after the last part";
}

/// Divides an archive, and compares its parts with it. Returns what is wrong, or an empty text.
std::string fault_of(const tgmap::archive& whole, std::size_t count, const opener& open_part) {
  tgmap::failure why, damage;
  const std::size_t messages = whole.size(damage);
  const auto parts = whole.partition(count, why);
  if (why.code != damage.code || why.offset != damage.offset) return "failure: " + why.text();
  if (parts.size() > count) return "too many parts";
  const std::uint64_t end = damage ? whole.gaps().front().begin : whole.size_bytes();
  if (std::string wrong = fault_in_order(parts, end, messages); !wrong.empty()) return wrong;

  if (parts.empty()) return "";

  contents found, expected;
  std::uint64_t largest = 0, largest_part = 0;
  for (const archive_part& each : parts) {
    const auto part = open_part(each, {.damage = whole.options().damage});
    if (part.size_bytes() != each.end - each.begin) return "the size of a part";
    if (part.size(why) != each.messages || why) return "messages of the part at " + to_string(each.begin);
    found.add(part, each.begin);
    largest_part = std::max(largest_part, each.end - each.begin);
  }
  expected.add(whole, 0);
  if (found != expected) return "contents";
  for (std::size_t i = 0; i < messages; ++i) largest = std::max(largest, whole.at(i, why).length());
  const bool is_sound = whole.gaps().empty() && !whole.incomplete_tail();
  return is_sound && largest_part > end / std::min(count, messages) + largest + 1 ? "a part is too large" : "";
}

const std::vector<std::size_t> counts{1, 2, 3, 4, 5, 6, 7, 1000, SIZE_MAX};

/// Checks bytes with both ways to handle damage.
void check(const bytes& data, const std::vector<std::size_t>& of = counts, const std::string& what = "") {
  for (const auto damage : {on_damage::stop, on_damage::skip}) {
    const auto whole = open(data, {.damage = damage});
    for (const std::size_t count : of) {
      const auto fault = fault_of(whole, count, [&](const archive_part& part, open_options options) {
        options.offset = part.begin;
        options.length = part.end - part.begin;
        return open(data, options);
      });
      BOOST_REQUIRE_MESSAGE(fault.empty(), what << " in " << count << " parts: " << fault);
    }
  }
}

/// Checks a file, with and without an index.
void check_file(const std::filesystem::path& file) {
  const temporary_directory temporary;
  const auto index = (temporary / "x.tgx").string();
  tgmap::memory_sink to;
  tgmap::create_index(tgmap::archive(file, {.index = tgmap::index_use::none}), to);
  const auto all = to.release();
  write_file(index, view_of(all));
  for (const auto damage : {on_damage::stop, on_damage::skip}) {
    const tgmap::archive scanned(file, {.damage = damage, .index = tgmap::index_use::none});
    const tgmap::archive indexed(file, {.damage = damage, .index_path = index});
    for (const std::size_t count : counts) {
      tgmap::failure by_scan, by_index;
      const bool same = indexed.partition(count, by_index) == scanned.partition(count, by_scan);
      BOOST_TEST((same && by_index.code == by_scan.code), file.string() << " in " << count << " parts");
      const auto fault = fault_of(indexed, count, [&](const archive_part& part, open_options options) {
        options.offset = part.begin;
        options.length = part.end - part.begin;
        return tgmap::archive(file, options);
      });
      BOOST_TEST(fault.empty(), file.string() << " in " << count << " parts: " << fault);
    }
  }
}

std::size_t check_folder(const std::filesystem::path& folder) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".tgm") continue;
    check_file(entry.path());
    ++files;
  }
  return files;
}

/// Returns bytes that are damage between messages, or could be taken for the beginning of one.
std::vector<bytes> kinds_of_damage() {
  const bytes stream = numbered_stream(90), old_stream = numbered_stream(91, 2), sound = numbered(92);
  const bytes unfinished = stream.substr(0, stream.size() - 24);
  const auto opened = open(unfinished);
  const std::size_t frames = opened[0].length();
  return {"x",
          bytes(300, '\0'),
          "TENSOGRM",
          "TENSO",
          sound.substr(0, sound.size() - 1),
          sound.substr(0, 30),
          stream.substr(0, 24),
          stream.substr(0, 40),
          stream.substr(0, stream.size() - 8),
          stream.substr(0, frames),  // the next message may follow at once
          old_stream.substr(0, old_stream.size() - 1),
          "39277777",
          sound.substr(1)};
}

/// Returns a preamble and a first frame that state these lengths. No message follows.
bytes forged_start(int version, std::uint64_t length, std::uint64_t frame_length) {
  bytes out = numbered_stream(93, version).substr(0, 48);
  put_u64(out, 16, length);
  put_u64(out, 32, frame_length);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_file_in_the_tree) { BOOST_TEST(check_folder(test_data()) > 80u); }

BOOST_AUTO_TEST_CASE(every_shared_file) {
  if (const auto shared = shared_data_or_skip("parts of 631 files")) BOOST_TEST(check_folder(*shared) > 600u);
}

BOOST_AUTO_TEST_CASE(equal_messages_are_divided_evenly) {
  const bytes data = several(10, 60, 500);  // numbers of two digits
  const auto archive = open(data);
  const std::uint64_t length = archive[0].length();
  for (const std::size_t count : {1u, 2u, 3u, 4u, 5u, 6u, 10u, 60u}) {
    const auto parts = archive.partition(count);
    BOOST_TEST_REQUIRE(parts.size() == count);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t first = 60 * k / count, messages = 60 / count;
      BOOST_TEST((parts[k] == archive_part{first * length, (first + messages) * length, first, messages}));
    }
  }
  for (const auto& each : archive.partition(7)) BOOST_TEST((each.messages == 8u || each.messages == 9u));
  for (const auto& each : archive.partition(61)) BOOST_TEST(each.messages == 1u);
}

BOOST_AUTO_TEST_CASE(a_cut_is_at_the_nearest_beginning) {
  // The middle of all is in the second message, nearer to one of its ends.
  BOOST_TEST(open(numbered(0, 3, 100) + numbered(1, 3, 1100) + numbered(2, 3, 300)).partition(2)[0].messages == 2u);
  BOOST_TEST(open(numbered(0, 3, 300) + numbered(1, 3, 1100) + numbered(2, 3, 100)).partition(2)[0].messages == 1u);
  const bytes large_first = numbered(0, 3, 5000) + numbered(1) + numbered(2);
  BOOST_TEST(open(large_first).partition(3).size() == 2u);  // two of the cuts would be at the second message
}

BOOST_AUTO_TEST_CASE(empty_archives_have_no_parts) {
  for (const bytes& data : {bytes(), bytes("garbage"), numbered(0).substr(0, 50)}) {
    BOOST_TEST(open_skipping(data).partition(3).empty());
    check(data);
  }
}

BOOST_AUTO_TEST_CASE(sound_archives) {
  for (const unsigned count : {1u, 2u, 3u, 10u, 50u}) {
    check(mixed_archive(count));
    check(several(0, count, 3000) + numbered(1) + several(0, count, 10));
  }
}

BOOST_AUTO_TEST_CASE(damage_in_every_place) {
  const std::vector<bytes> sound{numbered(0), numbered_stream(1), numbered(2, 2), numbered_stream(3, 2)};
  for (const bytes& damage : kinds_of_damage())
    for (unsigned places = 0; places < 32; ++places) {
      bytes data;
      for (unsigned k = 0; k < 5; ++k) {
        if (places >> k & 1) data += damage;
        if (k < sound.size()) data += sound[k];
      }
      check(data, {1, 2, 3, 4, 5}, "damage of " + to_string(damage.size()) + " bytes at " + to_string(places));
    }
}

BOOST_AUTO_TEST_CASE(damage_that_claims_every_length) {
  const bytes before = numbered(0), after = numbered(1) + numbered(2, 2) + numbered_stream(3) + numbered(4);
  const std::size_t size = after.size() + 60;
  for (const int version : {2, 3}) {
    for (std::size_t length = 0; length < size; length += stride(7)) {
      check(before + forged_start(version, length, 0) + after, {2, 3, 5}, "length " + to_string(length));
      check(before + forged_start(version, 0, length) + after, {2, 3, 5}, "frame of " + to_string(length));
    }
  }
}

BOOST_AUTO_TEST_CASE(archives_inside_of_payloads) {
  const bytes inner = mixed_archive(8);
  message_spec spec;
  spec.objects = {bytes_object(inner)};
  const bytes outer = message(spec);
  spec.writing = writing::streamed;
  const bytes streamed = message(spec);
  for (const bytes& around : {outer, streamed}) {
    check(numbered(0) + around + numbered(1));
    bytes broken = around;
    broken[0] = 'X';  // now the inner messages are found
    check(broken + numbered(1));
    check(numbered(0) + broken + numbered(1) + broken);
    broken = around;
    broken[broken.size() - 1] = 'X';
    check(numbered(0) + broken + numbered(1));
  }
}

BOOST_AUTO_TEST_CASE(every_cut_of_an_archive) {
  const bytes data = numbered(0) + numbered_stream(1) + "damage" + numbered_stream(2, 2) + numbered(3, 2);
  for (std::size_t size = 0; size <= data.size(); size += stride(11)) {
    check(data.substr(0, size), {2, 3, 4}, "the first " + to_string(size) + " bytes");
    check(data.substr(size), {2, 3, 4}, "from byte " + to_string(size));
  }
}

BOOST_AUTO_TEST_CASE(every_changed_byte_of_an_archive) {
  const bytes data = numbered(0, 3, 8) + numbered_stream(1, 3, 8) + numbered(2, 2, 8) + numbered_stream(3, 2, 8);
  for (std::size_t i = 0; i < data.size(); i += stride(13))
    for (const int change : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      bytes changed = data;
      changed[i] = static_cast<char>(changed[i] ^ change);
      check(changed, {2, 4}, "byte " + to_string(i) + " changed by " + to_string(change));
    }
}

BOOST_AUTO_TEST_CASE(random_archives) {
  std::mt19937 random(7);
  const auto damage = kinds_of_damage();
  for (unsigned round = 0; round < rounds(400u); ++round) {
    bytes data;
    for (unsigned n = 0, pieces = random() % 30; n < pieces; ++n) {
      const std::size_t size = random() % 5 == 0 ? random() % 5000 : random() % 100;
      switch (random() % 6) {
        case 0: data += damage[random() % damage.size()]; break;
        case 1: data += numbered_stream(n, 2 + static_cast<int>(random() % 2), size); break;
        default: data += numbered(n, 2 + static_cast<int>(random() % 2), size);
      }
    }
    if (random() % 4 == 0) data.resize(data.size() - random() % (data.size() + 1));
    check(data, {1 + random() % 10, 1 + random() % 40}, "archive " + to_string(round));
  }
}

BOOST_AUTO_TEST_CASE(damage_without_a_cut_between_is_one_part) {
  bytes data;
  for (unsigned n = 0; n < 200; ++n) data += numbered(n) + "damage";
  BOOST_TEST(open_skipping(data).partition(10).size() == 1u);
  BOOST_TEST(open_skipping(data + numbered(200)).partition(10).size() == 1u);
  // The only place where messages touch is far from each ideal cut.
  const auto parts = open_skipping(data + numbered(200) + numbered(201)).partition(10);
  BOOST_TEST_REQUIRE(parts.size() == 2u);
  BOOST_TEST(parts[1].first_message == 201u);
}

BOOST_AUTO_TEST_CASE(bytes_before_the_first_gap_are_divided_under_stop) {
  const bytes sound = several(10, 40, 100), data = sound + "damage" + several(10, 400, 100);
  const auto archive = open(data);
  tgmap::failure why;
  const auto parts = archive.partition(4, why);
  TGMAP_FAILED(why, errc::damaged);
  BOOST_TEST(why.offset == sound.size());
  BOOST_TEST_REQUIRE(parts.size() == 4u);
  for (const auto& each : parts) BOOST_TEST(each.messages == 10u);
  BOOST_TEST(parts[3].end == sound.size());
  TGMAP_THROWS(archive.partition(4), errc::damaged);
}

BOOST_AUTO_TEST_CASE(more_gaps_than_recorded_mean_one_part) {
  const bytes data =
      numbered(0) + numbered(1) + "a" + numbered(2) + "b" + numbered(3) + "c" + numbered(4) + numbered(5);
  for (const std::uint64_t max_gaps : {0, 1, 2, 3}) {
    const auto archive = open(data, {.damage = on_damage::skip, .max_gaps = max_gaps});
    const auto parts = archive.partition(6);
    BOOST_TEST(parts.size() == (max_gaps < 3 ? 1u : 3u));
    BOOST_TEST(parts[0].begin == 0u);
    BOOST_TEST(parts.back().end == data.size());
  }
}

BOOST_AUTO_TEST_CASE(parts_of_an_archive_inside_a_file_count_from_its_start) {
  const bytes inside = mixed_archive(12), data = "header" + inside + "footer";
  const auto archive = open(data, {.offset = 6, .length = inside.size()});
  BOOST_TEST((archive.partition(5) == open(inside).partition(5)));
}

BOOST_AUTO_TEST_CASE(wrong_calls_are_errors) {
  TGMAP_THROWS(tgmap::archive().partition(1), errc::no_archive);
  const bytes data = numbered(0);
  const auto archive = open(data);
  TGMAP_THROWS(archive.partition(0), errc::invalid_option);
  tgmap::failure why;
  BOOST_TEST(archive.partition(0, why).empty());
  BOOST_TEST(why.text().find("count") != std::string::npos, why.text());
  BOOST_TEST(archive.partition(1, why).size() == 1u);  // clears the failure
  TGMAP_SUCCEEDED(why);
}

BOOST_AUTO_TEST_SUITE_END()
