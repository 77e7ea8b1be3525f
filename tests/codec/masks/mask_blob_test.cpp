// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <codec/noise.hpp>
#include <cstring>
#include <random>
#include <support/failures.hpp>
#include <support/shared_data.hpp>
#include <tgmap/tgmap.hpp>

#include <codec/round_trip.hpp>
#include "codec/masks/mask_blob.hpp"

using namespace tgmap::codec;
using namespace tgmap_test;
using tgmap::errc;
using tgmap::from_string;

BOOST_AUTO_TEST_SUITE(mask_blob_test)

namespace {

/// Returns the bits as text, or the numbers of the failure: "expected 9, found 8".
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
  BOOST_TEST((from_string<mask_method>("none") == mask_method::none));
  BOOST_TEST((from_string<mask_method>("rle") == mask_method::rle));
  BOOST_TEST((from_string<mask_method>("roaring") == mask_method::roaring));
  BOOST_TEST((from_string<mask_method>("lz4") == mask_method::lz4));
  BOOST_TEST((from_string<mask_method>("zstd") == mask_method::zstd));
  BOOST_TEST((from_string<mask_method>("blosc2") == mask_method::blosc2));
  for (const char* other : {"", "None", "rl", "rle ", "gzip"}) BOOST_TEST(!from_string<mask_method>(other));
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
  BOOST_TEST(rle("\x01\x81\0"sv, 1) == "1");  // longer than necessary; the reference reads it, too
}

