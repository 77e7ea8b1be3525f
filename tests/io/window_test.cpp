// SPDX-License-Identifier: Apache-2.0
// Short looks at structure: the right bytes, and as few reads as possible.
#include "io/window.hpp"

#include "patterned.hpp"

using namespace tgmap_test;
using tgmap::failure;
using tgmap::io::window;

BOOST_AUTO_TEST_CASE(it_shows_the_bytes_of_the_source) {
  const bytes data = patterned(5000);
  in_every_source(data, [&](const tgmap::io::source& in) {
    window look(in);
    BOOST_TEST(&look.in() == &in);
    std::mt19937 random(1);
    for (unsigned round = 0; round < 3000; ++round) {
      const std::size_t at = random() % (data.size() + 1);
      const std::size_t most = std::min<std::size_t>(window::largest, data.size() - at);
      const std::size_t size = random() % (most + 1), ahead = random() % 3 ? 0 : random() % 1000;
      failure why;
      const auto seen = look.at(at, size, why, ahead);
      TGMAP_SUCCEEDED(why);
      BOOST_REQUIRE((view_of(seen) == std::string_view(data).substr(at, size)));
    }
  });
}

BOOST_AUTO_TEST_CASE(mapped_bytes_are_not_copied) {
  const bytes data = patterned(1000);
  const auto in = source_of(data);
  window look(*in);
  failure why;
  BOOST_TEST(look.at(123, 100, why).data() == in->mapped() + 123);
}

BOOST_AUTO_TEST_CASE(what_was_read_is_kept_and_read_ahead_serves_what_follows) {
  const temporary_directory temporary;
  const bytes data = patterned(2000);
  const auto path = temporary.file("f", data);
  const auto in = source_of(path, {.io = tgmap::io_mode::read});
  window look(*in);
  failure why;
  look.at(100, 8, why, 300);
  TGMAP_SUCCEEDED(why);
  std::filesystem::resize_file(path, 0);  // from here on every read fails
  for (const auto& [at, size] :
       {std::pair<std::size_t, std::size_t>{100, 8}, {100, 300}, {399, 1}, {250, 150}, {400, 0}}) {
    const auto seen = look.at(at, size, why);
    TGMAP_SUCCEEDED(why);
    BOOST_TEST((view_of(seen) == std::string_view(data).substr(at, size)));
  }
  BOOST_TEST(look.at(399, 2, why).empty());
  TGMAP_FAILED(why, tgmap::errc::file_shrank);
}

BOOST_AUTO_TEST_CASE(a_read_that_failed_leaves_nothing_behind) {
  const temporary_directory temporary;
  const bytes data = patterned(2000);
  const auto path = temporary.file("f", data);
  const auto in = source_of(path, {.io = tgmap::io_mode::read});
  window look(*in);
  failure why;
  look.at(0, 100, why);
  std::filesystem::resize_file(path, 50);
  BOOST_TEST(look.at(40, 100, why).empty());
  TGMAP_FAILED(why, tgmap::errc::file_shrank);
  BOOST_TEST(look.at(0, 100, why).empty(), "the first bytes are no longer in the buffer, so they are read again");
  TGMAP_FAILED(why, tgmap::errc::file_shrank);
  write_file(path, data);
  why = {};
  BOOST_TEST((view_of(look.at(40, 100, why)) == std::string_view(data).substr(40, 100)));
  TGMAP_SUCCEEDED(why);
}

BOOST_AUTO_TEST_CASE(it_never_reads_beyond_the_end) {
  const temporary_directory temporary;
  const bytes data = patterned(100);
  const auto in = source_of(temporary.file("f", data + "beyond"), {.io = tgmap::io_mode::read, .length = 100});
  window look(*in);
  failure why;
  BOOST_TEST((view_of(look.at(90, 10, why, window::largest)) == std::string_view(data).substr(90)));
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(look.at(100, 0, why).empty());
  TGMAP_SUCCEEDED(why);
}
