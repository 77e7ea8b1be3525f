// SPDX-License-Identifier: Apache-2.0
// Short-lived copies of structure.
#include "io/read_buffer.hpp"

#include "patterned.hpp"

using namespace tgmap_test;
using tgmap::failure;
using tgmap::io::read_buffer;

BOOST_AUTO_TEST_SUITE(read_buffer_test)

BOOST_AUTO_TEST_CASE(small_and_large_reads) {
  const bytes data = patterned(50000);
  in_every_source(data, [&](const tgmap::io::source& in) {
    read_buffer space;
    for (const std::size_t at : {0u, 1u, 4096u, 40000u})
      for (const std::size_t size : {0u, 1u, 4095u, 4096u, 4097u, 10000u, 7u}) {
        failure why;
        BOOST_REQUIRE((view_of(space.bytes(in, at, size, why)) == std::string_view(data).substr(at, size)));
        TGMAP_SUCCEEDED(why);
        tgmap::io::window through(in);
        BOOST_REQUIRE((view_of(space.bytes(through, at, size, why)) == std::string_view(data).substr(at, size)));
        TGMAP_SUCCEEDED(why);
      }
  });
}

BOOST_AUTO_TEST_CASE(it_is_a_copy) {
  const bytes data = patterned(100);
  const auto in = source_of(data);
  read_buffer space;
  failure why;
  const auto seen = space.bytes(*in, 10, 20, why);
  BOOST_TEST((seen.data() < in->mapped() || seen.data() >= in->mapped() + data.size()));
}

BOOST_AUTO_TEST_CASE(a_copy_of_a_mapped_file_that_has_shrunk_is_an_error) {
  const temporary_directory temporary;
  const auto path = temporary.file("f", patterned(20000));
  const auto in = source_of(path, {.io = tgmap::io_mode::map});
  std::filesystem::resize_file(path, 100);
  read_buffer space;
  for (const std::size_t size : {50u, 10000u}) {
    failure why;
    BOOST_TEST(space.bytes(*in, 90, size, why).empty());
    TGMAP_FAILED(why, tgmap::errc::file_shrank);
    BOOST_TEST(why.offset == 90u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