BOOST_AUTO_TEST_CASE(invalid_runs) {
  using namespace std::string_view_literals;
  BOOST_TEST(rle("", 5) == "expected 5, found 0");                // nothing
  BOOST_TEST(rle("\0"sv, 5) == "expected 5, found 0");            // no run
  BOOST_TEST(rle("\0"sv, 0) == "expected 0, found 0");            // a byte for no bits
  BOOST_TEST(rle("\x02\x05"sv, 5) == "expected 5, found 0");      // neither value
  BOOST_TEST(rle("\0\x03"sv, 5) == "expected 5, found 3");        // too few
  BOOST_TEST(rle("\0\x03\x03"sv, 5) == "expected 5, found 6");    // too many
  BOOST_TEST(rle("\0\x05\x01"sv, 5) == "expected 5, found 6");    // one run more
  BOOST_TEST(rle("\0\x03\0\x02"sv, 5) == "expected 5, found 3");  // an empty run
  BOOST_TEST(rle("\0\x05\0"sv, 5) == "expected 5, found 5");      // an empty run at the end
  BOOST_TEST(rle("\0\x03\x82"sv, 5) == "expected 5, found 3");    // a truncated number
  const std::string_view all("\0\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12);
  BOOST_TEST(rle(all, 5) == "expected 5, found 18446744073709551615");
  const std::string_view beyond("\0\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 12);
  BOOST_TEST(rle(beyond, 5) == "expected 5, found 1");  // more than 64 bits
  const std::string_view endless("\0\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 12);
  BOOST_TEST(rle(endless, 5) == "expected 5, found 0");
}

BOOST_AUTO_TEST_CASE(runs_of_any_length_round_trip) {
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

struct recorded_call {
  unsigned times = 0;
  mask_method method{};
  bytes blob;
  std::uint64_t elements = 0;
  tgmap::failure result;
};

tgmap::failure all_ones(void* context, mask_method method, std::span<const std::byte> blob, std::uint64_t elements,
                        std::span<std::byte> bits) noexcept {
  auto& call = *static_cast<recorded_call*>(context);
  ++call.times;
  call.method = method;
  call.blob = view_of(blob);
  call.elements = elements;
  std::fill(bits.begin(), bits.end(), std::byte{0xff});
  return call.result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(other_methods_go_to_the_library) {
  for (const auto method : {mask_method::roaring, mask_method::lz4, mask_method::zstd, mask_method::blosc2}) {
    recorded_call call;
    bytes bits(2, '\0');
    TGMAP_SUCCEEDED(read_mask(method, span_of("stored"), 11, writable(bits), {all_ones, &call}));
    BOOST_TEST(call.times == 1u);
    BOOST_TEST((call.method == method));
    BOOST_TEST(call.blob == "stored");
    BOOST_TEST(call.elements == 11u);
    BOOST_TEST(bits == "\xff\xe0");  // bits after the last element are zero

    call.result = {.code = errc::codec_failed, .found = 7};
    TGMAP_FAILED(read_mask(method, span_of("stored"), 11, writable(bits), {all_ones, &call}), errc::codec_failed);
    TGMAP_FAILED(read_mask(method, span_of("stored"), 11, writable(bits)), errc::codec_absent);
  }
}

BOOST_AUTO_TEST_CASE(blosc2_of_empty_input) {
  recorded_call call;
  TGMAP_SUCCEEDED(read_mask(mask_method::blosc2, {}, 0, {}, {all_ones, &call}));
  BOOST_TEST(call.times == 0u);
  TGMAP_SUCCEEDED(read_mask(mask_method::zstd, {}, 0, {}, {all_ones, &call}));
  BOOST_TEST(call.times == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(mask_write_test)

using namespace tgmap;
using codec::mask_bytes;

namespace {

constexpr std::array methods{mask_method::none, mask_method::rle,  mask_method::roaring,
                             mask_method::lz4,  mask_method::zstd, mask_method::blosc2};

/// Returns bits of every kind. Bits after the last one are zero.
std::vector<bytes> masks_of(std::uint64_t elements) {
  const auto size = static_cast<std::size_t>(mask_bytes(elements));
  std::vector<bytes> out{bytes(size, '\0'), bytes(size, '\xff'), noise(size), waves(size)};
  bytes runs(size, '\0'), sparse(size, '\0');
  for (std::size_t i = 0; i < size; ++i) {
    if (i / 9 % 2 == 0) runs[i] = '\xff';
    if (i % 13 == 0) sparse[i] = '\x10';
  }
  out.insert(out.end(), {runs, sparse});
  if (elements % 8 != 0)
    for (bytes& each : out) each.back() = static_cast<char>(each.back() & 0xff << (8 - elements % 8));
  return out;
}

failure write(mask_method method, std::string_view bits, std::uint64_t elements, bytes& blob) {
  core::scratch memory;
  std::span<const std::byte> out;
  const auto why = codec::write_mask(method, span_of(bits), elements, memory, out);
  blob = view_of(out);
  return why;
}

struct tally {
  std::size_t same = 0, other = 0;
};

void compare_masks(const object& object, std::map<mask_method, tally>& seen) {
  const auto descriptor = object.descriptor();
  for (const auto& each : descriptor.masks()) {
    const auto method = from_string<mask_method>(each.method.view()).value();
    const bytes stored(view_of(object.payload_and_masks()).substr(each.offset, each.length));
    bytes bits(mask_bytes(descriptor.element_count), '\0'), ours;
    auto why = codec::read_mask(method, span_of(stored), descriptor.element_count,
                                std::as_writable_bytes(std::span(bits)), codec::built_mask_codecs());
    if (why.code == errc::codec_absent) continue;
    BOOST_TEST_REQUIRE(!why, why.text());
    why = write(method, bits, descriptor.element_count, ours);
    BOOST_TEST_REQUIRE(!why, why.text());
    ++(ours == stored ? seen[method].same : seen[method].other);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_method_reads_back) {
  for (const auto method : methods)
    for (const std::uint64_t elements : {0u, 1u, 7u, 8u, 9u, 63u, 64u, 65u, 1000u, 65535u, 65536u, 65537u, 700001u})
      for (const auto& bits : masks_of(elements)) {
        bytes blob, found(bits.size(), 'x');
        auto why = write(method, bits, elements, blob);
        if (why.code == errc::codec_absent) continue;
        BOOST_TEST_REQUIRE(!why, why.text());
        why = codec::read_mask(method, span_of(blob), elements, std::as_writable_bytes(std::span(found)),
                               codec::built_mask_codecs());
        BOOST_TEST_REQUIRE(!why, why.text());
        BOOST_TEST((found == bits));
      }
}

BOOST_AUTO_TEST_CASE(empty_mask) {
  for (const auto& [method, size] : {std::pair{mask_method::none, 0u},
                                     {mask_method::rle, 0u},
                                     {mask_method::roaring, 8u},
                                     {mask_method::blosc2, 0u}}) {
    bytes blob;
    const auto why = write(method, "", 0, blob);
    if (why.code == errc::codec_absent) continue;
    BOOST_TEST(!why);
    BOOST_TEST(blob.size() == size);
  }
}

BOOST_AUTO_TEST_CASE(known_blobs) {
  bytes blob;
  BOOST_TEST(!write(mask_method::rle, "\xf0", 8, blob));
  BOOST_TEST((blob == bytes("\1\4\4", 3)));
  BOOST_TEST(!write(mask_method::rle, bytes(125, '\0'), 1000, blob));
  BOOST_TEST((blob == bytes("\0\xe8\x07", 3)));
  BOOST_TEST(!write(mask_method::none, "\xa5\x80", 9, blob));
  BOOST_TEST((blob == "\xa5\x80"));
}

BOOST_AUTO_TEST_CASE(more_elements_than_roaring_counts) {
  core::scratch memory;
  std::span<const std::byte> out;
  const std::byte one{};
  const std::uint64_t elements = (std::uint64_t{1} << 32) + 8;
  const auto why = codec::write_mask(mask_method::roaring, {&one, std::size_t{1} << 29 | 1}, elements, memory, out);
  if (why.code == errc::codec_absent) return;
  BOOST_TEST((why.code == errc::too_large));
  BOOST_TEST(why.found == (std::uint64_t{1} << 29) + 1);
}

BOOST_AUTO_TEST_CASE(unknown_method) {
  bytes blob;
  BOOST_TEST((write(static_cast<mask_method>(6), "x", 8, blob).code == errc::unknown_codec));
}

BOOST_AUTO_TEST_CASE(masks_of_the_reference) {
  std::vector directories{test_data()};
  if (const auto shared = shared_data_or_skip("masks of the reference"))
    directories.push_back(*shared / "data/tgm/reference");
  std::map<mask_method, tally> seen;
  for (const auto& directory : directories)
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      const auto file = entry.path().filename().string();
      if (file.find("mask") == std::string::npos || entry.path().extension() != ".tgm") continue;
      const archive archive(entry.path(), {.damage = on_damage::skip});
      for (const auto message : archive)
        for (std::size_t o = 0; o < message.size(); ++o) compare_masks(message[o], seen);
    }
  for (const auto& [method, count] : seen)
    BOOST_TEST_MESSAGE("masks, method " << static_cast<int>(method) << ": " << count.same << " the same, "
                                        << count.other << " other bytes");
  // Methods without a library.
  for (const auto method : {mask_method::none, mask_method::rle, mask_method::roaring})
    BOOST_TEST(seen[method].other == 0u);
  BOOST_TEST(seen[mask_method::none].same > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
