// SPDX-License-Identifier: Apache-2.0
#include "codec/blosc2/blosc2_frame.hpp"

#include <codec/round_trip.hpp>

using namespace tgmap_test;
using namespace tgmap::codec;

BOOST_AUTO_TEST_SUITE(blosc2_frame_test)

namespace {

constexpr std::size_t frame_header = 97, first_chunk = frame_header, offsets_chunk = frame_header + 36;

bytes little(std::uint64_t n, unsigned width) {
  const bytes out = big_endian(n, width);
  return {out.rbegin(), out.rend()};
}

/// Returns a chunk of uncompressed bytes.
bytes copied_chunk(const bytes& data) {
  const auto size = static_cast<unsigned>(data.size());
  return bytes("\x05\x01\x07\x04", 4) + little(size, 4) + little(size, 4) + little(size + 32, 4) + bytes(16, '\0') +
         data;
}

/// Returns a frame of four bytes as c-blosc2 writes it.
bytes frame() {
  bytes out = bytes(
                  "\x9e\xa8"
                  "b2frame\0\xd2",
                  11) +
              big_endian(frame_header, 4) + "\xcf" + big_endian(208, 8) + bytes("\xa4\x12\x00\x35\x03\xd3", 6) +
              big_endian(4, 8) + "\xd3" + big_endian(36, 8) + "\xd2" + big_endian(4, 4) + "\xd2" + big_endian(4, 4) +
              "\xd2" + big_endian(4, 4);
  out.resize(frame_header, '\0');
  out += copied_chunk("abcd") + copied_chunk(bytes(8, '\0'));
  out.resize(208, '\0');  // the trailer is not read
  return out;
}

tgmap::failure why_not(const bytes& data, std::uint64_t size = 4) {
  blosc2_frame out;
  if (const auto why = read_blosc2_frame(span_of(data), data.size(), size, out)) return why;
  const auto trailer = span_of(data).subspan(out.chunks_offset + out.chunks_size);
  const bool sound = out.chunk_count == 0 || !blosc2_chunk(trailer, 8 * out.chunk_count).empty();
  return sound ? tgmap::failure{} : tgmap::failure{.code = tgmap::errc::codec_failed};
}

bool is_chunk(bytes data, std::uint64_t size = 4) { return !blosc2_chunk(span_of(data), size).empty(); }

/// Returns a chunk of four bytes with one byte changed.
bytes changed(std::size_t at, int value) {
  bytes out = copied_chunk("abcd");
  out[at] = static_cast<char>(value);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(parts_of_a_frame) {
  const bytes data = frame();
  blosc2_frame out;
  BOOST_TEST(!read_blosc2_frame(span_of(data), data.size(), 4, out));
  BOOST_TEST(out.chunk_size == 4);
  BOOST_TEST(out.chunk_count == 1);
  BOOST_TEST(out.item_size == 4);
  BOOST_TEST(out.chunks_offset == first_chunk);
  BOOST_TEST(out.chunks_size == 36u);
  BOOST_TEST(out.chunks_offset + out.chunks_size == offsets_chunk);
}

BOOST_AUTO_TEST_CASE(frame_states_its_size) {
  const auto why = why_not(frame(), 8);
  BOOST_TEST((why.code == tgmap::errc::decoded_size_mismatch));
  BOOST_TEST(why.expected == 8);
  BOOST_TEST(why.found == 4);
}

BOOST_AUTO_TEST_CASE(every_field_of_the_header_is_checked) {
  const auto refuses = [](std::size_t at, std::uint64_t value, unsigned width) {
    bytes data = frame();
    put(data, at, value, width);
    BOOST_TEST((why_not(data).code == tgmap::errc::codec_failed), "byte " << at << " as " << value);
  };
  refuses(2, 'B', 1);
  for (const std::uint64_t length : {0u, 86u, 98u, 209u, UINT32_MAX}) refuses(11, length, 4);
  for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{207}, UINT64_MAX}) refuses(16, length, 8);
  for (const unsigned version : {0x10u, 0x14u, 0x1fu}) refuses(25, version, 1);
  refuses(26, 1, 1);  // a directory
  for (const std::uint64_t length : {std::uint64_t{35}, std::uint64_t{112}, UINT64_MAX}) refuses(39, length, 8);
  for (const std::uint64_t size : {0u, 0x80000000u}) refuses(48, size, 4);
  for (const std::uint64_t size : {0u, 1u, 3u, 0x80000000u}) refuses(58, size, 4);
  for (std::size_t size = 0; size < 208; ++size) BOOST_TEST(static_cast<bool>(why_not(frame().substr(0, size))));
}

