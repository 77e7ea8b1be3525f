// SPDX-License-Identifier: Apache-2.0
// Files: their kinds, and positioned reads.
#include "io/file.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "files.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::failure;
using tgmap::io::file;
using tgmap::io::file_kind;

BOOST_AUTO_TEST_SUITE(file_test)

BOOST_AUTO_TEST_CASE(a_file_is_read_at_the_offset) {
  const patterned_file pattern(5000);
  const bytes& data = pattern.data;
  BOOST_TEST((kind_of(pattern.file, data.size()) == file_kind::regular));
  std::mt19937 random(1);
  for (unsigned round = 0; round < 500; ++round) {
    const std::size_t at = random() % (data.size() + 1), size = random() % (data.size() - at + 1);
    BOOST_REQUIRE(bytes_of(pattern.file, at, size) == data.substr(at, size));
  }
}

BOOST_AUTO_TEST_CASE(missing_bytes_are_counted) {
  const patterned_file pattern(100);
  const file& f = pattern.file;
  bytes out(50, '?');
  const auto buffer = std::as_writable_bytes(std::span(out));
  TGMAP_SUCCEEDED(f.read(50, buffer));
  for (const auto& [offset, available] :
       {std::pair<std::uint64_t, std::uint64_t>{51, 49}, {99, 1}, {100, 0}, {1000000, 0}}) {
    const failure why = f.read(offset, buffer);
    TGMAP_FAILED(why, errc::file_shrank);
    BOOST_TEST((why.code == tgmap::condition::truncated));
    BOOST_TEST(why.offset == offset);
    BOOST_TEST(why.expected == 50u);
    BOOST_TEST(why.found == available);
  }
  TGMAP_SUCCEEDED(f.read(1000000, std::span<std::byte>{}));
}

BOOST_AUTO_TEST_CASE(offsets_beyond_any_file_are_errors) {
  const patterned_file pattern(1);
  std::byte one{};
  const failure why = pattern.file.read(UINT64_MAX - 3, {&one, 1});
  BOOST_TEST(static_cast<bool>(why));
  BOOST_TEST((why.code == tgmap::condition::io));
}

BOOST_AUTO_TEST_CASE(missing_files_cannot_be_opened) {
  const temporary_directory temporary;
  failure why;
  const file f = file::open(temporary / "nothing", why);
  BOOST_TEST(!f);
  BOOST_TEST((why.code == std::errc::no_such_file_or_directory));
  BOOST_TEST((why.code == tgmap::condition::io));
  BOOST_TEST((why.code.category() == std::system_category()));
}

BOOST_AUTO_TEST_CASE(a_default_file_is_an_error) {
  const file none;
  BOOST_TEST(!none);
  file_kind kind{};
  std::uint64_t size = 0;
  std::byte one{};
  BOOST_TEST((none.stat(kind, size).code == std::errc::bad_file_descriptor));
  BOOST_TEST((none.read(0, {&one, 1}).code == std::errc::bad_file_descriptor));
  BOOST_TEST((none.network_file_system() == nullptr));
  failure why;
  BOOST_TEST(!file::duplicate(-1, why));
  BOOST_TEST((why.code == std::errc::bad_file_descriptor));
}

BOOST_AUTO_TEST_CASE(directories_pipes_sockets_and_devices_are_distinguished) {
  const temporary_directory temporary;
  BOOST_TEST((kind_of(opened(temporary.path())) == file_kind::directory));
  BOOST_TEST((kind_of(opened("/dev/null")) == file_kind::stream));

  BOOST_REQUIRE(::mkfifo((temporary / "fifo").c_str(), 0600) == 0);
  const file fifo(::open((temporary / "fifo").c_str(), O_RDWR | O_CLOEXEC));  // both ends: opening does not wait
  BOOST_TEST((kind_of(fifo) == file_kind::stream));

  int ends[2];
  BOOST_REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  const file read_end(ends[0]), write_end(ends[1]);
  BOOST_TEST((kind_of(read_end) == file_kind::stream));

  BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  const file first(ends[0]), second(ends[1]);
  BOOST_TEST((kind_of(first) == file_kind::stream));
}

BOOST_AUTO_TEST_CASE(a_duplicate_outlives_its_original) {
  const temporary_directory temporary;
  file original = opened(temporary.file("f", "contents"));
  failure why;
  const file copy = file::duplicate(original.descriptor(), why);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(copy.descriptor() != original.descriptor());
  BOOST_TEST((::fcntl(copy.descriptor(), F_GETFD) & FD_CLOEXEC) != 0);
  BOOST_TEST((::fcntl(original.descriptor(), F_GETFD) & FD_CLOEXEC) != 0);
  { const file closed = std::move(original); }
  BOOST_TEST(bytes_of(copy, 0, 8) == "contents");
}

BOOST_AUTO_TEST_CASE(a_descriptor_is_closed_once) {
  const temporary_directory temporary;
  int number = -1;
  {
    file first = opened(temporary.file("f", "x"));
    number = first.descriptor();
    file second = std::move(first);
    BOOST_TEST(!first);  // NOLINT(bugprone-use-after-move): checks the moved-from state
    BOOST_TEST(second.descriptor() == number);
    file third;
    third = std::move(second);
    BOOST_TEST(third.descriptor() == number);
    BOOST_TEST(::fcntl(number, F_GETFD) >= 0);
  }
  BOOST_TEST(::fcntl(number, F_GETFD) == -1);
}

BOOST_AUTO_TEST_CASE(a_read_that_measures_its_cost_reads_the_same) {
  const patterned_file pattern(100'000);
  for (const std::size_t at : {0u, 1u, 4095u, 50'000u, 99'000u}) {
    bytes out(1000, '?');
    tgmap::io::read_cost cost{};
    TGMAP_SUCCEEDED(pattern.file.read(at, std::as_writable_bytes(std::span(out)), cost));
    BOOST_TEST((out == pattern.data.substr(at, 1000)));
    BOOST_TEST((cost != tgmap::io::read_cost::waited), "just written");
    pattern.file.will_need(at, 1000);
  }
  bytes out(1000, '?');
  tgmap::io::read_cost cost{};
  const auto why = pattern.file.read(99'500, std::as_writable_bytes(std::span(out)), cost);
  TGMAP_FAILED(why, tgmap::errc::file_shrank);
  BOOST_TEST(why.offset == 99'500u);
  BOOST_TEST(why.expected == 1000u);
  BOOST_TEST(why.found == 500u);
}

BOOST_AUTO_TEST_SUITE_END()
