// SPDX-License-Identifier: Apache-2.0
// Writing a file from its beginning.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <optional>
#include <stdexcept>
#include <support/access_list.hpp>
#include <support/failures.hpp>
#include <support/process/child.hpp>
#include <support/temporary.hpp>
#include <tgmap/write/sink.hpp>
#include <tgmap/write/stream_writer.hpp>
#include <tgmap/write/writer.hpp>

using namespace tgmap_test;
using tgmap::file_sink;

BOOST_AUTO_TEST_SUITE(file_sink_test)

namespace {

std::span<const std::byte> as_bytes(const bytes& text) { return std::as_bytes(std::span(text)); }

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

/// Limits the size of files, as a full disk does, while it lives.
class size_limit {
 public:
  explicit size_limit(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    BOOST_REQUIRE(::getrlimit(RLIMIT_FSIZE, &before_) == 0);
    const rlimit now{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    BOOST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &now) == 0);
  }
  ~size_limit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  size_limit(const size_limit&) = delete;
  size_limit& operator=(const size_limit&) = delete;

 private:
  rlimit before_{};
};

/// A folder with an old file, and the check that nothing else is in it.
struct old_file {
  temporary_directory here{};
  std::filesystem::path path = here.file("a.tgm", "old");

  void check(const bytes& expected) const {
    BOOST_TEST(read_file(path) == expected);
    BOOST_TEST(files_in(here.path()) == 1u);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_new_file_grows_and_an_old_one_is_replaced) {
  const temporary_directory here;
  for (const bool sync : {false, true}) {
    for (const std::string before : {"", "something longer than what follows"}) {
      const auto path = before.empty() ? here / (sync ? "new_synced" : "new") : here.file("old", before);
      file_sink sink(path, {.sync = sync});
      BOOST_TEST(sink.is_replacing() == !before.empty());
      TGMAP_SUCCEEDED(sink.write(as_bytes("hello")));
      BOOST_TEST(read_file(path) == before);  // buffered
      TGMAP_SUCCEEDED(sink.flush());
      BOOST_TEST(read_file(path) == (before.empty() ? "hello" : before));
      TGMAP_SUCCEEDED(sink.sync());
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

BOOST_AUTO_TEST_CASE(an_old_file_stays_until_the_new_one_is_complete) {
  const old_file old;
  {
    file_sink sink(old.path);
    TGMAP_SUCCEEDED(sink.write(as_bytes(bytes(300000, 'x'))));
    TGMAP_SUCCEEDED(sink.flush());
    TGMAP_SUCCEEDED(sink.sync());
    old.check("old");
  }
  old.check(bytes(300000, 'x'));  // the destructor of a sink without errors replaces it
}

BOOST_AUTO_TEST_CASE(an_old_file_stays_after_a_failed_write) {
  const old_file old;
  for (const bool closes : {true, false}) {
    file_sink sink(old.path, {.buffer_size = 0});
    {
      const size_limit limit(5);
      BOOST_TEST((sink.write(as_bytes("too long")).code == std::errc::file_too_large));
    }
    TGMAP_SUCCEEDED(sink.write(as_bytes("more")));
    tgmap::failure why;
    if (closes) sink.close(why);
    BOOST_TEST((why.code == std::errc::file_too_large) == closes);
  }
  old.check("old");
}

BOOST_AUTO_TEST_CASE(an_old_file_stays_if_an_exception_unwinds) {
  const old_file old;
  const auto new_path = old.here / "new";
  try {
    file_sink sink(old.path), other(new_path);
    TGMAP_SUCCEEDED(sink.write(as_bytes("half")));
    TGMAP_SUCCEEDED(other.write(as_bytes("half")));
    throw std::runtime_error("of the program");
  } catch (const std::runtime_error&) {
    // A sink that is made and destroyed while an exception is handled is not affected.
    file_sink(old.here / "third").close();
  }
  BOOST_TEST(read_file(new_path) == "half");  // what was written of a new file stays
  std::filesystem::remove(new_path);
  std::filesystem::remove(old.here / "third");
  old.check("old");
}

BOOST_AUTO_TEST_CASE(an_old_file_stays_if_it_is_abandoned) {
  const old_file old;
  file_sink sink(old.path);
  TGMAP_SUCCEEDED(sink.write(as_bytes("half")));
  tgmap::failure why;
  sink.abandon(why);
  TGMAP_SUCCEEDED(why);
  TGMAP_FAILED(sink.write(as_bytes("x")), tgmap::errc::call_out_of_order);
  old.check("old");
}

BOOST_AUTO_TEST_CASE(an_old_file_stays_if_a_stream_has_no_end) {
  for (const bool finishes : {true, false}) {
    const old_file old;
    file_sink sink(old.path);
    tgmap::stream_writer stream(sink);
    if (finishes) stream.finish();
    tgmap::failure why;
    sink.close(why);
    if (finishes) {
      TGMAP_SUCCEEDED(why);
      BOOST_TEST(read_file(old.path).starts_with("TENSOGRM"));
    } else {
      TGMAP_FAILED(why, tgmap::errc::incomplete_message);
      old.check("old");
    }
  }
}

BOOST_AUTO_TEST_CASE(an_old_file_stays_if_a_message_was_refused) {
  for (const bool closes : {false, true}) {
    const old_file old;
    {
      file_sink sink(old.path);
      tgmap::writer writer(sink);
      tgmap::failure why;
      writer.write(tgmap::new_message(), why);
      TGMAP_SUCCEEDED(why);
      writer.write(tgmap::message(), why);
      TGMAP_FAILED(why, tgmap::errc::no_archive);
      BOOST_TEST(sink.keeps_older());
      if (closes) sink.close();  // the program knows what it does
    }
    BOOST_TEST((read_file(old.path) == "old") == !closes);
  }
}

BOOST_AUTO_TEST_CASE(an_old_file_stays_if_a_stream_cannot_begin) {
  const old_file old;
  {
    file_sink sink(old.path);
    tgmap::failure why;
    const tgmap::stream_writer stream(sink, tgmap::cbor_value::map({{"_reserved_", 1}}), why);
    TGMAP_FAILED(why, tgmap::errc::reserved_key);
  }
  old.check("old");
}

BOOST_AUTO_TEST_CASE(an_old_file_stays_if_a_writer_cannot_begin) {
  const old_file old;
  {
    file_sink sink(old.path);
    tgmap::failure why;
    const tgmap::writer writer(sink, {.version = 7}, why);
    BOOST_TEST(static_cast<bool>(why));
  }
  old.check("old");
}

BOOST_AUTO_TEST_CASE(a_stream_that_could_not_begin_takes_nothing_away) {
  const old_file old;
  file_sink sink(old.path);
  tgmap::writer(sink).write(tgmap::new_message());
  tgmap::failure why;
  const tgmap::stream_writer stream(sink, tgmap::cbor_value::map({{"_reserved_", 1}}), why);
  TGMAP_FAILED(why, tgmap::errc::reserved_key);
  sink.close();
  BOOST_TEST(read_file(old.path).starts_with("TENSOGRM"));
}

BOOST_AUTO_TEST_CASE(the_index_is_that_in_the_folder) {
  const old_file old;
  const temporary_directory elsewhere;
  const auto index = old.here.file("a.tgm.tgx", "TGMINDEX"), other = elsewhere.file("a.tgm.tgx", "TGMINDEX");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(old.here.path());
  file_sink sink("a.tgm");
  std::filesystem::current_path(elsewhere.path());
  sink.close();
  std::filesystem::current_path(before);
  BOOST_TEST(!std::filesystem::exists(index));
  BOOST_TEST(std::filesystem::exists(other));
}

BOOST_AUTO_TEST_CASE(permissions_and_other_names_of_an_old_file) {
  const old_file old;
  ::chmod(old.path.c_str(), 0600);
  std::filesystem::create_hard_link(old.path, old.here / "other");
  std::filesystem::create_symlink("a.tgm", old.here / "link");
  const bool has_list = give_access_list(old.path, access_list_for_one);
  file_sink sink(old.here / "link");
  TGMAP_SUCCEEDED(sink.write(as_bytes("new")));
  sink.close();
  BOOST_TEST(std::filesystem::is_symlink(old.here / "link"));
  BOOST_TEST(read_file(old.path) == "new");
  BOOST_TEST(read_file(old.here / "other") == "old");
  if (has_list) BOOST_TEST((access_list_of(old.path) == access_list_for_one));
  struct stat facts {};
  BOOST_REQUIRE(::stat(old.path.c_str(), &facts) == 0);
  BOOST_TEST((facts.st_mode & 0777) == (has_list ? access_list_mode : 0600u));
}

BOOST_AUTO_TEST_CASE(what_may_not_be_written_stays) {
  const old_file old;
  ::chmod(old.path.c_str(), 0444);
  std::filesystem::create_directory(old.here / "folder");
  write_file(old.here / "folder/a.tgm", "old");
  ::chmod((old.here / "folder").c_str(), 0555);
  const auto refused = [](const std::filesystem::path& path, const char* argument) {
    return ended([&] {  // a user without the rights of root
      if (::geteuid() == 0 && ::setresuid(12345, 12345, 12345) != 0) return false;
      tgmap::failure why;
      const file_sink sink(path, why);
      const std::string_view found = why.argument == nullptr ? "" : why.argument;
      return why.code == std::errc::permission_denied && found == argument;
    });
  };
  ::chmod(old.here.path().c_str(), 0755);
  BOOST_TEST(refused(old.path, "") == 0);
  BOOST_TEST(refused(old.here / "folder/new", "the folder of the file") == 0);
  ::chmod((old.here / "folder/a.tgm").c_str(), 0666);
  BOOST_TEST(refused(old.here / "folder/a.tgm", "the folder of the file") == 0);
  BOOST_TEST(read_file(old.here / "folder/a.tgm") == "old");
  ::chmod((old.here / "folder").c_str(), 0755);
}

BOOST_AUTO_TEST_CASE(an_exclusive_file_is_new) {
  const old_file old;
  tgmap::failure why;
  const file_sink refused(old.path, {.exclusive = true}, why);
  BOOST_TEST((why.code == std::errc::file_exists));
  old.check("old");
  file_sink sink(old.here / "new", {.exclusive = true}, why);
  TGMAP_SUCCEEDED(why);
}

BOOST_AUTO_TEST_CASE(a_child_made_by_fork_changes_nothing) {
  for (const bool is_old : {true, false}) {
    const old_file old;
    const auto path = is_old ? old.path : old.here / "new";
    std::optional<file_sink> sink(std::in_place, path);
    TGMAP_SUCCEEDED(sink->write(as_bytes("buffered ")));
    const int status = ended([&] {
      tgmap::failure why;
      if (sink->write(as_bytes("of the child")).code != tgmap::errc::call_out_of_order) return false;
      if (sink->flush().code != tgmap::errc::call_out_of_order) return false;
      sink->close(why);
      sink.reset();
      return why.code == tgmap::errc::call_out_of_order;
    });
    BOOST_TEST(status == 0);
    BOOST_TEST(read_file(path) == (is_old ? "old" : ""));
    TGMAP_SUCCEEDED(sink->write(as_bytes("of the parent")));
    sink->close();
    BOOST_TEST(read_file(path) == "buffered of the parent");
  }
}

BOOST_AUTO_TEST_CASE(a_child_does_not_write_what_its_parent_has_buffered) {
  const temporary_directory here;
  const auto path = here / "a";
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  std::optional<tgmap::descriptor_sink> sink(std::in_place, descriptor);
  TGMAP_SUCCEEDED(sink->write(as_bytes("once")));
  BOOST_TEST(ended([&] { sink.reset(); }) == 0);
  sink.reset();
  ::close(descriptor);
  BOOST_TEST(read_file(path) == "once");
}

BOOST_AUTO_TEST_SUITE_END()
