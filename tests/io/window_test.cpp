// SPDX-License-Identifier: Apache-2.0
// Windows return the right bytes with as few reads as possible.
#include "io/window.hpp"

#include "patterned.hpp"

using namespace tgmap_test;
using tgmap::failure;
using tgmap::io::window;

BOOST_AUTO_TEST_SUITE(window_test)

BOOST_AUTO_TEST_CASE(reads_return_the_bytes_of_the_source) {
  const bytes data = patterned(20000);
  in_every_source(data, [&](const tgmap::io::source& in) {
    window look(in);
    BOOST_TEST(&look.in() == &in);
    std::mt19937 random(1);
    for (unsigned round = 0; round < 3000; ++round) {
      const std::size_t at = random() % (data.size() + 1);
      const std::size_t most = std::min<std::size_t>(window::largest, data.size() - at);
      const std::size_t size = random() % (most + 1);
      const tgmap::io::margin more{.before = random() % 3 ? 0 : random() % 5000,
                                   .after = random() % 3 ? 0 : random() % 5000};
      failure why;
      const auto seen = look.at(at, size, why, more);
      TGMAP_SUCCEEDED(why);
      BOOST_REQUIRE((view_of(seen) == std::string_view(data).substr(at, size)));
    }
  });
}

BOOST_AUTO_TEST_CASE(bytes_are_copied) {
  bytes data = patterned(1000);
  const auto in = source_of(data);
  window look(*in);
  failure why;
  const auto seen = look.at(123, 100, why);
  const bytes before(view_of(seen));
  data.assign(data.size(), 'x');
  BOOST_TEST(view_of(seen) == before);
}

BOOST_AUTO_TEST_CASE(the_margin_is_read_too_but_no_other_page) {
  const temporary_directory temporary;
  const bytes data = patterned(20000);
  const auto path = temporary.file("f", data);
  const auto in = source_of(path, {.io = tgmap::io_mode::read});
  window look(*in);
  failure why;
  look.at(8192 + 100, 8, why, {.before = 50, .after = 300});
  TGMAP_SUCCEEDED(why);
  window page(*in);
  page.at(8192 + 4000, 8, why, {.before = 4096, .after = 4096});
  window two(*in);
  two.at(8192 - 10, 20, why, {.before = 4096, .after = 4096});
  window largest(*in);
  largest.at(100, window::largest, why, {.before = 4096, .after = 4096});
  TGMAP_SUCCEEDED(why);
  std::filesystem::resize_file(path, 0);  // from here on every read fails
  const auto there = [&](window& of, std::size_t at, std::size_t size) {
    why = {};
    const auto seen = of.at(at, size, why);
    if (!why) BOOST_TEST((view_of(seen) == std::string_view(data).substr(at, size)));
    return !why;
  };
  BOOST_TEST(there(look, 8192 + 50, 358));
  BOOST_TEST(there(look, 8192 + 407, 1));
  BOOST_TEST(there(page, 8192, 4096));
  BOOST_TEST(there(two, 8192 - 10, window::largest));
  BOOST_TEST(!there(two, 8192 - 11, 1));
  BOOST_TEST(there(largest, 100, window::largest));
  BOOST_TEST(!there(look, 8192 + 49, 1));
  BOOST_TEST(!there(page, 8192 - 1, 1));
  BOOST_TEST(!there(largest, 99, 1));
}

BOOST_AUTO_TEST_CASE(a_failed_read_leaves_the_window_empty) {
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
  BOOST_TEST((view_of(look.at(90, 10, why, {.after = window::largest})) == std::string_view(data).substr(90)));
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(look.at(100, 0, why).empty());
  TGMAP_SUCCEEDED(why);
}

BOOST_AUTO_TEST_SUITE_END()
