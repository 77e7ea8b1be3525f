// SPDX-License-Identifier: Apache-2.0
#include "outcome.hpp"

#include <cstring>
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

/// What comes of bytes that may change must be what comes of those that do not.
void check_steps(const tgmap::codec::decompressor& codec, std::span<const std::byte> stored, const outcome& whole,
                 std::size_t size, const tgmap::codec::codec_parameters& parameters) {
  if (codec.run_in_steps == nullptr) return;
  tgmap::codec::part_buffers tools;
  bytes out(size + 2 * behind, untouched);
  const auto to = std::as_writable_bytes(std::span(out)).subspan(behind, size);
  const auto why = codec.run_in_steps(tgmap::codec::bytes_in_memory(stored), parameters, tools, to);
  BOOST_TEST_REQUIRE((why.code == whole.why.code));
  BOOST_TEST_REQUIRE((out.substr(0, behind) == bytes(behind, untouched)));
  BOOST_TEST_REQUIRE((out.substr(behind + size) == bytes(behind, untouched)));
  if (!why) BOOST_TEST_REQUIRE((out.substr(behind, size) == whole.data));
}

/// Bytes that are others each time they are read.
class changing_bytes final : public tgmap::codec::stored_bytes {
 public:
  explicit changing_bytes(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t size() const noexcept override { return bytes_.size(); }
  tgmap::failure read(std::uint64_t at, std::span<std::byte> out) const noexcept override {
    BOOST_REQUIRE(at <= bytes_.size() && out.size() <= bytes_.size() - at);
    if (!out.empty()) std::memcpy(out.data(), bytes_.data() + at, out.size());
    for (std::size_t i = random_() % 4096; i < out.size(); i += random_() % 65536)
      out[i] = static_cast<std::byte>(random_());
    return {};
  }

 private:
  std::string_view bytes_;
  mutable std::mt19937 random_{1};
};

}  // namespace

outcome decompress(tgmap::compression which, std::string_view stored, std::size_t size,
                   const tgmap::codec::codec_parameters& parameters) {
  guarded_bytes held(stored.size());
  bytes out(size + 2 * behind, untouched);
  const auto to = std::as_writable_bytes(std::span(out)).subspan(behind, size);
  const auto from = held.hold(stored);
  outcome result{codec_for(which).run({from, parameters}, to), {}};
  BOOST_TEST_REQUIRE((out.substr(0, behind) == bytes(behind, untouched)));
  BOOST_TEST_REQUIRE((out.substr(behind + size) == bytes(behind, untouched)));
  if (!result.why) result.data = out.substr(behind, size);
  check_steps(codec_for(which), from, result, size, parameters);
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

void check_changing(tgmap::compression which, std::string_view stored, std::size_t size,
                    const tgmap::codec::codec_parameters& parameters) {
  bytes out(size + 2 * behind, untouched);
  const auto to = std::as_writable_bytes(std::span(out)).subspan(behind, size);
  tgmap::codec::part_buffers tools;
  const changing_bytes from(stored);
  for (int round = 0; round < 50; ++round)
    static_cast<void>(codec_for(which).run_in_steps(from, parameters, tools, to));
  BOOST_TEST((out.substr(0, behind) == bytes(behind, untouched)));
  BOOST_TEST((out.substr(behind + size) == bytes(behind, untouched)));
}

}  // namespace tgmap_test
