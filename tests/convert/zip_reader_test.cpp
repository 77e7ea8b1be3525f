// SPDX-License-Identifier: Apache-2.0
#include "convert/zip_reader.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <support/bytes.hpp>
#include <support/rounds.hpp>

#include "convert/conversion.hpp"
#include "convert/zip_writer.hpp"
#include "convert/zlib.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(zip_reader)

namespace {

constexpr std::uint64_t no_limit = UINT64_MAX;

std::uint32_t crc_of(std::string_view text) { return tgmap::convert::crc32(span_of(text)); }

bytes zip_of(const std::vector<std::pair<bytes, bytes>>& members) {
  bytes out;
  tgmap::convert::zip_writer zip([&](std::span<const std::byte> piece) { out += view_of(piece); });
  for (const auto& [name, contents] : members) {
    zip.begin(name, contents.size(), crc_of(contents));
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

/// A member with any values, as no tool writes them.
struct odd_member {
  bytes name = "a";
  bytes packed = "abc";
  std::uint64_t size = 3;
  std::uint32_t crc = crc_of("abc");
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

/// Returns name and contents of every member.
std::map<bytes, bytes> contents(std::string_view archive, std::uint64_t limit = no_limit) {
  const tgmap::convert::zip_reader zip(span_of(archive));
  std::map<bytes, bytes> out;
  for (const auto& member : zip.members()) out[member.name] = view_of(zip.read(member, limit).bytes);
  return out;
}

void check_error(const bytes& archive, const std::string& why, std::uint64_t limit = no_limit) {
  try {
    contents(archive, limit);
    BOOST_ERROR("no error: " << why);
  } catch (const tgmap::convert::conversion_error& thrown) {
    BOOST_TEST(std::string(thrown.what()).find(why) != std::string::npos, thrown.what() << ", not: " << why);
    BOOST_TEST(!thrown.next_step().empty());
  }
}

/// The raw deflate of 30 bytes "abcabc…".
const bytes deflated = bytes("KLJN\xc4\x8d\x00", 7);
const bytes inflated = [] {
  bytes out;
  for (int i = 0; i < 10; ++i) out += "abc";
  return out;
}();

odd_member deflated_member() {
  return {.packed = deflated, .size = inflated.size(), .crc = crc_of(inflated), .method = 8};
}

}  // namespace

BOOST_AUTO_TEST_CASE(stored_members_are_read_without_a_copy) {
  const bytes archive = zip_of({{"first", "some bytes"}, {"empty", ""}, {"last", bytes(100000, 'x')}});
  const tgmap::convert::zip_reader zip(span_of(archive));
  BOOST_TEST_REQUIRE(zip.members().size() == 3u);
  BOOST_TEST(zip.members()[0].name == "first");
  BOOST_TEST(zip.members()[2].size == 100000u);
  const auto first = zip.read(zip.members()[0], 0);
  BOOST_TEST(first.owned.get() == nullptr);
  BOOST_TEST(first.bytes.data() == span_of(archive).data() + archive.find("some bytes"));
  BOOST_TEST((contents(archive) ==
              std::map<bytes, bytes>{{"first", "some bytes"}, {"empty", ""}, {"last", bytes(100000, 'x')}}));
}

BOOST_AUTO_TEST_CASE(no_members_and_many) {
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
  check_error(archive + "x", "does not end as a ZIP archive");
}

BOOST_AUTO_TEST_CASE(deflated_members) {
  const bytes archive = archive_of(deflated_member());
  BOOST_TEST(contents(archive).at("a") == inflated);
  BOOST_TEST(contents(archive, inflated.size()).at("a") == inflated);
  check_error(archive, "inflates to 30 bytes; the limit is 29", inflated.size() - 1);
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{29}, std::uint64_t{31}}) {
    odd_member other = deflated_member();
    other.size = size;
    check_error(archive_of(other), "does not inflate to the stated size");
  }
  odd_member bomb = deflated_member();
  bomb.size = 0xfffffff0;
  check_error(archive_of(bomb), "cannot inflate to the stated size");
  odd_member wrong = deflated_member();
  wrong.crc ^= 1;
  check_error(archive_of(wrong), "CRC-32");
  for (std::size_t cut = 0; cut < deflated.size(); ++cut) {
    odd_member shorter = deflated_member();
    shorter.packed = deflated.substr(0, cut);
    shorter.stated_packed = static_cast<std::uint32_t>(cut);
    check_error(archive_of(shorter), "does not inflate");
  }
}

BOOST_AUTO_TEST_CASE(unusual_members_are_errors) {
  check_error(archive_of({.flags = 1}), "encrypted");
  check_error(archive_of({.flags = 1 << 13}), "encrypted");
  check_error(archive_of({.method = 12}), "compressed by method 12");
  check_error(archive_of({.size = 4}), "stored with another size");
  check_error(archive_of({.crc = 1}), "CRC-32");
  check_error(archive_of({.name = "", .local_name = ""}), "no name");
  check_error(archive_of({.local_name = "b"}), "contradicts its directory");
  check_error(archive_of({.stated_at = 1}), "not at the offset that its directory states");
  check_error(archive_of({.stated_at = 1000}), "past its end");
  check_error(archive_of({}, 2), "too small for its entries");
  check_error(archive_of({}, 0), "larger than its entries");
}

BOOST_AUTO_TEST_CASE(names_are_unique_and_members_do_not_overlap) {
  check_error(zip_of({{"a", "1"}, {"b", "2"}, {"a", "3"}}), "'a' occurs twice");
  bytes archive = zip_of({{"a", bytes(100, 'x')}, {"b", "1"}});
  const std::size_t second = archive.rfind(little(0x02014b50, 4));
  // Write the header of the second member into the contents of the first.
  const std::size_t header = archive.rfind(little(0x04034b50, 4));
  archive.replace(50, 32, archive.substr(header, 32));
  archive.replace(second + 42, 4, little(50, 4));
  check_error(archive, "'b' shares bytes with 'a'");
}

BOOST_AUTO_TEST_CASE(sizes_in_64_bits) {
  odd_member wide{.stated_packed = 0xffffffff};
  check_error(archive_of(wide), "stored with another size");
  wide.extra = little(7, 2) + little(1, 2) + "x" + little(1, 2) + little(8, 2) + little(3, 8);
  BOOST_TEST(contents(archive_of(wide)).at("a") == "abc");
  wide.extra = little(1, 2) + little(4, 2) + little(3, 4);
  check_error(archive_of(wide), "truncated");
  wide.extra = little(1, 2) + little(8, 2) + little(UINT64_MAX, 8);
  wide.size = 0xffffffff;
  check_error(archive_of(wide), "truncated");
}

BOOST_AUTO_TEST_CASE(truncated_archives_are_errors) {
  for (const bytes& archive : {zip_of({{"a.npy", "abc"}, {"b.npy", "defg"}}), archive_of(deflated_member())})
    for (std::size_t length = 0; length < archive.size(); ++length) check_error(archive.substr(0, length), "");
}

BOOST_AUTO_TEST_CASE(a_changed_byte_is_an_error_or_changes_nothing) {
  const bytes wide = archive_of({.extra = little(1, 2) + little(8, 2) + little(3, 8), .stated_packed = 0xffffffff});
  for (const bytes& archive : {zip_of({{"a.npy", "abc"}, {"b.npy", "defg"}}), archive_of(deflated_member()), wide}) {
    const auto wanted = contents(archive);
    unsigned errors = 0;
    for (std::size_t at = 0; at < archive.size(); at += stride(7))
      for (int byte = 0; byte < 256; ++byte) {
        bytes changed = archive;
        changed[at] = static_cast<char>(byte);
        try {
          const auto seen = contents(changed, 1 << 20);
          BOOST_TEST((seen == wanted), "byte " << at << " as " << byte);
        } catch (const tgmap::convert::conversion_error&) {
          ++errors;
        }
      }
    BOOST_TEST(errors > rounds(100u * 100u));
  }
}

BOOST_AUTO_TEST_SUITE_END()
