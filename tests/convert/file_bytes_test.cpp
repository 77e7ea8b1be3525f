// SPDX-License-Identifier: Apache-2.0
#include "convert/file_bytes.hpp"

#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <string>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <system_error>
#include <thread>

using tgmap::convert::file_bytes;
using tgmap_test::temporary_directory;

namespace {

std::string text_of(const file_bytes& from) {
  return {reinterpret_cast<const char*>(from.bytes().data()), from.bytes().size()};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(file_bytes_test)

BOOST_AUTO_TEST_CASE(regular_files) {
  const temporary_directory folder;
  tgmap::failure why;
  BOOST_TEST(text_of(file_bytes::read(folder.file("some", "some bytes").string(), why)) == "some bytes");
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(file_bytes::read(folder.file("none", "").string(), why).bytes().empty());
  TGMAP_SUCCEEDED(why);
}

BOOST_AUTO_TEST_CASE(the_rest_of_an_open_file) {
  const temporary_directory folder;
  std::FILE* const open = std::fopen(folder.file("some", "some bytes").c_str(), "r");
  ::lseek(::fileno(open), 5, SEEK_SET);
  tgmap::failure why;
  BOOST_TEST(text_of(file_bytes::read(::fileno(open), why)) == "bytes");
  TGMAP_SUCCEEDED(why);
  std::fclose(open);
}

BOOST_AUTO_TEST_CASE(pipes_of_any_length) {
  for (const std::size_t size : {0U, 1U, 65'536U, 300'000U}) {
    int ends[2];
    BOOST_TEST_REQUIRE(::pipe(ends) == 0);
    std::string sent(size, ' ');
    std::generate(sent.begin(), sent.end(), [n = 0]() mutable { return static_cast<char>(n++ % 251); });
    std::thread writer([&] {
      for (std::size_t done = 0; done < size;)
        done +=
            static_cast<std::size_t>(::write(ends[1], sent.data() + done, std::min<std::size_t>(size - done, 7000)));
      ::close(ends[1]);
    });
    tgmap::failure why;
    const file_bytes got = file_bytes::read(ends[0], why);
    writer.join();
    TGMAP_SUCCEEDED(why);
    BOOST_TEST((text_of(got) == sent), size);
    ::close(ends[0]);
  }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read) {
  const temporary_directory folder;
  tgmap::failure why;
  BOOST_TEST(file_bytes::read(folder.path().string(), why).bytes().empty());
  TGMAP_FAILED(why, tgmap::errc::is_directory);
  file_bytes::read((folder / "absent").string(), why);
  BOOST_TEST((why.code == std::errc::no_such_file_or_directory));
  file_bytes::read(-1, why);
  BOOST_TEST((why.code == std::errc::bad_file_descriptor));
}

BOOST_AUTO_TEST_SUITE_END()
