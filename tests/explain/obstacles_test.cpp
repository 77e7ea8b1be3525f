// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <sstream>
#include <support/builder.hpp>
#include <support/temporary.hpp>
#include <tgmap/tools/explain.hpp>

using namespace tgmap_test;
using tgmap::explain_access;

BOOST_AUTO_TEST_SUITE(obstacles)

namespace {

/// Returns the obstacles of the only object as text: "compressed zstd 15 -> 24; ".
std::string obstacles_of(object_spec object, tgmap::io_mode io = tgmap::io_mode::map, int version = 3) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", message({.version = version, .objects = {object}}));
  const tgmap::access_report seen = explain_access(path, {.object = 0}, {.io = io});
  std::ostringstream out;
  for (const tgmap::access_obstacle& each : seen.obstacles) {
    out << to_string_view(each.code) << ' ' << each.codec.view() << ' ' << each.bytes_in << " -> ";
    if (each.bytes_out)
      out << *each.bytes_out << "; ";
    else
      out << "?; ";
  }
  BOOST_TEST(seen.obstacles.empty() == !seen.why_not_in_place);
  return out.str();
}

object_spec floats() { return numbers_object<float>("float32", {1, 2, 3, 4, 5, 6}); }

}  // namespace

BOOST_AUTO_TEST_CASE(no_obstacles) { BOOST_TEST(obstacles_of(floats()) == ""); }

BOOST_AUTO_TEST_CASE(codecs_in_the_order_of_decoding) {
  object_spec packed = floats();
  packed.payload = bytes(15, 'z');
  packed.compression = "zstd";
  BOOST_TEST(obstacles_of(packed) == "compressed zstd 15 -> 24; ");
  packed.filter = "shuffle";
  BOOST_TEST(obstacles_of(packed) == "compressed zstd 15 -> 24; filtered shuffle 24 -> 24; ");
  packed.encoding = "simple_packing";
  BOOST_TEST(obstacles_of(packed) ==
             "compressed zstd 15 -> ?; filtered shuffle 15 -> ?; encoded simple_packing 15 -> 24; ");
  packed.more = {cbor::key("sp_bits_per_value", cbor::integer(12))};
  BOOST_TEST(obstacles_of(packed) ==
             "compressed zstd 15 -> 9; filtered shuffle 9 -> 9; encoded simple_packing 9 -> 24; ");
  packed.more = {cbor::key("bits_per_value", cbor::integer(16))};
  packed.compression = packed.filter = "none";
  BOOST_TEST(obstacles_of(packed) == "encoded simple_packing 15 -> 24; ");
}

BOOST_AUTO_TEST_CASE(masks_become_one_bit_per_element) {
  object_spec masked = floats();
  masked.masks = {{.kind = "nan", .method = "rle", .blob = bytes("\0\x0f", 2)}, {.kind = "inf+", .blob = "abc"}};
  BOOST_TEST(obstacles_of(masked) == "masked rle 2 -> 1; masked none 3 -> 1; ");
}

BOOST_AUTO_TEST_CASE(foreign_byte_order) {
  object_spec big = floats();
  big.byte_order = "big";
  BOOST_TEST(obstacles_of(big) == "foreign_byte_order  24 -> 24; ");
  big.compression = "lz4";
  BOOST_TEST(obstacles_of(big) == "compressed lz4 24 -> 24; foreign_byte_order  24 -> 24; ");
  big.compression = "zfp";  // a stream of numbers, not of bytes
  BOOST_TEST(obstacles_of(big) == "compressed zfp 24 -> 24; ");
  object_spec single = bytes_object("abcd");
  single.byte_order = "big";
  BOOST_TEST(obstacles_of(single) == "");
}

BOOST_AUTO_TEST_CASE(strides_and_sizes) {
  object_spec odd = floats();
  odd.strides = {{7}};
  BOOST_TEST(obstacles_of(odd) == "unsupported_strides  24 -> 24; ");
  object_spec longer = floats();
  longer.payload += bytes(4, '\0');
  BOOST_TEST(obstacles_of(longer) == "payload_size_mismatch  28 -> 24; ");
}

BOOST_AUTO_TEST_CASE(read_mode_copies_once) {
  BOOST_TEST(obstacles_of(floats(), tgmap::io_mode::read) == "not_mapped  24 -> 24; ");
}

BOOST_AUTO_TEST_CASE(misaligned_address) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", "x" + message({.objects = {floats()}}));
  const tgmap::access_report seen = explain_access(path, {.object = 0}, {.io = tgmap::io_mode::map, .offset = 1});
  BOOST_TEST_REQUIRE(seen.obstacles.size() == 1u);
  BOOST_TEST((seen.obstacles[0].code == tgmap::errc::misaligned));
  BOOST_TEST(seen.obstacles[0].bytes_out.value() == 24u);
}

BOOST_AUTO_TEST_SUITE_END()
