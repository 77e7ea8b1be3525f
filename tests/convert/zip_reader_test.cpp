// SPDX-License-Identifier: Apache-2.0
#include "convert/zip_reader.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <support/bytes.hpp>
#include <support/rounds.hpp>

#include "convert/crc32.hpp"
#include "convert/inflate.hpp"
#include "convert/refusal.hpp"
#include "convert/zip_writer.hpp"

using namespace tgmap_test;
using tgmap::convert::zip_reader;

BOOST_AUTO_TEST_SUITE(zip_reading)

namespace {

constexpr std::uint64_t no_limit = UINT64_MAX;

std::uint32_t sum_of(std::string_view text) {
  tgmap::convert::crc32 sum;
  sum.add(span_of(text));
  return sum.value();
}

bytes zip_of(const std::vector<std::pair<bytes, bytes>>& members) {
  bytes out;
  tgmap::convert::zip_writer zip([&](std::span<const std::byte> piece) { out += view_of(piece); });
  for (const auto& [name, contents] : members) {
    zip.begin(name, contents.size(), sum_of(contents));
    zip.write(span_of(contents));
  }
  zip.finish();
  return out;
}

bytes little(std::uint64_t number, int width) {
  bytes out;
  for (int i = 0; i < width; ++i) out += static_cast<char>(i < 8 ? number >> (8 * i) & 0xff : 0);
  return out;
}

/// A member as nobody's tool would write it.
struct odd_member {
  bytes name = "a";
  bytes packed = "abc";
  std::uint64_t size = 3;
  std::uint32_t crc = sum_of("abc");
  std::uint16_t method = 0, flags = 0;
  bytes local_name = name;
  bytes extra{};
  std::uint32_t stated_packed = static_cast<std::uint32_t>(packed.size()), stated_at = 0;
};

bytes archive_of(const odd_member& m, std::uint16_t entries = 1) {
  const auto local = [&] {
    return little(0x04034b50, 4) + little(20, 2) + little(m.flags, 2) + little(m.method, 2) + little(0, 4) +
           little(m.crc, 4) + little(m.packed.size(), 4) + little(m.size, 4) + little(m.local_name.size(), 2) +
           little(0, 2) + m.local_name + m.packed;
  }();
  const bytes central = little(0x02014b50, 4) + little(20, 2) + little(20, 2) + little(m.flags, 2) +
                        little(m.method, 2) + little(0, 4) + little(m.crc, 4) + little(m.stated_packed, 4) +
                        little(m.size, 4) + little(m.name.size(), 2) + little(m.extra.size(), 2) + little(0, 10) +
                        little(m.stated_at, 4) + m.name + m.extra;
  return local + central + little(0x06054b50, 4) + little(0, 4) + little(entries, 2) + little(entries, 2) +
         little(central.size(), 4) + little(local.size(), 4) + little(0, 2);
}

/// Name and contents of every member.
std::map<bytes, bytes> contents(std::string_view archive, std::uint64_t limit = no_limit) {
  const zip_reader zip(span_of(archive));
  std::map<bytes, bytes> out;
  for (const auto& member : zip.members()) out[member.name] = view_of(zip.read(member, limit).bytes);
  return out;
}

void refused(const bytes& archive, const std::string& why, std::uint64_t limit = no_limit) {
  try {
    contents(archive, limit);
    BOOST_ERROR("taken, though: " << why);
  } catch (const tgmap::convert::refusal& thrown) {
    BOOST_TEST(std::string(thrown.what()).find(why) != std::string::npos, thrown.what() << ", not: " << why);
    BOOST_TEST(!thrown.next_step().empty());
  }
}

/// "abcabcabc…", 30 bytes of it, as zlib's raw deflate gives it.
const bytes deflated = bytes("KLJN\xc4\x8d\x00", 7);
const bytes inflated = [] {
  bytes out;
  for (int i = 0; i < 10; ++i) out += "abc";
  return out;
}();

odd_member deflated_member() {
  return {.packed = deflated, .size = inflated.size(), .crc = sum_of(inflated), .method = 8};
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_written_is_read_where_it_lies) {
  const bytes archive = zip_of({{"first", "some bytes"}, {"empty", ""}, {"last", bytes(100000, 'x')}});
  const zip_reader zip(span_of(archive));
  BOOST_TEST_REQUIRE(zip.members().size() == 3u);
  BOOST_TEST(zip.members()[0].name == "first");
  BOOST_TEST(zip.members()[2].size == 100000u);
  const auto first = zip.read(zip.members()[0], 0);
  BOOST_TEST(first.own.get() == nullptr);
  BOOST_TEST(first.bytes.data() == span_of(archive).data() + archive.find("some bytes"));
  BOOST_TEST((contents(archive) ==
              std::map<bytes, bytes>{{"first", "some bytes"}, {"empty", ""}, {"last", bytes(100000, 'x')}}));
}

BOOST_AUTO_TEST_CASE(nothing_and_many) {
  BOOST_TEST(contents(zip_of({})).empty());
  std::vector<std::pair<bytes, bytes>> many;
  for (int i = 0; i < 70000; ++i) many.emplace_back(std::to_string(i), std::to_string(3 * i));
  const auto seen = contents(zip_of(many));
  BOOST_TEST(seen.size() == 70000u);
  BOOST_TEST(seen.at("69999") == "209997");
}

BOOST_AUTO_TEST_CASE(a_comment_may_follow) {
  bytes archive = zip_of({{"a", "abc"}});
  archive.replace(archive.size() - 2, 2, little(300, 2));
  archive += bytes(300, 'c');
  BOOST_TEST(contents(archive).at("a") == "abc");
  refused(archive + "x", "does not end as a ZIP archive");
}

BOOST_AUTO_TEST_CASE(deflated_members) {
  const bytes archive = archive_of(deflated_member());
  BOOST_TEST(contents(archive).at("a") == inflated);
  BOOST_TEST(contents(archive, inflated.size()).at("a") == inflated);
  refused(archive, "inflates to 30 bytes, beyond the 29", inflated.size() - 1);
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{29}, std::uint64_t{31}}) {
    odd_member other = deflated_member();
    other.size = size;
    refused(archive_of(other), "does not inflate to the size it states");
  }
  odd_member bomb = deflated_member();
  bomb.size = 0xfffffff0;
  refused(archive_of(bomb), "cannot inflate to the size it states");
  odd_member wrong = deflated_member();
  wrong.crc ^= 1;
  refused(archive_of(wrong), "CRC-32");
  for (std::size_t cut = 0; cut < deflated.size(); ++cut) {
    odd_member shorter = deflated_member();
    shorter.packed = deflated.substr(0, cut);
    shorter.stated_packed = static_cast<std::uint32_t>(cut);
    refused(archive_of(shorter), "does not inflate");
  }
}

