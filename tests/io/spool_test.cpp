// SPDX-License-Identifier: Apache-2.0
// Streams are copied into files.
#include "io/spool.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <cstdlib>
#include <istream>
#include <optional>
#include <sstream>
#include <streambuf>

#include "files.hpp"

using namespace tgmap_test;
using tgmap::failure;
using tgmap::io::budget;
using tgmap::io::file;
using tgmap::io::spool;

BOOST_AUTO_TEST_SUITE(spool_test)

namespace {

const std::size_t sizes[] = {0, 1, 4096, 65536, 65537, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 * (1 << 20) + 12345};

/// Returns the whole file, which must be a regular one of that size.
bytes contents(const file& f, std::size_t size) {
  BOOST_TEST((kind_of(f, size) == tgmap::io::file_kind::regular));
  return bytes_of(f, 0, size);
}

/// Sets the folder of temporary files while it lives.
class temporary_files_in {
 public:
  explicit temporary_files_in(const std::filesystem::path& folder) {
    if (const char* old = std::getenv("TMPDIR")) before_ = old;
    ::setenv("TMPDIR", folder.c_str(), 1);
  }
  ~temporary_files_in() { before_ ? ::setenv("TMPDIR", before_->c_str(), 1) : ::unsetenv("TMPDIR"); }
  temporary_files_in(const temporary_files_in&) = delete;
  temporary_files_in& operator=(const temporary_files_in&) = delete;

 private:
  std::optional<std::string> before_{};
};

/// Gives `sound` bytes, and then throws, or ends without a reason.
class broken_buffer : public std::streambuf {
 public:
  explicit broken_buffer(std::size_t sound) : data_(sound, 'x') {
    setg(data_.data(), data_.data(), data_.data() + sound);
  }

 protected:
  int_type underflow() override { throw std::runtime_error("the wire was cut"); }

 private:
  bytes data_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_pipe_is_copied_to_its_end) {
  for (const std::size_t size : sizes) {
    const bytes data = patterned(size);
    int ends[2];
    BOOST_REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    const file out(ends[0]);
    const auto writer = fed(ends[1], data, 10007);
    failure why;
    const file copy = spool(out, why);
    TGMAP_SUCCEEDED(why);
    BOOST_TEST((contents(copy, size) == data), "of " << size << " bytes");
  }
}

BOOST_AUTO_TEST_CASE(a_stream_is_copied_from_its_position) {
  for (const std::size_t size : sizes) {
    const bytes data = patterned(size);
    std::istringstream in("skip" + data);
    in.ignore(4);
    failure why;
    const file copy = spool(in, why);
    TGMAP_SUCCEEDED(why);
    BOOST_TEST((contents(copy, size) == data), "of " << size << " bytes");
  }
}

BOOST_AUTO_TEST_CASE(nobody_else_sees_the_copy) {
  const temporary_directory temporary;
  const temporary_files_in here(temporary.path());
  std::istringstream in("secret");
  failure why;
  const file copy = spool(in, why);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(std::filesystem::is_empty(temporary.path()));
  BOOST_TEST((::fcntl(copy.descriptor(), F_GETFD) & FD_CLOEXEC) != 0);
  BOOST_TEST(contents(copy, 6) == "secret");
}

BOOST_AUTO_TEST_CASE(no_folder_for_temporary_files_is_an_error) {
  const temporary_directory temporary;
  const temporary_files_in nowhere(temporary / "missing");
  std::istringstream in("x");
  failure why;
  const file copy = spool(in, why);
  BOOST_TEST(!copy);
  BOOST_TEST((why.code == tgmap::condition::io), why.text());
}

BOOST_AUTO_TEST_CASE(a_stream_that_breaks_is_an_error) {
  for (const std::size_t sound : {std::size_t{0}, std::size_t{100}, std::size_t{2} << 20}) {
    broken_buffer buffer(sound);
    std::istream in(&buffer);
    failure why;
    const file copy = spool(in, why);
    BOOST_TEST(!copy);
    BOOST_TEST((why.code == tgmap::condition::io), why.text());
    BOOST_TEST(static_cast<bool>(why));
  }
}

BOOST_AUTO_TEST_CASE(a_throwing_stream_is_an_error) {
  broken_buffer buffer(50);
  std::istream in(&buffer);
  in.exceptions(std::ios::badbit | std::ios::failbit);
  failure why;
  const file copy = spool(in, why);
  BOOST_TEST(!copy);
  BOOST_TEST((why.code == tgmap::condition::io), why.text());
  BOOST_TEST(static_cast<bool>(why));
}

BOOST_AUTO_TEST_CASE(a_descriptor_that_cannot_be_read_is_an_error) {
  const temporary_directory temporary;
  const file directory = opened(temporary.path()), none;
  for (const file* bad : {&directory, &none}) {
    failure why;
    const file copy = spool(*bad, why);
    BOOST_TEST(!copy);
    BOOST_TEST((why.code == tgmap::condition::io), why.text());
    BOOST_TEST(static_cast<bool>(why));
  }
}

BOOST_AUTO_TEST_CASE(a_source_spools_other_than_regular_files) {
  const bytes data = patterned(200000);
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    int ends[2];
    BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    const auto writer = fed(ends[1], data, data.size());
    failure why;
    const auto in = tgmap::io::source::from_file(file(ends[0]), {.io = mode, .offset = 5, .length = 199990}, why);
    TGMAP_SUCCEEDED(why);
    BOOST_REQUIRE(in != nullptr);
    BOOST_TEST(shows(in->view(0, in->size(), budget::payload, why), data, 5, 199990));
    BOOST_TEST(in->mode() == mode);
  }
}

BOOST_AUTO_TEST_SUITE_END()