BOOST_AUTO_TEST_CASE(small_chunks_are_limited) {
  bytes data = frame();
  put_u64(data, 30, std::uint64_t{1} << 40);
  BOOST_TEST((why_not(data, std::uint64_t{1} << 40).code == tgmap::errc::codec_failed));
}

BOOST_AUTO_TEST_CASE(chunks) {
  BOOST_TEST(is_chunk(copied_chunk("abcd")));
  BOOST_TEST(is_chunk(copied_chunk("abcd") + "behind"));
  BOOST_TEST(!is_chunk(copied_chunk("abcd"), 5));
  BOOST_TEST(!is_chunk(copied_chunk("abcd").substr(0, 35)));
  BOOST_TEST(!is_chunk(""));
}

BOOST_AUTO_TEST_CASE(every_field_of_a_chunk_is_checked) {
  for (const int version : {0, 3, 6}) BOOST_TEST(!is_chunk(changed(0, version)));
  for (const int flags : {0x03, 0x06, 0x47, 0xa7, 0xc7, 0xe7}) BOOST_TEST(!is_chunk(changed(2, flags)));
  BOOST_TEST(!is_chunk(changed(3, 0)));
  for (const int size : {0, 3, 5}) BOOST_TEST(!is_chunk(changed(4, size)));
  for (const int block : {0, 5}) BOOST_TEST(!is_chunk(changed(8, block)));
  for (const int size : {0, 31, 35, 37}) BOOST_TEST(!is_chunk(changed(12, size)));
  for (std::size_t filter = 16; filter < 22; ++filter)
    for (const int code : {3, 4, 5, 32, 160, 255}) BOOST_TEST(!is_chunk(changed(filter, code)));
  BOOST_TEST(!is_chunk(changed(30, 1)));
  for (const int flags : {1, 2, 8, 0x80, 0x40, 0x50, 0x70}) BOOST_TEST(!is_chunk(changed(31, flags)));
  for (const int special : {0x10, 0x20, 0x30}) BOOST_TEST(is_chunk(changed(31, special)));
}

BOOST_AUTO_TEST_CASE(block_offsets_are_within_the_chunk) {
  const auto one_block = [](std::uint64_t start) {
    bytes out = copied_chunk(little(start, 4) + "abcd");
    out[2] = 0x05;
    return is_chunk(out, 8);
  };
  BOOST_TEST(one_block(36));
  BOOST_TEST(one_block(39));
  for (const std::uint64_t start : {0u, 35u, 40u, UINT32_MAX}) BOOST_TEST(!one_block(start));
  bytes many = copied_chunk(little(36, 4) + "abcd");
  many[2] = 0x05;
  many[8] = 1;  // there is no space for the offsets of eight blocks
  BOOST_TEST(!is_chunk(many, 8));
}

BOOST_AUTO_TEST_CASE(invalid_offsets) {
  const auto of = [](unsigned top) { return special_chunk_value(static_cast<std::int64_t>(std::uint64_t{top} << 56)); };
  BOOST_TEST((special_chunk_value(0) == blosc2_special::none));
  BOOST_TEST((special_chunk_value(INT64_MAX) == blosc2_special::none));
  BOOST_TEST((of(0x81) == blosc2_special::zeros));
  BOOST_TEST((of(0x82) == blosc2_special::nans));
  for (const unsigned top : {0x80u, 0x83u, 0x84u, 0xffu}) BOOST_TEST((of(top) == blosc2_special::unknown));
}

BOOST_AUTO_TEST_SUITE_END()