BOOST_AUTO_TEST_CASE(inflating_is_bounded_by_what_deflate_can_do) {
  using tgmap::convert::can_inflate_to;
  BOOST_TEST(can_inflate_to(0, 0));
  BOOST_TEST(can_inflate_to(1, 1032));
  BOOST_TEST(!can_inflate_to(0, 1032));
  BOOST_TEST(!can_inflate_to(1000, UINT64_MAX));
  BOOST_TEST(can_inflate_to(UINT64_MAX, UINT64_MAX));
}

BOOST_AUTO_TEST_CASE(what_is_no_plain_member_is_refused) {
  refused(archive_of({.flags = 1}), "encrypted");
  refused(archive_of({.flags = 1 << 13}), "encrypted");
  refused(archive_of({.method = 12}), "compressed by method 12");
  refused(archive_of({.size = 4}), "stored, but in another size");
  refused(archive_of({.crc = 1}), "CRC-32");
  refused(archive_of({.name = "", .local_name = ""}), "no name");
  refused(archive_of({.local_name = "b"}), "not what its directory says");
  refused(archive_of({.stated_at = 1}), "does not begin where its directory says");
  refused(archive_of({.stated_at = 1000}), "lies beyond its end");
  refused(archive_of({}, 2), "no room for its entries");
  refused(archive_of({}, 0), "more than its entries");
}

BOOST_AUTO_TEST_CASE(names_and_bytes_are_each_there_once) {
  refused(zip_of({{"a", "1"}, {"b", "2"}, {"a", "3"}}), "'a' is there twice");
  bytes archive = zip_of({{"a", bytes(100, 'x')}, {"b", "1"}});
  const std::size_t second = archive.rfind(little(0x02014b50, 4));
  // The header of the second one, written into what the first one holds.
  const std::size_t header = archive.rfind(little(0x04034b50, 4));
  archive.replace(50, 32, archive.substr(header, 32));
  archive.replace(second + 42, 4, little(50, 4));
  refused(archive, "'b' shares bytes with 'a'");
}

BOOST_AUTO_TEST_CASE(sizes_in_64_bits) {
  odd_member wide{.stated_packed = 0xffffffff};
  refused(archive_of(wide), "stored, but in another size");
  wide.extra = little(7, 2) + little(1, 2) + "x" + little(1, 2) + little(8, 2) + little(3, 8);
  BOOST_TEST(contents(archive_of(wide)).at("a") == "abc");
  wide.extra = little(1, 2) + little(4, 2) + little(3, 4);
  refused(archive_of(wide), "cut");
  wide.extra = little(1, 2) + little(8, 2) + little(UINT64_MAX, 8);
  wide.size = 0xffffffff;
  refused(archive_of(wide), "cut");
}

BOOST_AUTO_TEST_CASE(every_cut_is_refused) {
  for (const bytes& archive : {zip_of({{"a.npy", "abc"}, {"b.npy", "defg"}}), archive_of(deflated_member())})
    for (std::size_t length = 0; length < archive.size(); ++length) refused(archive.substr(0, length), "");
}

BOOST_AUTO_TEST_CASE(any_changed_byte_is_refused_or_changes_nothing) {
  const bytes wide = archive_of({.extra = little(1, 2) + little(8, 2) + little(3, 8), .stated_packed = 0xffffffff});
  for (const bytes& archive : {zip_of({{"a.npy", "abc"}, {"b.npy", "defg"}}), archive_of(deflated_member()), wide}) {
    const auto wanted = contents(archive);
    unsigned refusals = 0;
    for (std::size_t at = 0; at < archive.size(); at += stride(7))
      for (int byte = 0; byte < 256; ++byte) {
        bytes changed = archive;
        changed[at] = static_cast<char>(byte);
        try {
          const auto seen = contents(changed, 1 << 20);
          BOOST_TEST((seen == wanted), "byte " << at << " as " << byte);
        } catch (const tgmap::convert::refusal&) {
          ++refusals;
        }
      }
    BOOST_TEST(refusals > rounds(100u * 100u));
  }
}

BOOST_AUTO_TEST_SUITE_END()
