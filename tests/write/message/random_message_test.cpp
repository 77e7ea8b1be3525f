// SPDX-License-Identifier: Apache-2.0
// Random messages are the same after writing and reading, by every route.
#include <boost/test/unit_test.hpp>
#include <map>
#include <support/forged/random_message.hpp>
#include <support/rounds.hpp>
#include <support/temporary.hpp>

#include "write/rewritten_message.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(random_message_test)

namespace {

constexpr write_route routes[] = {write_route::buffered, write_route::streamed, write_route::as_stored};

random_message message_of(std::uint32_t seed) {
  std::mt19937 next(seed);
  std::vector<std::uint8_t> bytes(200 + next() % 4000);
  for (auto& each : bytes) each = static_cast<std::uint8_t>(next());
  choices of(bytes);
  return make_random_message(of);
}

bool has_errors(const tgmap::archive& archive) {
  tgmap::validation_visitor nobody;
  return !tgmap::validate(archive, {.mode = tgmap::validation_mode::full, .threads = 1}, nobody).is_sound();
}

/// Returns true if a message may store NaN without a mask, which the validator reports as errors.
bool has_raw_nan(const random_message& original) {
  return std::ranges::any_of(original.message.objects, [](const auto& each) {
    return !std::get<tgmap::new_object>(each).pipeline.missing.check_elements;
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_route_round_trips) {
  std::size_t written = 0, refused = 0;
  for (std::uint32_t seed = 0; seed < rounds(1500u); ++seed) {
    const random_message original = message_of(seed);
    std::optional<tgmap::failure> first;
    for (const auto route : routes) {
      BOOST_TEST_CONTEXT("seed " << seed << ", route " << static_cast<int>(route)) {
        tgmap::failure why;
        const auto bytes = write_with(route, original, why);
        if (!first) first = why;
        BOOST_TEST(why.code == first->code);
        if (why) {
          BOOST_TEST(is_refusal(why), why.code.message());
          BOOST_TEST(bytes.empty());
          ++refused;
          continue;
        }
        ++written;
        for (const auto lookup : {tgmap::object_lookup::index, tgmap::object_lookup::walk}) {
          const auto archive = tgmap::archive::from_memory(bytes, {.lookup = lookup});
          BOOST_TEST(difference(original, archive) == "");
          if (!has_raw_nan(original)) BOOST_TEST(!has_errors(archive));
        }
      }
    }
  }
  BOOST_TEST_MESSAGE(written << " messages written, " << refused << " refused");
  BOOST_TEST(written > refused);
}

BOOST_AUTO_TEST_CASE(files_read_like_memory) {
  const temporary_directory here;
  for (std::uint32_t seed = 5000; seed < 5060; ++seed) {
    const random_message original = message_of(seed);
    for (const auto route : routes) {
      tgmap::failure why;
      const auto bytes = write_with(route, original, why);
      if (why) continue;
      const auto path = here.file("a.tgm", std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
      for (const auto io : {tgmap::io_mode::map, tgmap::io_mode::read})
        BOOST_TEST(difference(original, tgmap::archive(path, {.io = io})) == "", "seed " << seed);
    }
  }
}

BOOST_AUTO_TEST_CASE(invalid_pipelines_are_not_written) {
  std::size_t invalid = 0;
  for (std::uint32_t seed = 9000; seed < 9500; ++seed) {
    const random_message original = message_of(seed);
    const bool refused = std::ranges::any_of(original.objects, &random_object::has_invalid_pipeline);
    tgmap::failure why;
    (void)write_with(write_route::buffered, original, why);
    if (!refused) continue;
    ++invalid;
    BOOST_TEST(static_cast<bool>(why), "seed " << seed);
  }
  BOOST_TEST(invalid > 20U);
}

BOOST_AUTO_TEST_CASE(appended_messages_round_trip) {
  const temporary_directory here;
  tgmap::appender out(here / "a.tgm");
  std::vector<random_message> all;
  for (std::uint32_t seed = 20000; seed < 20300; ++seed) {
    random_message original = message_of(seed);
    original.options.version = 3;
    tgmap::failure why;
    const auto bytes = out.size_bytes();
    out.write(original.message, why);
    BOOST_TEST((!why || is_refusal(why)), why.code.message());
    if (why) BOOST_TEST(out.size_bytes() == bytes);
    if (!why) all.push_back(std::move(original));
  }
  const tgmap::archive archive(here / "a.tgm");
  BOOST_TEST_REQUIRE(archive.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].options.hashes = true;  // the appender writes its own layout
    const auto part = archive[i].bytes();
    BOOST_TEST(difference(all[i], tgmap::archive::from_memory(part)) == "");
  }
}

BOOST_AUTO_TEST_SUITE_END()
