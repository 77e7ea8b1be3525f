// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <codec_kernels/noise.hpp>
#include <cstring>
#include <support/failures.hpp>

#include "codec/mask_blob.hpp"

using namespace tgmap::codec;
using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(mask_blob_test)

namespace {

/// The bits as text; or what the failure says: "expected 9, found 8".
std::string read(mask_method method, std::string_view blob, std::uint64_t elements) {
  bytes bits(mask_bytes(elements) + 1, '#');
  const auto why = read_mask(method, span_of(blob), elements, writable(bits).first(mask_bytes(elements)));
  if (bits.back() != '#') return "written behind the end";
  if (why.code == tgmap::make_error_code(errc::bad_mask))
    return "expected " + std::to_string(why.expected) + ", found " + std::to_string(why.found);
  if (why) return why.text();
  std::string out;
  for (std::uint64_t i = 0; i < mask_bytes(elements) * 8; ++i) {
    const bool set = static_cast<unsigned char>(bits[i / 8]) >> (7 - i % 8) & 1;
    if (i < elements) out += set ? '1' : '0';
    if (i >= elements && set) return "a bit behind the last";
  }
  return out;
}

std::string none(std::string_view blob, std::uint64_t elements) { return read(mask_method::none, blob, elements); }
std::string rle(std::string_view blob, std::uint64_t elements) { return read(mask_method::rle, blob, elements); }

bytes as_runs(const std::string& bits) {
  bytes out(1, bits[0] == '1' ? '\1' : '\0');
  for (std::size_t at = 0; at < bits.size();) {
    std::size_t length = std::min(bits.find(bits[at] == '1' ? '0' : '1', at), bits.size()) - at;
    at += length;
    for (; length > 0x7f; length >>= 7) out += static_cast<char>((length & 0x7f) | 0x80);
    out += static_cast<char>(length);
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(names_of_the_file) {
  BOOST_TEST((mask_method_from_name("none") == mask_method::none));
  BOOST_TEST((mask_method_from_name("rle") == mask_method::rle));
  BOOST_TEST((mask_method_from_name("roaring") == mask_method::roaring));
  BOOST_TEST((mask_method_from_name("lz4") == mask_method::lz4));
  BOOST_TEST((mask_method_from_name("zstd") == mask_method::zstd));
  BOOST_TEST((mask_method_from_name("blosc2") == mask_method::blosc2));
  for (const char* other : {"", "None", "rl", "rle ", "gzip"}) BOOST_TEST(!mask_method_from_name(other));
  static_assert(mask_bytes(0) == 0 && mask_bytes(8) == 1 && mask_bytes(9) == 2);
  static_assert(mask_bytes(UINT64_MAX) == UINT64_MAX / 8 + 1);
}

BOOST_AUTO_TEST_CASE(packed_bits) {
  BOOST_TEST(none("", 0) == "");
  BOOST_TEST(none("\xa5", 8) == "10100101");
  BOOST_TEST(none("\xff\x80", 9) == "111111111");
  BOOST_TEST(none("\xa5\xff", 10) == "1010010111");  // trailing bits are ignored
  BOOST_TEST(none("\xff", 9) == "expected 9, found 8");
  BOOST_TEST(none("\xff\xff", 8) == "expected 8, found 16");
  BOOST_TEST(none("\xff", 0) == "expected 0, found 8");
  BOOST_TEST(none("", 1) == "expected 1, found 0");
}

BOOST_AUTO_TEST_CASE(runs_written_out) {
  using namespace std::string_view_literals;
  BOOST_TEST(rle("", 0) == "");
  BOOST_TEST(rle("\0\x03\x02\x05"sv, 10) == "0001100000");
  BOOST_TEST(rle("\x01\x03\x02\x05"sv, 10) == "1110011111");
  BOOST_TEST(rle("\x01\xac\x02"sv, 300) == std::string(300, '1'));
  BOOST_TEST(rle("\0\xac\x02"sv, 300) == std::string(300, '0'));
  BOOST_TEST(rle("\x01\x81\0"sv, 1) == "1");  // longer than it need be, as the reference reads it
}

BOOST_AUTO_TEST_CASE(runs_that_cannot_be) {
  using namespace std::string_view_literals;
  BOOST_TEST(rle("", 5) == "expected 5, found 0");                // nothing
  BOOST_TEST(rle("\0"sv, 5) == "expected 5, found 0");            // no run
  BOOST_TEST(rle("\0"sv, 0) == "expected 0, found 0");            // something of nothing
  BOOST_TEST(rle("\x02\x05"sv, 5) == "expected 5, found 0");      // neither value
  BOOST_TEST(rle("\0\x03"sv, 5) == "expected 5, found 3");        // too few
  BOOST_TEST(rle("\0\x03\x03"sv, 5) == "expected 5, found 6");    // too many
  BOOST_TEST(rle("\0\x05\x01"sv, 5) == "expected 5, found 6");    // one run more
  BOOST_TEST(rle("\0\x03\0\x02"sv, 5) == "expected 5, found 3");  // an empty run
  BOOST_TEST(rle("\0\x05\0"sv, 5) == "expected 5, found 5");      // an empty run behind them all
  BOOST_TEST(rle("\0\x03\x82"sv, 5) == "expected 5, found 3");    // a number cut short
  const std::string_view all("\0\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12);
  BOOST_TEST(rle(all, 5) == "expected 5, found 18446744073709551615");
  const std::string_view beyond("\0\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 12);
  BOOST_TEST(rle(beyond, 5) == "expected 5, found 1");  // no 64-bit number
  const std::string_view endless("\0\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 12);
  BOOST_TEST(rle(endless, 5) == "expected 5, found 0");
}

BOOST_AUTO_TEST_CASE(runs_of_any_length_come_back) {
  std::mt19937 next(1);
  for (std::size_t elements = 1; elements < 400; ++elements) {
    std::string bits;
    while (bits.size() < elements) bits.append(1 + next() % (1u << next() % 9), bits.size() % 2 ? '1' : '0');
    bits.resize(elements);
    BOOST_TEST(rle(as_runs(bits), elements) == bits);
    BOOST_TEST(rle(as_runs(bits), elements + 1) ==
               "expected " + std::to_string(elements + 1) + ", found " + std::to_string(elements));
  }
}

namespace {

struct asked {
  unsigned times = 0;
  mask_method method{};
  bytes blob;
  std::uint64_t elements = 0;
  tgmap::failure answer;
};

tgmap::failure all_ones(void* context, mask_method method, std::span<const std::byte> blob, std::uint64_t elements,
                        std::span<std::byte> bits) noexcept {
  auto& note = *static_cast<asked*>(context);
  ++note.times;
  note.method = method;
  note.blob = view_of(blob);
  note.elements = elements;
  std::fill(bits.begin(), bits.end(), std::byte{0xff});
  return note.answer;
}

}  // namespace

BOOST_AUTO_TEST_CASE(other_methods_go_to_the_library) {
  for (const auto method : {mask_method::roaring, mask_method::lz4, mask_method::zstd, mask_method::blosc2}) {
    asked note;
    bytes bits(2, '\0');
    TGMAP_SUCCEEDED(read_mask(method, span_of("stored"), 11, writable(bits), {all_ones, &note}));
    BOOST_TEST(note.times == 1u);
    BOOST_TEST((note.method == method));
    BOOST_TEST(note.blob == "stored");
    BOOST_TEST(note.elements == 11u);
    BOOST_TEST(bits == "\xff\xe0");  // bits behind the last element are none

    note.answer = {.code = errc::codec_failed, .found = 7};
    TGMAP_FAILED(read_mask(method, span_of("stored"), 11, writable(bits), {all_ones, &note}), errc::codec_failed);
    TGMAP_FAILED(read_mask(method, span_of("stored"), 11, writable(bits)), errc::codec_absent);
  }
}

BOOST_AUTO_TEST_CASE(blosc2_of_nothing_is_nothing) {
  asked note;
  TGMAP_SUCCEEDED(read_mask(mask_method::blosc2, {}, 0, {}, {all_ones, &note}));
  BOOST_TEST(note.times == 0u);
  TGMAP_SUCCEEDED(read_mask(mask_method::zstd, {}, 0, {}, {all_ones, &note}));
  BOOST_TEST(note.times == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
