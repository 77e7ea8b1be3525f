// SPDX-License-Identifier: Apache-2.0
// Any message: written in every way, read in every way, it is the same.
#include <boost/test/unit_test.hpp>
#include <map>
#include <support/rounds.hpp>
#include <support/temporary.hpp>

#include "remake.hpp"
#include "write/generated.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(random_test)

namespace {

constexpr write_route routes[] = {write_route::buffered, write_route::streamed, write_route::as_stored};

made_message message_of(std::uint32_t seed) {
  std::mt19937 next(seed);
  std::vector<std::uint8_t> bytes(200 + next() % 4000);
  for (auto& each : bytes) each = static_cast<std::uint8_t>(next());
  choices of(bytes);
  return make_message(of);
}

bool has_errors(const tgmap::archive& of) {
  tgmap::validation_visitor nobody;
  return !tgmap::validate(of, {.mode = tgmap::validation_mode::full, .threads = 1}, nobody).is_sound();
}

/// NaN that are stored as they are, the validator calls errors.
bool has_raw_nan(const made_message& made) {
  return std::ranges::any_of(made.message.objects, [](const auto& each) {
    return !std::get<tgmap::new_object>(each).pipeline.missing.check_elements;
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_written_comes_back_by_every_route) {
  std::size_t written = 0, refused = 0;
  for (std::uint32_t seed = 0; seed < rounds(1500u); ++seed) {
    const made_message made = message_of(seed);
    std::optional<tgmap::failure> first;
    for (const auto route : routes) {
      BOOST_TEST_CONTEXT("seed " << seed << ", route " << static_cast<int>(route)) {
        tgmap::failure why;
        const auto bytes = write_by(route, made, why);
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
          BOOST_TEST(difference(made, archive) == "");
          if (!has_raw_nan(made)) BOOST_TEST(!has_errors(archive));
        }
      }
    }
  }
  BOOST_TEST_MESSAGE(written << " messages written, " << refused << " refused");
  BOOST_TEST(written > refused);
}

BOOST_AUTO_TEST_CASE(of_files_as_of_memory) {
  const temporary_directory here;
  for (std::uint32_t seed = 5000; seed < 5060; ++seed) {
    const made_message made = message_of(seed);
    for (const auto route : routes) {
      tgmap::failure why;
      const auto bytes = write_by(route, made, why);
      if (why) continue;
      const auto path = here.file("a.tgm", std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
      for (const auto io : {tgmap::io_mode::map, tgmap::io_mode::read})
        BOOST_TEST(difference(made, tgmap::archive(path, {.io = io})) == "", "seed " << seed);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_check_refuses_is_not_written) {
  std::size_t early = 0;
  for (std::uint32_t seed = 9000; seed < 9500; ++seed) {
    const made_message made = message_of(seed);
    const bool refused = std::ranges::any_of(made.objects, &made_object::refused_early);
    tgmap::failure why;
    (void)write_by(write_route::buffered, made, why);
    if (!refused) continue;
    ++early;
    BOOST_TEST(static_cast<bool>(why), "seed " << seed);
  }
  BOOST_TEST(early > 20U);
}

BOOST_AUTO_TEST_CASE(an_archive_that_is_added_to_holds_them_all) {
  const temporary_directory here;
  tgmap::appender out(here / "a.tgm");
  std::vector<made_message> all;
  for (std::uint32_t seed = 20000; seed < 20300; ++seed) {
    made_message made = message_of(seed);
    made.options.version = 3;
    tgmap::failure why;
    const auto bytes = out.size_bytes();
    out.write(made.message, why);
    BOOST_TEST((!why || is_refusal(why)), why.code.message());
    if (why) BOOST_TEST(out.size_bytes() == bytes);
    if (!why) all.push_back(std::move(made));
  }
  const tgmap::archive archive(here / "a.tgm");
  BOOST_TEST_REQUIRE(archive.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].options.hashes = true;  // the appender's own layout
    const auto part = archive[i].bytes();
    BOOST_TEST(difference(all[i], tgmap::archive::from_memory(part)) == "");
  }
}

BOOST_AUTO_TEST_SUITE_END()
