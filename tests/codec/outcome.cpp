// SPDX-License-Identifier: Apache-2.0
#include "outcome.hpp"

#include <random>
#include <support/guarded.hpp>

namespace tgmap_test {

namespace {

constexpr std::size_t behind = 64;
constexpr char untouched = '\x5a';

const tgmap::codec::decompressor& codec_for(tgmap::compression which) {
  const auto* const codec = tgmap::codec::find_decompressor(which);
  BOOST_TEST_REQUIRE(codec);
  return *codec;
}

}  // namespace

outcome decompress(tgmap::compression which, std::string_view stored, std::size_t size,
                   const tgmap::codec::codec_parameters& parameters) {
  guarded_bytes held(stored.size());
  bytes out(size + 2 * behind, untouched);
  const auto to = std::as_writable_bytes(std::span(out)).subspan(behind, size);
  outcome result{codec_for(which).run({held.hold(stored), parameters}, to), {}};
  BOOST_TEST_REQUIRE((out.substr(0, behind) == bytes(behind, untouched)));
  BOOST_TEST_REQUIRE((out.substr(behind + size) == bytes(behind, untouched)));
  if (!result.why) result.data = out.substr(behind, size);
  return result;
}

void check_sound(tgmap::compression which, std::string_view stored, std::string_view expected,
                 const tgmap::codec::codec_parameters& parameters) {
  const auto exact = decompress(which, stored, expected.size(), parameters);
  BOOST_TEST(exact.why.text() == tgmap::failure{}.text());
  BOOST_TEST((exact.data == expected));
  // A stream of szip ends with a whole block, of at most 64 samples, and tells nowhere that some are only padding.
  const std::size_t padding = which == tgmap::compression::szip ? 64 : 0;
  for (const std::size_t more : {8, 64, 4096}) {
    if (more < padding) continue;
    const auto longer = decompress(which, stored, expected.size() + more, parameters);
    BOOST_TEST((longer.why.code == tgmap::errc::decoded_size_mismatch));
    BOOST_TEST(longer.why.expected == expected.size() + more);
    BOOST_TEST(longer.why.found < longer.why.expected);
  }
}

void check_hostile(tgmap::compression which, std::string_view stored, std::string_view expected,
                   const tgmap::codec::codec_parameters& parameters) {
  for (std::size_t size = 0; size < stored.size(); ++size) {
    const auto cut = decompress(which, stored.substr(0, size), expected.size(), parameters);
    if (!cut.why) BOOST_TEST_REQUIRE((cut.data == expected));
  }
  bytes damaged(stored);
  for (std::size_t at = 0; at < stored.size(); ++at) {
    for (const int value : {stored[at] ^ 1, stored[at] ^ 0x80, stored[at] ^ 0x10, 0, 0xff, 0x7f}) {
      damaged[at] = static_cast<char>(value);
      decompress(which, damaged, expected.size(), parameters);
    }
    damaged[at] = stored[at];
  }
  check_damaged(which, stored, expected.size(), parameters, 2000);
  std::mt19937 random(static_cast<unsigned>(stored.size()));
  for (int round = 0; round < 200; ++round)
    decompress(which, noise(random() % 400, random()), expected.size(), parameters);
}

void check_damaged(tgmap::compression which, std::string_view stored, std::size_t size,
                   const tgmap::codec::codec_parameters& parameters, int rounds) {
  if (stored.empty()) return;
  std::mt19937 random(static_cast<unsigned>(stored.size()));
  for (int round = 0; round < rounds; ++round) {
    bytes damaged(stored);
    for (unsigned changes = 1 + random() % 8; changes > 0; --changes)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    decompress(which, damaged, size, parameters);
  }
}

bytes noise(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  bytes out(size, '\0');
  for (char& each : out) each = static_cast<char>(random());
  return out;
}

bytes waves(std::size_t size) {
  bytes out(size, '\0');
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<char>(i % 97 < 50 ? i % 97 : 100 - i % 97);
  return out;
}

}  // namespace tgmap_test
