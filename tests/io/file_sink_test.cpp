// SPDX-License-Identifier: Apache-2.0
// Writing a file from its beginning.
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/write/sink.hpp>

using namespace tgmap_test;
using tgmap::file_sink;

BOOST_AUTO_TEST_SUITE(file_sink_test)

namespace {

std::span<const std::byte> as_bytes(const bytes& text) { return std::as_bytes(std::span(text)); }

}  // namespace

BOOST_AUTO_TEST_CASE(creates_and_empties) {
  const temporary_directory here;
  for (const bool sync : {false, true}) {
    for (const char* const before : {"", "something longer than what follows"}) {
      const auto path = *before == 0 ? here / (sync ? "new_synced" : "new") : here.file("old", before);
      file_sink sink(path, {.sync = sync});
      TGMAP_SUCCEEDED(sink.write(as_bytes("hello")));
      BOOST_TEST(read_file(path) == "");  // buffered
      TGMAP_SUCCEEDED(sink.flush());
      BOOST_TEST(read_file(path) == "hello");
      TGMAP_SUCCEEDED(sink.write(as_bytes(" world")));
      BOOST_TEST(sink.bytes_written() == 11u);
      sink.close();
      BOOST_TEST(read_file(path) == "hello world");
      BOOST_TEST(sink.bytes_written() == 11u);
      sink.close();  // for the second time
    }
  }
}

BOOST_AUTO_TEST_CASE(overwrite_and_rollback) {
  const temporary_directory here;
  file_sink sink(here / "out", {.buffer_size = 4});
  BOOST_TEST(sink.can_overwrite());
  TGMAP_SUCCEEDED(sink.write(as_bytes("hello world")));
  TGMAP_SUCCEEDED(sink.overwrite(0, as_bytes("J")));
  TGMAP_SUCCEEDED(sink.rollback(6));
  sink.close();
  BOOST_TEST(read_file(here / "out") == "Jello");
}

BOOST_AUTO_TEST_CASE(the_destructor_closes) {
  const temporary_directory here;
  {
    tgmap::failure why;
    file_sink sink(here / "out", why);
    BOOST_TEST_REQUIRE(!why);
    TGMAP_SUCCEEDED(sink.write(as_bytes("x")));
  }
  BOOST_TEST(read_file(here / "out") == "x");
}

BOOST_AUTO_TEST_CASE(a_closed_sink_accepts_nothing) {
  const temporary_directory here;
  file_sink sink(here / "out");
  sink.close();
  BOOST_TEST(!sink.can_overwrite());
  TGMAP_FAILED(sink.write(as_bytes("x")), tgmap::errc::call_out_of_order);
  TGMAP_FAILED(sink.overwrite(0, {}), tgmap::errc::call_out_of_order);
  TGMAP_FAILED(sink.rollback(0), tgmap::errc::call_out_of_order);
  TGMAP_FAILED(sink.flush(), tgmap::errc::call_out_of_order);
}

BOOST_AUTO_TEST_CASE(archives_that_cannot_be_opened) {
  const temporary_directory here;
  BOOST_CHECK_EXCEPTION(file_sink(here / "no/such"), tgmap::error, [](const tgmap::error& e) {
    return e.code() == std::errc::no_such_file_or_directory && e.code() == tgmap::condition::io;
  });
  tgmap::failure why;
  file_sink sink(here.path(), {}, why);
  BOOST_TEST((why.code == std::errc::is_a_directory));
  TGMAP_FAILED(sink.write(as_bytes("x")), tgmap::errc::call_out_of_order);
  sink.close(why);
  BOOST_TEST((why.code == tgmap::errc::call_out_of_order));
  file_sink too_much(here / "out", {.buffer_size = SIZE_MAX}, why);
  BOOST_TEST((why.code == tgmap::errc::out_of_memory));
  TGMAP_FAILED(too_much.write(as_bytes("x")), tgmap::errc::call_out_of_order);
}

BOOST_AUTO_TEST_CASE(close_reports_bytes_that_could_not_be_written) {
  file_sink sink("/dev/full");
  TGMAP_SUCCEEDED(sink.write(as_bytes("x")));
  BOOST_CHECK_EXCEPTION(sink.close(), tgmap::error,
                        [](const tgmap::error& e) { return e.code() == std::errc::no_space_on_device; });
  sink.close();  // the file is closed anyway
  tgmap::failure why;
  file_sink again("/dev/full");
  TGMAP_SUCCEEDED(again.write(as_bytes("x")));
  again.close(why);
  BOOST_TEST((why.code == std::errc::no_space_on_device));
}

BOOST_AUTO_TEST_SUITE_END()
