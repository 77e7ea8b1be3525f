// SPDX-License-Identifier: Apache-2.0
// Pipes are copied to a file first, because random access needs all bytes.
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/temporary.hpp>
#include <thread>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(pipes_test)

namespace {

void write_all(int fd, std::string_view data) {
  while (!data.empty()) {
    const auto n = ::write(fd, data.data(), std::min<std::size_t>(data.size(), 1000));
    if (n <= 0) return;
    data.remove_prefix(static_cast<std::size_t>(n));
  }
}

/// Runs `body` with the reading end of a pipe to which `data` is written.
template <class F>
void with_pipe(const bytes& data, F&& body) {
  std::array<int, 2> ends{};
  BOOST_TEST_REQUIRE(::pipe(ends.data()) == 0);
  std::thread writer([&] {
    write_all(ends[1], data);
    ::close(ends[1]);
  });
  body(ends[0]);
  writer.join();
  ::close(ends[0]);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_pipe_is_read_to_its_end) {
  const bytes data = numbered_archive(400) + numbered(400, 3, 200000);
  with_pipe(data, [&](int fd) {
    const auto archive = tgmap::archive::from_descriptor(fd);
    BOOST_TEST(archive.size_bytes() == data.size());
    BOOST_TEST(archive.size() == 401u);
    BOOST_TEST(sound(archive.back()));
    BOOST_TEST(sound(archive[17]));
  });
}

BOOST_AUTO_TEST_CASE(an_empty_pipe_is_an_archive_without_messages) {
  with_pipe("", [](int fd) { BOOST_TEST(tgmap::archive::from_descriptor(fd).size() == 0u); });
}

BOOST_AUTO_TEST_CASE(a_part_of_a_pipe_can_be_an_archive) {
  const bytes data = numbered_archive(3);
  with_pipe("lead" + data + "trail", [&](int fd) {
    const auto archive = tgmap::archive::from_descriptor(fd, {.offset = 4, .length = data.size()});
    BOOST_TEST(archive.size() == 3u);
    BOOST_TEST(sound(archive[2]));
  });
}

BOOST_AUTO_TEST_CASE(a_named_pipe_can_be_opened_by_its_path) {
  const temporary_directory temporary;
  const auto path = temporary / "fifo";
  BOOST_TEST_REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  std::thread writer([&] { write_file(path, numbered_archive(3)); });
  const tgmap::archive archive(path);
  writer.join();
  BOOST_TEST(archive.size() == 3u);
  BOOST_TEST(sound(archive[1]));
  BOOST_TEST(!archive.is_replaced());  // the archive has a copy of what the pipe held
  BOOST_TEST(!archive.reopen().is_replaced());
}

BOOST_AUTO_TEST_SUITE_END()
