// SPDX-License-Identifier: Apache-2.0
// Sinks for descriptors and memory.
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

struct open_file {
  explicit open_file(const std::filesystem::path& path, int flags = O_RDWR | O_CREAT)
      : descriptor(::open(path.c_str(), flags, 0600)) {}
  ~open_file() { ::close(descriptor); }
  int descriptor;
};

/// Limits the size of files of this process during its lifetime. Writes reach the limit and then fail.
class file_size_limit {
 public:
  explicit file_size_limit(rlim_t size) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{.rlim_cur = size, .rlim_max = before_.rlim_max};
    BOOST_TEST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &now) == 0);
  }
  ~file_size_limit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }
  file_size_limit(const file_size_limit&) = delete;
  file_size_limit& operator=(const file_size_limit&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

}  // namespace

BOOST_AUTO_TEST_CASE(pieces_of_any_size_in_order) {
  const temporary_directory here;
  const bytes data = noise(3000000, 1);
  for (const std::size_t buffer_size : {std::size_t{0}, std::size_t{1}, std::size_t{100}, std::size_t{1} << 18}) {
    const auto path = here / "out";
    std::filesystem::remove(path);
    std::mt19937 random(2);
    const open_file file(path);
    {
      tgmap::descriptor_sink sink(file.descriptor, buffer_size);
      std::size_t done = 0;
      while (done < data.size()) {
        std::vector<std::span<const std::byte>> pieces;
        for (unsigned i = random() % 6; i-- > 0;) {
          const std::size_t now =
              std::min<std::size_t>(random() % 2 ? random() % 200 : random() % 100000, data.size() - done);
          pieces.push_back(as_bytes(data).subspan(done, now));
          done += now;
        }
        TGMAP_SUCCEEDED(sink.write(pieces));
        BOOST_TEST_REQUIRE(sink.bytes_written() == done);
      }
    }
    BOOST_TEST((read_file(path) == data));
  }
}

BOOST_AUTO_TEST_CASE(a_file_can_be_overwritten_and_rolled_back) {
  const temporary_directory here;
  const auto path = here.file("out", "before:");
  const open_file file(path);
  ::lseek(file.descriptor, 0, SEEK_END);
  tgmap::descriptor_sink sink(file.descriptor);
  BOOST_TEST(sink.can_overwrite());
  TGMAP_SUCCEEDED(sink.write(as_bytes("hello world")));
  TGMAP_SUCCEEDED(sink.overwrite(6, as_bytes("earth")));
  TGMAP_FAILED(sink.overwrite(7, as_bytes("earth")), tgmap::errc::out_of_range);
  TGMAP_SUCCEEDED(sink.write(as_bytes("!!!")));
  TGMAP_SUCCEEDED(sink.rollback(2));
  TGMAP_SUCCEEDED(sink.flush());
  BOOST_TEST(read_file(path) == "before:hello earth!");
  TGMAP_SUCCEEDED(sink.rollback(7));
  TGMAP_SUCCEEDED(sink.write(as_bytes("?")));
  TGMAP_SUCCEEDED(sink.flush());
  BOOST_TEST(read_file(path) == "before:hello?");
  TGMAP_FAILED(sink.rollback(100), tgmap::errc::out_of_range);
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
    tgmap::descriptor_sink sink(ends[1]);
    BOOST_TEST(!sink.can_overwrite());
    TGMAP_FAILED(sink.overwrite(0, {}), tgmap::errc::cannot_overwrite);
    TGMAP_SUCCEEDED(sink.write(as_bytes(data)));
    TGMAP_SUCCEEDED(sink.flush());
    TGMAP_FAILED(sink.rollback(1), tgmap::errc::cannot_overwrite);
  }
  ::close(ends[1]);
  reader.join();
  ::close(ends[0]);
  BOOST_TEST((read == data));
}

BOOST_AUTO_TEST_CASE(errors_of_the_system) {
  const open_file full("/dev/full", O_WRONLY);
  tgmap::descriptor_sink sink(full.descriptor, 0);
  const auto why = sink.write(as_bytes("x"));
  BOOST_TEST((why.code == std::errc::no_space_on_device));
  BOOST_TEST((why.code == tgmap::condition::io));
  tgmap::descriptor_sink closed(-1, 0);
  BOOST_TEST((closed.write(as_bytes("x")).code == std::errc::bad_file_descriptor));
}

