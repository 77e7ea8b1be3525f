// SPDX-License-Identifier: Apache-2.0
#include "codec/sz3/sz3_container.hpp"

#include <boost/test/unit_test.hpp>
#include <support/bytes.hpp>

using namespace tgmap_test;
using namespace tgmap::codec;

BOOST_AUTO_TEST_SUITE(sz3_container_test)

namespace {

template <class T>
bytes number(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// A container as SZ3 writes it; tests change its fields.
struct parts {
  std::uint32_t magic = 0xF342F310, version = 0x03030200;
  std::uint64_t content_size = 100;
  bytes content = "stored";
  std::uint8_t dimensions = 1, bits = 7;
  bytes length = number<std::uint8_t>(100);
  std::uint64_t elements = 100;
  std::uint8_t algorithm = 2, bound_mode = 0, flags = 0xa0, type = 1;
  std::int32_t block_size = 128;
  int size_error = 0;

  bytes encoded() const {
    const bytes config = number(dimensions) + number(bits) + length + number(elements) + number(algorithm) +
                         number(bound_mode) + number(0.5) + number(flags) + number(type) + number(65536) +
                         number(block_size) + number<std::uint8_t>(0);
    return number(magic) + number(version) + number<std::uint64_t>(8 + content.size()) + number(content_size) +
           content + number<std::uint8_t>(static_cast<std::uint8_t>(config.size() + 1 + size_error)) + config;
  }
};

std::error_code outcome_of(const parts& from, std::uint64_t out = 800) {
  sz3_container container;
  const bytes encoded = from.encoded();
  return read_sz3_container(span_of(encoded), out, container).code;
}

constexpr auto refused = tgmap::errc::codec_failed;

}  // namespace

BOOST_AUTO_TEST_CASE(fields_of_a_container) {
  sz3_container container;
  const bytes encoded = parts{}.encoded();
  BOOST_TEST_REQUIRE(!read_sz3_container(span_of(encoded), 800, container));
  BOOST_TEST((container.method == sz3_method::interpolation));
  BOOST_TEST(container.content_size == 100);
  BOOST_TEST((view_of(container.content) == "stored"));
  const bytes lorenzo = parts{.algorithm = 0, .flags = 0xc0, .block_size = 5}.encoded();
  BOOST_TEST_REQUIRE(!read_sz3_container(span_of(lorenzo), 800, container));
  BOOST_TEST((container.method == sz3_method::lorenzo));
  BOOST_TEST(container.block_size == 5);
  const bytes lossless = parts{.content_size = 800, .algorithm = 4}.encoded();
  BOOST_TEST_REQUIRE(!read_sz3_container(span_of(lossless), 800, container));
  BOOST_TEST((container.method == sz3_method::lossless));
}

BOOST_AUTO_TEST_CASE(every_field_is_checked) {
  BOOST_TEST(!outcome_of({}));
  for (const parts& wrong : {parts{.magic = 0xF342F311},
                             parts{.version = 0x03030100},
                             parts{.dimensions = 0},
                             parts{.dimensions = 2},
                             parts{.bits = 9, .length = "d"},
                             parts{.bits = 65, .length = bytes("d\0\0\0\0\0\0\0\0", 9)},
                             parts{.bits = 255},
                             parts{.length = "e"},
                             parts{.algorithm = 0},
                             parts{.algorithm = 1},
                             parts{.algorithm = 3},
                             parts{.algorithm = 5},
                             parts{.algorithm = 255},
                             parts{.bound_mode = 1},
                             parts{.flags = 0x08},
                             parts{.type = 0},
                             parts{.algorithm = 0, .flags = 0xc0, .block_size = 0},
                             parts{.algorithm = 0, .flags = 0xc0, .block_size = -1},
                             parts{.algorithm = 0, .flags = 0xe0},
                             parts{.algorithm = 0, .flags = 0x80},
                             parts{.size_error = 1},
                             parts{.size_error = -1}})
    BOOST_TEST((outcome_of(wrong) == refused));
}

BOOST_AUTO_TEST_CASE(sizes_that_disagree) {
  BOOST_TEST((outcome_of({}, 808) == tgmap::errc::decoded_size_mismatch));
  BOOST_TEST((outcome_of({}, 792) == tgmap::errc::decoded_size_mismatch));
  BOOST_TEST((outcome_of({.content_size = 801, .algorithm = 4}) == tgmap::errc::decoded_size_mismatch));
  const bytes huge = number(std::uint64_t{1} << 61 | 100);
  BOOST_TEST((outcome_of({.bits = 62, .length = huge, .elements = std::uint64_t{1} << 61 | 100}) == refused));
}

BOOST_AUTO_TEST_CASE(memory_is_in_proportion_to_the_output) {
  BOOST_TEST(!outcome_of({.content_size = 64 * 100 + 4096}));
  for (const std::uint64_t content_size : {std::uint64_t{64 * 101 + 4096}, UINT64_MAX})
    BOOST_TEST((outcome_of({.content_size = content_size}) == refused));
}

BOOST_AUTO_TEST_CASE(every_truncation_is_refused) {
  const bytes encoded = parts{}.encoded();
  sz3_container container;
  for (std::size_t size = 0; size < encoded.size(); ++size)
    BOOST_TEST((read_sz3_container(span_of(encoded).first(size), 800, container).code == refused));
  BOOST_TEST((read_sz3_container(span_of(encoded + 'x'), 800, container).code == refused));
}

BOOST_AUTO_TEST_CASE(a_payload_without_its_size) {
  bytes encoded = parts{}.encoded();
  for (const std::uint64_t size : {std::uint64_t{7}, std::uint64_t{0}, UINT64_MAX, UINT64_MAX - 15}) {
    encoded.replace(8, 8, number(size));
    sz3_container container;
    BOOST_TEST((read_sz3_container(span_of(encoded), 800, container).code == refused));
  }
}

BOOST_AUTO_TEST_SUITE_END()
