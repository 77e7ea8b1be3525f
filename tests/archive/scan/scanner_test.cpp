// SPDX-License-Identifier: Apache-2.0
// A scan by chains, by windows, in portions or message by message finds what parsing one place after the other finds.
#include <algorithm>
#include <random>
#include <sstream>
#include <support/numbered.hpp>
#include <support/temporary.hpp>
#include <tgmap/mapping_guard.hpp>

#include "../archive_fixture.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(scanner_test)

namespace {

const tgmap::open_options skipping{.damage = tgmap::on_damage::skip};

void tell(std::ostream& out, const char* what, std::uint64_t begin, std::uint64_t end, const tgmap::failure& why) {
  out << what << ' ' << begin << ' ' << end << ' ' << why.code << ' ' << why.offset << ' ' << why.expected << ' '
      << why.found << ' ' << why.message << '\n';
}

void tell(std::ostream& out, std::uint64_t offset, std::uint64_t length, unsigned version, bool streamed,
          bool incomplete) {
  out << offset << '+' << length << " v" << version << (streamed ? " streamed" : "")
      << (incomplete ? " incomplete" : "") << '\n';
}

/// The rules in their simplest form: parse a message here; if there is none, at each magic from here on.
std::string one_by_one(const bytes& data) {
  using inner::message_status;
  const looked_at in(data, skipping);
  std::ostringstream messages, gaps;
  std::int64_t count = 0;
  std::uint64_t at = 0;
  const auto take = [&](const tgmap::message_position& m) {
    tell(messages, m.offset(), m.length(), m.version(), m.is_streamed(), m.is_incomplete());
    ++count;
    at = m.offset() + m.length();
  };
  while (at < data.size()) {
    auto found = inner::parse_message_at(const_cast<tgmap::io::window&>(*in.window), at, skipping);
    if (found.status == message_status::whole) {
      take(found.message);
      continue;
    }
    std::uint64_t begin = at, next = at + 1;
    std::optional<std::pair<std::uint64_t, tgmap::failure>> cut_off;
    tgmap::failure reason = found.why;
    const bool behind_stream = found.status == message_status::incomplete;
    if (found.status == message_status::cut_off) cut_off = {at, found.why};
    if (behind_stream) {
      reason.message = static_cast<std::uint64_t>(count);
      take(found.message);
      begin = next = at;
    }
    for (;; ++next) {
      next = std::min<std::uint64_t>(data.find(magic, next), data.size());
      if (next == data.size()) break;
      found = inner::parse_message_at(const_cast<tgmap::io::window&>(*in.window), next, skipping);
      if (found.status == message_status::whole || found.status == message_status::incomplete) break;
      if (found.status == message_status::cut_off && !cut_off) cut_off = {next, found.why};
    }
    if (next == data.size() && behind_stream) {
      tell(gaps, "tail", begin, next, reason);
    } else if (next == data.size() && cut_off) {
      if (cut_off->first > begin) tell(gaps, "gap", begin, cut_off->first, reason);
      tell(gaps, "tail", cut_off->first, next, cut_off->second);
    } else {
      tell(gaps, "gap", begin, next, reason);
    }
    at = next;
  }
  return messages.str() + gaps.str();
}

/// Returns the result of a completed scan in the same form.
std::string description_of(const tgmap::archive& archive) {
  std::ostringstream out;
  BOOST_REQUIRE(archive.scan_progress().is_complete);
  const std::size_t count = archive.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto m = archive[i];
    tell(out, m.offset(), m.length(), m.version(), m.is_streamed(), m.is_incomplete());
  }
  for (const auto& gap : archive.gaps()) tell(out, "gap", gap.begin, gap.end, gap.cause);
  if (const auto tail = archive.incomplete_tail()) tell(out, "tail", tail->begin, tail->end, tail->cause);
  return out.str();
}

bytes padded_stream() {
  message_spec spec = numbered_spec(1);
  spec.writing = writing::streamed;
  const auto whole = build(spec);
  const std::uint64_t end = whole.frames[0].offset + whole.frames[0].length;
  return whole.data.substr(0, end) + bytes(100, 'p') + whole.data.substr(whole.frames[1].offset);
}

/// The pieces that archives are made of.
const std::vector<bytes>& sound_pieces() {
  static const auto made = [] {
    std::vector<bytes> out;
    for (const int version : {2, 3}) {
      message_spec empty;
      empty.version = version;
      empty.metadata = where::none;
      out.push_back(message(empty));
      empty.writing = writing::streamed;
      out.push_back(message(empty));
      for (const std::size_t size : {1u, 24u, 301u, 2000u}) {
        out.push_back(numbered(1, version, size));
        out.push_back(numbered_stream(2, version, size));
      }
    }
    message_spec nested = numbered_spec(3);  // an archive inside a payload
    nested.objects = {bytes_object(numbered_archive(20) + numbered_stream(4))};
    out.push_back(message(nested));
    nested.writing = writing::streamed;
    out.push_back(message(nested));
    nested.writing = writing::backfilled;
    out.push_back(message(nested));
    return out;
  }();
  return made;
}

bytes damage(std::mt19937& random) {
  const auto& sound = sound_pieces()[random() % sound_pieces().size()];
  switch (random() % 6) {
    case 0: return bytes(1 + random() % 100, 'j');
    case 1: return bytes(magic);
    case 2: return sound.substr(0, random() % sound.size());
    case 3: return sound.substr(random() % sound.size());
    case 4: return version_1_message({"payload"});
    default: return padded_stream();
  }
}

