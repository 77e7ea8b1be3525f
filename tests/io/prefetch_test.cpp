// SPDX-License-Identifier: Apache-2.0
// Prefetching mapped bytes: a file that has become shorter is an error, never a signal.
#include "patterned.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::failure;
using tgmap::io_mode;
using tgmap::io::budget;

BOOST_AUTO_TEST_SUITE(prefetch_test)

namespace {

constexpr std::size_t page = 4096, size = 40 * page;

}  // namespace

BOOST_AUTO_TEST_CASE(bytes_are_prefetched) {
  const bytes data = patterned(size + 77);
  in_every_source(data, [&](const tgmap::io::source& in) {
    for (const std::size_t at : {std::size_t{0}, std::size_t{1}, page - 1, page, 5 * page + 3, size})
      for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{77}, page, 3 * page + 1})
        if (at + n <= data.size()) TGMAP_SUCCEEDED(in.prefetch(at, n));
    TGMAP_SUCCEEDED(in.prefetch(0, data.size()));
  });
}

BOOST_AUTO_TEST_CASE(a_file_cut_anywhere_is_an_error_and_no_signal) {
  const temporary_directory temporary;
  for (const std::uint64_t offset : {0u, 1000u})
    for (const std::size_t kept :
         {std::size_t{0}, std::size_t{1}, page, 7 * page, 7 * page + 1, size - page, size - 1}) {
      const auto path = temporary.file("f", patterned(size));
      const auto in = source_of(path, {.io = io_mode::map, .offset = offset});
      std::filesystem::resize_file(path, kept);
      const failure why = in->prefetch(0, in->size());
      TGMAP_FAILED(why, errc::file_shrank);
      BOOST_TEST((why.code == tgmap::condition::truncated));
      const std::uint64_t there = kept > offset ? kept - offset : 0;
      BOOST_TEST(why.expected == in->size());
      BOOST_TEST(why.found == there);
      BOOST_TEST(why.offset == 0u);
      TGMAP_SUCCEEDED(in->prefetch(0, there));
      TGMAP_FAILED(in->prefetch(there, 1), errc::file_shrank);
    }
}

BOOST_AUTO_TEST_CASE(a_cut_within_the_last_page_is_noticed_though_its_rest_reads_as_zeros) {
  const temporary_directory temporary;
  const auto path = temporary.file("f", patterned(2 * page));
  const auto in = source_of(path, {.io = io_mode::map});
  std::filesystem::resize_file(path, page + 100);
  TGMAP_SUCCEEDED(in->prefetch(page, 100));
  TGMAP_FAILED(in->prefetch(page, 101), errc::file_shrank);
}

BOOST_AUTO_TEST_CASE(in_read_mode_the_bytes_are_read) {
  const temporary_directory temporary;
  const bytes data = patterned(size);
  const auto path = temporary.file("f", data);
  const auto in = source_of(path, {.io = io_mode::read, .max_resident_bytes = 2 * page});
  TGMAP_SUCCEEDED(in->prefetch(0, page));
  TGMAP_FAILED(in->prefetch(page, size - page), errc::resident_limit);
  std::filesystem::resize_file(path, 10);
  failure why;
  BOOST_TEST((view_of(in->view(0, page, budget::payload, why)) == std::string_view(data).substr(0, page)),
             "held since it was prefetched");
  TGMAP_FAILED(in->prefetch(page, 1), errc::file_shrank);
}

BOOST_AUTO_TEST_SUITE_END()
