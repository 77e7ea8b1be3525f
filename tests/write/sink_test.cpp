// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <random>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/write/writer.hpp>
#include <thread>
#include <vector>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(sink_test)

namespace {

std::span<const std::byte> as_bytes(const bytes& text) { return std::as_bytes(std::span(text)); }

bytes noise(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  bytes out(size, '\0');
  for (char& c : out) c = static_cast<char>(random());
  return out;
}

struct opened {
  explicit opened(const std::filesystem::path& path, int flags = O_RDWR | O_CREAT)
      : descriptor(::open(path.c_str(), flags, 0600)) {}
  ~opened() { ::close(descriptor); }
  int descriptor;
};

/// While it is there, files of this process grow no further: writes go as far as that, and fail.
class largest_file {
 public:
  explicit largest_file(rlim_t size) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{.rlim_cur = size, .rlim_max = before_.rlim_max};
    BOOST_TEST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &now) == 0);
  }
  ~largest_file() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }
  largest_file(const largest_file&) = delete;
  largest_file& operator=(const largest_file&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

}  // namespace

BOOST_AUTO_TEST_CASE(pieces_of_any_size_in_order) {
  const temporary_directory here;
  const bytes data = noise(3000000, 1);
  for (const std::size_t gather : {std::size_t{0}, std::size_t{1}, std::size_t{100}, std::size_t{1} << 18}) {
    const auto path = here / "out";
    std::filesystem::remove(path);
    std::mt19937 random(2);
    const opened file(path);
    {
      tgmap::descriptor_sink to(file.descriptor, gather);
      std::size_t done = 0;
      while (done < data.size()) {
        std::vector<std::span<const std::byte>> pieces;
        for (unsigned i = random() % 6; i-- > 0;) {
          const std::size_t now =
              std::min<std::size_t>(random() % 2 ? random() % 200 : random() % 100000, data.size() - done);
          pieces.push_back(as_bytes(data).subspan(done, now));
          done += now;
        }
        TGMAP_SUCCEEDED(to.write(pieces));
        BOOST_TEST_REQUIRE(to.bytes_written() == done);
      }
    }
    BOOST_TEST((read_file(path) == data));
  }
}

BOOST_AUTO_TEST_CASE(a_file_can_be_patched_and_taken_back) {
  const temporary_directory here;
  const auto path = here.file("out", "before:");
  const opened file(path);
  ::lseek(file.descriptor, 0, SEEK_END);
  tgmap::descriptor_sink to(file.descriptor);
  BOOST_TEST(to.can_overwrite());
  TGMAP_SUCCEEDED(to.write(as_bytes("hello world")));
  TGMAP_SUCCEEDED(to.overwrite(6, as_bytes("earth")));
  TGMAP_FAILED(to.overwrite(7, as_bytes("earth")), tgmap::errc::out_of_range);
  TGMAP_SUCCEEDED(to.write(as_bytes("!!!")));
  TGMAP_SUCCEEDED(to.rollback(2));
  TGMAP_SUCCEEDED(to.flush());
  BOOST_TEST(read_file(path) == "before:hello earth!");
  TGMAP_SUCCEEDED(to.rollback(7));
  TGMAP_SUCCEEDED(to.write(as_bytes("?")));
  TGMAP_SUCCEEDED(to.flush());
  BOOST_TEST(read_file(path) == "before:hello?");
  TGMAP_FAILED(to.rollback(100), tgmap::errc::out_of_range);
}

BOOST_AUTO_TEST_CASE(a_pipe_that_does_not_block) {
  int ends[2];
  BOOST_TEST_REQUIRE(::pipe2(ends, O_NONBLOCK) == 0);
  const bytes data = noise(1000000, 3);
  bytes read;
  std::thread reader([&] {
    char buffer[4096];
    for (;;) {
      const auto got = ::read(ends[0], buffer, sizeof buffer);
      if (got > 0) read.append(buffer, static_cast<std::size_t>(got));
      if (got == 0) return;
    }
  });
  {
    tgmap::descriptor_sink to(ends[1]);
    BOOST_TEST(!to.can_overwrite());
    TGMAP_FAILED(to.overwrite(0, {}), tgmap::errc::cannot_overwrite);
    TGMAP_SUCCEEDED(to.write(as_bytes(data)));
    TGMAP_SUCCEEDED(to.flush());
    TGMAP_FAILED(to.rollback(1), tgmap::errc::cannot_overwrite);
  }
  ::close(ends[1]);
  reader.join();
  ::close(ends[0]);
  BOOST_TEST((read == data));
}

