// SPDX-License-Identifier: Apache-2.0
// Masks by every method, read again; and held against those that the reference wrote.
#include <random>
#include <support/shared_data.hpp>
#include <tgmap/tgmap.hpp>

#include "codec/mask_library.hpp"
#include "packed_up.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(mask_write_test)

using namespace tgmap;
using codec::mask_bytes;

namespace {

constexpr std::array methods{mask_method::none, mask_method::rle,  mask_method::roaring,
                             mask_method::lz4,  mask_method::zstd, mask_method::blosc2};

/// Bits of every kind; those behind the last are zero.
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

void compare_masks(const object& of, std::map<mask_method, tally>& seen) {
  const auto descriptor = of.descriptor();
  for (const auto& each : descriptor.masks()) {
    const auto method = codec::mask_method_from_name(each.method.view()).value();
    const bytes stored(view_of(of.payload_and_masks()).substr(each.offset, each.length));
    bytes bits(mask_bytes(descriptor.element_count), '\0'), ours;
    auto why = codec::read_mask(method, span_of(stored), descriptor.element_count,
                                std::as_writable_bytes(std::span(bits)), codec::mask_libraries());
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
                               codec::mask_libraries());
        BOOST_TEST_REQUIRE(!why, why.text());
        BOOST_TEST((found == bits));
      }
}

BOOST_AUTO_TEST_CASE(a_mask_of_nothing) {
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

BOOST_AUTO_TEST_CASE(a_method_that_is_none) {
  bytes blob;
  BOOST_TEST((write(static_cast<mask_method>(6), "x", 8, blob).code == errc::unknown_codec));
}

BOOST_AUTO_TEST_CASE(as_the_reference_writes_them) {
  std::vector directories{test_data()};
  if (const auto shared = shared_data_or_skip("masks of the reference"))
    directories.push_back(*shared / "data/tgm/reference");
  std::map<mask_method, tally> seen;
  for (const auto& directory : directories)
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      const auto file = entry.path().filename().string();
      if (file.find("mask") == std::string::npos || entry.path().extension() != ".tgm") continue;
      const archive from(entry.path(), {.damage = on_damage::skip});
      for (const auto message : from)
        for (std::size_t o = 0; o < message.size(); ++o) compare_masks(message[o], seen);
    }
  for (const auto& [method, count] : seen)
    BOOST_TEST_MESSAGE("masks, method " << static_cast<int>(method) << ": " << count.same << " the same, "
                                        << count.other << " other bytes");
  // Those of no library, or of our own hand.
  for (const auto method : {mask_method::none, mask_method::rle, mask_method::roaring})
    BOOST_TEST(seen[method].other == 0u);
  BOOST_TEST(seen[mask_method::none].same > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