/// Makes long runs of whole messages, mostly of one kind, with a few other pieces between them.
bytes random_archive(std::mt19937& random) {
  bytes out;
  for (unsigned run = 1 + random() % 5; run > 0; --run) {
    const auto& pieces = sound_pieces();
    const std::size_t kinds = 1 + random() % 3;
    std::array<std::size_t, 3> chosen{};
    for (auto& c : chosen) c = random() % pieces.size();
    for (unsigned n = random() % 1500; n > 0; --n) out += pieces[chosen[random() % kinds]];
    for (unsigned n = random() % 3; n > 0; --n) out += damage(random);
  }
  return out;
}

/// Scans an archive that `open` opens: at once, in portions of several sizes, message by message.
template <class Open>
void every_way(const Open& open, const std::string& expected, std::mt19937& random) {
  const tgmap::archive at_once = open();
  at_once.scan();
  BOOST_REQUIRE(description_of(at_once) == expected);
  const tgmap::archive in_portions = open();
  for (const std::uint64_t portion = 1 + random() % 300'000; !in_portions.scan(portion).is_complete;) {
  }
  BOOST_REQUIRE(description_of(in_portions) == expected);
  const tgmap::archive one_after_the_other = open();
  tgmap::failure why;
  for (std::size_t i = 0; !why; ++i) (void)one_after_the_other.at(i, why);
  BOOST_REQUIRE(description_of(one_after_the_other) == expected);
}

void all_ways(const bytes& data, std::mt19937& random) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", data);
  const std::string expected = one_by_one(data);
  BOOST_TEST_CONTEXT("in memory")
  every_way([&] { return open_skipping(data); }, expected, random);
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read})
    BOOST_TEST_CONTEXT("mode " << static_cast<int>(mode))
  every_way([&] { return tgmap::archive(path, {.io = mode, .damage = tgmap::on_damage::skip}); }, expected, random);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_kind_of_scan_finds_the_same_messages) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    BOOST_TEST_CONTEXT("seed " << seed) { all_ways(random_archive(random), random); }
  }
}

BOOST_AUTO_TEST_CASE(every_kind_of_scan_agrees_on_short_sequences) {
  std::mt19937 random(7);
  const std::vector<bytes> pieces{numbered(1), numbered_stream(2, 2), numbered(3, 2).substr(0, 60), bytes(magic),
                                  "junk"};
  const bytes calm = numbered_archive(200);  // enough messages that the scan uses chains
  for (std::size_t n = 0; n < 625; ++n) {
    bytes data;
    for (std::size_t rest = n, k = 0; k < 4; ++k, rest /= 5) data += pieces[rest % 5];
    const bytes both = calm + data + calm;
    const std::string expected = one_by_one(both);
    const auto archive = open_skipping(both);
    archive.scan();
    BOOST_REQUIRE(description_of(archive) == expected);
  }
}

BOOST_AUTO_TEST_CASE(every_kind_of_scan_agrees_on_truncated_archives) {
  std::mt19937 random(8);
  bytes data = numbered_archive(300) + mixed_archive(12);
  for (const std::size_t end = numbered_archive(300).size(); data.size() > end; data.pop_back()) {
    const auto archive = open_skipping(data);
    archive.scan();
    BOOST_REQUIRE(description_of(archive) == one_by_one(data));
  }
}

BOOST_AUTO_TEST_CASE(reading_a_few_messages_is_not_a_full_scan) {
  const bytes data = numbered_archive(20000);
  const auto archive = open(data);
  for (const std::size_t i : {0u, 5u, 300u}) {
    BOOST_TEST(number_of(archive[i]) == i);
    BOOST_TEST(archive.scan_progress().messages <= i + 1 + i / 8);
  }
}

// From here on the structure of mapped archives is read through the mapping, for the guard stays installed.
BOOST_AUTO_TEST_CASE(every_kind_of_scan_agrees_through_a_guarded_mapping) {
  BOOST_REQUIRE(!tgmap::mapping_guard::install());
  for (unsigned seed = 100; seed < 115; ++seed) {
    std::mt19937 random(seed);
    BOOST_TEST_CONTEXT("seed " << seed) { all_ways(random_archive(random), random); }
  }
}

BOOST_AUTO_TEST_CASE(a_shrunk_file_keeps_the_messages_found_before) {
  BOOST_REQUIRE(!tgmap::mapping_guard::install());
  const bytes data = numbered_archive(4000);
  const std::size_t half = data.size() / 2 / 4096 * 4096;
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    const temporary_directory temporary;
    const auto path = temporary.file("a.tgm", data);
    const tgmap::archive archive(path, {.io = mode});
    const auto some = archive.scan(data.size() / 4);
    std::filesystem::resize_file(path, half);
    tgmap::failure why;
    for (unsigned again = 0; again < 2; ++again) {
      const auto known = archive.scan(UINT64_MAX, {}, why);
      TGMAP_FAILED(why, tgmap::errc::file_shrank);
      BOOST_TEST(why.offset < half + 500);
      BOOST_TEST(known.messages > some.messages);
      BOOST_TEST(known.scanned_bytes <= half);
      BOOST_TEST(half - known.scanned_bytes < 1000u);
      BOOST_TEST(!known.is_complete);
    }
    write_file(path, data);
    BOOST_TEST(archive.scan(UINT64_MAX, {}, why).messages == 4000u);
    TGMAP_SUCCEEDED(why);
  }
}

BOOST_AUTO_TEST_SUITE_END()
