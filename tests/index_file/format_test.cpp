// SPDX-License-Identifier: Apache-2.0
#include "index_file/format.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <string>

using namespace tgmap::index_file;

BOOST_AUTO_TEST_SUITE(format_test)

namespace {

template <class Record>
std::string stored(const Record& record, std::size_t size) {
  std::array<std::byte, 64> bytes{};
  record.store(bytes.data());
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const std::byte each : std::span(bytes).first(size)) {
    const auto value = static_cast<unsigned>(each);
    out += digits[value >> 4];
    out += digits[value & 15];
  }
  BOOST_TEST((Record::load(std::span(bytes).first(size)) == record));
  return out;
}

}  // namespace

// The bytes are those of docs/index_format.md: another implementation reads them.

BOOST_AUTO_TEST_CASE(messages_have_32_bytes) {
  BOOST_TEST(record_size(section::messages) == 32u);
  BOOST_TEST(stored(listed_message{.offset = 0x030405060708,
                                   .length = 0x1122,
                                   .version = 3,
                                   .flags = 0x0102,
                                   .is_streamed = true,
                                   .first_object = 0x21,
                                   .objects = 5,
                                   .metadata_hash = 0x0102030405060708},
                    32) ==
             "0807060504030201"
             "221100000000001c"
             "2100000000050000"
             "0807060504030201");
  BOOST_TEST(stored(listed_message{.offset = listed_message::max_offset,
                                   .length = listed_message::max_length,
                                   .version = 2,
                                   .is_incomplete = true,
                                   .has_unlisted_objects = true,
                                   .first_object = listed_message::max_first_object},
                    32) ==
             "ffffffffffff0000"
             "ffffffffffffff6b"
             "ffffffffff000000"
             "0000000000000000");
}

BOOST_AUTO_TEST_CASE(objects_have_32_bytes) {
  BOOST_TEST(record_size(section::objects) == 32u);
  BOOST_TEST(stored(
                 listed_object{
                     .offset = 1, .length = 2, .payload_length = 0x0300, .descriptor_length = 4, .layout = 0x05000000},
                 32) ==
             "0100000000000000"
             "0200000000000000"
             "0003000000000000"
             "04000000"
             "00000005");
}

BOOST_AUTO_TEST_CASE(gaps_have_56_bytes) {
  BOOST_TEST(record_size(section::gaps) == 56u);
  BOOST_TEST(stored(listed_gap{.begin = 1,
                               .end = 2,
                               .messages_before = 3,
                               .offset = 4,
                               .expected = 5,
                               .found = 6,
                               .code = 7,
                               .names_message = true},
                    56) ==
             "0100000000000000"
             "0200000000000000"
             "0300000000000000"
             "0400000000000000"
             "0500000000000000"
             "0600000000000000"
             "0700000001000000");
}

BOOST_AUTO_TEST_CASE(page_runs_have_32_bytes) {
  BOOST_TEST(
      stored(page_run{.kind = section::objects, .column = 9, .first_record = 127, .records = 254, .first_page = 11},
             page_run::size) ==
      "0200000009000000"
      "7f00000000000000"
      "fe00000000000000"
      "0b00000000000000");
}

BOOST_AUTO_TEST_CASE(the_trailer_comes_back_whole) {
  const trailer facts{.version = 1,
                      .required_features = 2,
                      .identity = 3,
                      .covered = 4,
                      .messages = 5,
                      .objects = 6,
                      .layouts = 7,
                      .gaps = 8,
                      .pages = 9,
                      .runs = 10,
                      .max_padding = 11,
                      .max_objects = 12,
                      .max_metadata_bytes = 13,
                      .sample_seed = 14,
                      .samples = 15,
                      .structure = 16,
                      .archive_offset = 17,
                      .made_at = 18,
                      .made_by = {'t', 'g', 'm', 'a', 'p'}};
  std::array<std::byte, page_size> page{};
  facts.store(page);
  BOOST_TEST((trailer::load(page) == facts));
  BOOST_TEST(std::memcmp(page.data(), "TGMINDEX\1\0\0\0\2\0\0\0\3", 17) == 0);
  BOOST_TEST(std::memcmp(page.data() + 136, "\x12\0\0\0\0\0\0\0tgmap", 14) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