BOOST_AUTO_TEST_CASE(an_unusable_descriptor_is_reported_at_once) {
  const temporary_directory here;
  const open_file read_only(here.file("in", "x"), O_RDONLY);
  for (const int descriptor : {-1, read_only.descriptor}) {
    tgmap::descriptor_sink to(descriptor);
    BOOST_TEST((to.write(as_bytes("x")).code == std::errc::bad_file_descriptor));
    BOOST_TEST((to.flush().code == std::errc::bad_file_descriptor));
    BOOST_TEST(to.bytes_written() == 0u);
    BOOST_TEST(!to.can_overwrite());
    tgmap::failure why;
    const tgmap::descriptor_sink checked(descriptor, why);
    BOOST_TEST((why.code == std::errc::bad_file_descriptor));
    tgmap::writer out(to);
    out.write(tgmap::new_message(), why);
    BOOST_TEST((why.code == tgmap::condition::io));
  }
  tgmap::failure why;
  const open_file file(here / "out");
  tgmap::descriptor_sink sink(file.descriptor, 8, why);
  BOOST_TEST(!why);
  TGMAP_SUCCEEDED(sink.write(as_bytes("x")));
}

BOOST_AUTO_TEST_CASE(bytes_written_before_an_error_are_not_repeated) {
  const temporary_directory here;
  const bytes data = noise(3000, 4);
  for (const bool explicit_flush : {true, false}) {  // flush(), or the destructor
    const auto path = here.file("out", "");
    const open_file file(path);
    {
      tgmap::descriptor_sink sink(file.descriptor);
      TGMAP_SUCCEEDED(sink.write(as_bytes(data)));
      {
        const file_size_limit full(1000);
        BOOST_TEST((sink.flush().code == std::errc::file_too_large));
        BOOST_TEST(read_file(path).size() == 1000U);
        BOOST_TEST(sink.bytes_written() == data.size());  // the rest is still buffered
        BOOST_TEST((sink.flush().code == std::errc::file_too_large));
        BOOST_TEST(sink.bytes_written() == data.size());
      }
      if (explicit_flush) TGMAP_SUCCEEDED(sink.flush());
      BOOST_TEST(read_file(path).size() == (explicit_flush ? data.size() : 1000U));
    }
    BOOST_TEST((read_file(path) == data));
  }
}

BOOST_AUTO_TEST_CASE(a_piece_that_was_written_in_part) {
  const temporary_directory here;
  const bytes small = noise(500, 5), large = noise(100000, 6);
  for (const std::size_t room :
       {std::size_t{300}, std::size_t{500}, std::size_t{4096}}) {  // within the first piece, at its end, after it
    const auto path = here.file("out", "");
    const open_file file(path);
    tgmap::descriptor_sink sink(file.descriptor);
    TGMAP_SUCCEEDED(sink.write(as_bytes(small)));
    {
      const file_size_limit full(room);
      BOOST_TEST((sink.write(as_bytes(large)).code == std::errc::file_too_large));
    }
    // The large piece is not buffered.
    const std::size_t accepted = std::max(small.size(), room);
    BOOST_TEST(sink.bytes_written() == accepted);
    TGMAP_SUCCEEDED(sink.flush());
    BOOST_TEST((read_file(path) == (small + large).substr(0, accepted)));
    TGMAP_SUCCEEDED(sink.rollback(accepted));
    TGMAP_SUCCEEDED(sink.write(as_bytes("again")));
    TGMAP_SUCCEEDED(sink.flush());
    BOOST_TEST(read_file(path) == "again");
  }
}

BOOST_AUTO_TEST_CASE(an_append_only_file_is_not_overwritten) {
  const temporary_directory here;
  const open_file file(here / "out", O_WRONLY | O_CREAT | O_APPEND);
  BOOST_TEST(!tgmap::descriptor_sink(file.descriptor).can_overwrite());
}

BOOST_AUTO_TEST_CASE(memory_sinks) {
  tgmap::memory_sink sink;
  TGMAP_SUCCEEDED(sink.write(as_bytes("hello world")));
  TGMAP_SUCCEEDED(sink.overwrite(0, as_bytes("J")));
  TGMAP_FAILED(sink.overwrite(11, as_bytes("x")), tgmap::errc::out_of_range);
  TGMAP_SUCCEEDED(sink.rollback(6));
  BOOST_TEST(sink.bytes_written() == 5U);
  TGMAP_FAILED(sink.rollback(6), tgmap::errc::out_of_range);
  const auto all = sink.release();
  BOOST_TEST((std::string(reinterpret_cast<const char*>(all.data()), all.size()) == "Jello"));
  BOOST_TEST(sink.bytes().empty());
}

BOOST_AUTO_TEST_SUITE_END()