BOOST_AUTO_TEST_CASE(what_the_system_says) {
  const opened full("/dev/full", O_WRONLY);
  tgmap::descriptor_sink to(full.descriptor, 0);
  const auto why = to.write(as_bytes("x"));
  BOOST_TEST((why.code == std::errc::no_space_on_device));
  BOOST_TEST((why.code == tgmap::condition::io));
  tgmap::descriptor_sink closed(-1, 0);
  BOOST_TEST((closed.write(as_bytes("x")).code == std::errc::bad_file_descriptor));
}

BOOST_AUTO_TEST_CASE(a_descriptor_that_takes_nothing_is_told_at_the_first_write) {
  const temporary_directory here;
  const opened read_only(here.file("in", "x"), O_RDONLY);
  for (const int descriptor : {-1, read_only.descriptor}) {
    tgmap::descriptor_sink to(descriptor);
    BOOST_TEST((to.write(as_bytes("x")).code == std::errc::bad_file_descriptor));
    BOOST_TEST((to.flush().code == std::errc::bad_file_descriptor));
    BOOST_TEST(to.bytes_written() == 0u);
    BOOST_TEST(!to.can_overwrite());
    tgmap::failure why;
    const tgmap::descriptor_sink told(descriptor, why);
    BOOST_TEST((why.code == std::errc::bad_file_descriptor));
    tgmap::writer out(to);
    out.write(tgmap::new_message(), why);
    BOOST_TEST((why.code == tgmap::condition::io));
  }
  tgmap::failure why;
  const opened file(here / "out");
  tgmap::descriptor_sink to(file.descriptor, 8, why);
  BOOST_TEST(!why);
  TGMAP_SUCCEEDED(to.write(as_bytes("x")));
}

BOOST_AUTO_TEST_CASE(what_went_before_an_error_does_not_go_again) {
  const temporary_directory here;
  const bytes data = noise(3000, 4);
  for (const bool by_hand : {true, false}) {  // flush(), or the destructor
    const auto path = here.file("out", "");
    const opened file(path);
    {
      tgmap::descriptor_sink to(file.descriptor);
      TGMAP_SUCCEEDED(to.write(as_bytes(data)));
      {
        const largest_file full(1000);
        BOOST_TEST((to.flush().code == std::errc::file_too_large));
        BOOST_TEST(read_file(path).size() == 1000U);
        BOOST_TEST(to.bytes_written() == data.size());  // the rest is still held
        BOOST_TEST((to.flush().code == std::errc::file_too_large));
        BOOST_TEST(to.bytes_written() == data.size());
      }
      if (by_hand) TGMAP_SUCCEEDED(to.flush());
      BOOST_TEST(read_file(path).size() == (by_hand ? data.size() : 1000U));
    }
    BOOST_TEST((read_file(path) == data));
  }
}

BOOST_AUTO_TEST_CASE(a_piece_that_went_in_part) {
  const temporary_directory here;
  const bytes small = noise(500, 5), large = noise(100000, 6);
  for (const std::size_t room : {std::size_t{300}, std::size_t{500}, std::size_t{4096}}) {  // in the first, behind it
    const auto path = here.file("out", "");
    const opened file(path);
    tgmap::descriptor_sink to(file.descriptor);
    TGMAP_SUCCEEDED(to.write(as_bytes(small)));
    {
      const largest_file full(room);
      BOOST_TEST((to.write(as_bytes(large)).code == std::errc::file_too_large));
    }
    // Of the large piece nothing is held.
    const std::size_t given = std::max(small.size(), room);
    BOOST_TEST(to.bytes_written() == given);
    TGMAP_SUCCEEDED(to.flush());
    BOOST_TEST((read_file(path) == (small + large).substr(0, given)));
    TGMAP_SUCCEEDED(to.rollback(given));
    TGMAP_SUCCEEDED(to.write(as_bytes("again")));
    TGMAP_SUCCEEDED(to.flush());
    BOOST_TEST(read_file(path) == "again");
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_only_grows_is_not_patched) {
  const temporary_directory here;
  const opened file(here / "out", O_WRONLY | O_CREAT | O_APPEND);
  BOOST_TEST(!tgmap::descriptor_sink(file.descriptor).can_overwrite());
}

BOOST_AUTO_TEST_CASE(memory) {
  tgmap::memory_sink to;
  TGMAP_SUCCEEDED(to.write(as_bytes("hello world")));
  TGMAP_SUCCEEDED(to.overwrite(0, as_bytes("J")));
  TGMAP_FAILED(to.overwrite(11, as_bytes("x")), tgmap::errc::out_of_range);
  TGMAP_SUCCEEDED(to.rollback(6));
  BOOST_TEST(to.bytes_written() == 5U);
  TGMAP_FAILED(to.rollback(6), tgmap::errc::out_of_range);
  const auto all = to.release();
  BOOST_TEST((std::string(reinterpret_cast<const char*>(all.data()), all.size()) == "Jello"));
  BOOST_TEST(to.bytes().empty());
}

BOOST_AUTO_TEST_SUITE_END()
