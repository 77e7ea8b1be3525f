// SPDX-License-Identifier: Apache-2.0
// What is not a regular file is not an index: it is neither waited for, nor read, nor replaced. Links to an index have
// owners, too.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <functional>
#include <support/samples.hpp>

#include "indexed.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::index_use;

namespace {

/// Ends the program if a test waits for something that never happens.
struct watched {
  watched() { ::alarm(60); }
  ~watched() { ::alarm(0); }
  temporary_directory temporary;
};

mode_t kind_of(const std::filesystem::path& path) {
  struct ::stat facts {};
  return ::lstat(path.c_str(), &facts) == 0 ? facts.st_mode & S_IFMT : 0;
}

void make_socket(const std::filesystem::path& path) {
  ::sockaddr_un name{};
  name.sun_family = AF_UNIX;
  BOOST_REQUIRE(path.string().size() < sizeof name.sun_path);
  std::strcpy(name.sun_path, path.c_str());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  BOOST_REQUIRE(::bind(socket, reinterpret_cast<const ::sockaddr*>(&name), sizeof name) == 0);
  ::close(socket);
}

struct special_file {
  const char* name;
  std::function<void(const std::filesystem::path&)> make;
};

const std::vector<special_file> special_files{
    {"pipe", [](const auto& path) { BOOST_REQUIRE(::mkfifo(path.c_str(), 0600) == 0); }},
    {"socket", make_socket},
    {"folder", [](const auto& path) { std::filesystem::create_directory(path); }},
    {"link to endless zeros", [](const auto& path) { std::filesystem::create_symlink("/dev/zero", path); }},
    {"link to a folder", [](const auto& path) { std::filesystem::create_symlink("/tmp", path); }},
    {"link to a pipe",
     [](const auto& path) {
       const std::string pipe = path.string() + ".pipe";
       BOOST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
       std::filesystem::create_symlink(pipe, path);
     }},
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(special_files_test, watched)

BOOST_AUTO_TEST_CASE(they_are_refused_and_stay) {
  for (const special_file& each : special_files) {
    BOOST_TEST_CONTEXT(each.name) {
      const temporary_directory folder;
      const auto file = folder.file("a.tgm", mixed_archive(5));
      each.make(index_path(file));
      const mode_t kind = kind_of(index_path(file));
      for (const auto use : {index_use::use, index_use::checked, index_use::create}) {
        const tgmap::archive opened(file, {.index = use});
        BOOST_TEST(!opened.index_status().is_used);
        TGMAP_FAILED(opened.index_status().refusal, errc::not_an_index);
        BOOST_TEST(opened.index_status().refusal.text() == "not an index file");
        BOOST_TEST(opened.size() == 5u);
      }
      const std::string named = index_path(file).string();
      tgmap::failure why;
      BOOST_TEST(!tgmap::archive::open(file, {.index_path = named}, why));
      TGMAP_FAILED(why, errc::not_an_index);
      const tgmap::archive scanned(file, {.index = index_use::none});
      static_cast<void>(tgmap::check_index(scanned, named, {}, why));
      TGMAP_FAILED(why, errc::not_an_index);
      static_cast<void>(tgmap::describe_index(named, why));
      TGMAP_FAILED(why, errc::not_an_index);
      tgmap::memory_sink to;
      static_cast<void>(tgmap::update_index(scanned, named, to, {}, why));
      TGMAP_FAILED(why, errc::not_an_index);
      static_cast<void>(tgmap::write_index(file, {}, why));
      TGMAP_FAILED(why, errc::not_an_index);
      BOOST_TEST(kind_of(index_path(file)) == kind);
    }
  }
}

BOOST_AUTO_TEST_CASE(links_to_an_index_are_followed) {
  const auto file = temporary.file("a.tgm", mixed_archive(5));
  std::filesystem::create_directory(temporary / "elsewhere");
  write_file(temporary / "elsewhere" / "index", index_of(tgmap::archive(file)));
  std::filesystem::create_symlink("elsewhere/link", index_path(file));
  std::filesystem::create_symlink("index", temporary / "elsewhere" / "link");  // from its own folder
  BOOST_TEST(tgmap::archive(file).index_status().is_used);
  std::filesystem::remove(temporary / "elsewhere" / "index");
  BOOST_TEST(!tgmap::archive(file).index_status().refusal);  // there is none
  std::filesystem::create_symlink("link", temporary / "elsewhere" / "index");
  BOOST_TEST((tgmap::archive(file).index_status().refusal.code == std::errc::too_many_symbolic_link_levels));
}

BOOST_AUTO_TEST_CASE(an_index_may_be_named_by_its_descriptor) {
  const auto file = temporary.file("a.tgm", mixed_archive(5));
  const auto elsewhere = temporary.file("elsewhere", index_of(tgmap::archive(file)));
  const int descriptor = ::open(elsewhere.c_str(), O_RDONLY | O_CLOEXEC);
  std::filesystem::remove(elsewhere);  // its name leads nowhere
  const std::string named = "/proc/self/fd/" + std::to_string(descriptor);
  BOOST_TEST(tgmap::archive(file, {.index_path = named}).index_status().is_used);
  BOOST_TEST(tgmap::describe_index(named).messages == 5u);
  ::close(descriptor);
}

BOOST_AUTO_TEST_CASE(the_owner_of_a_link_counts) {
  if (::geteuid() != 0) return;  // only root can give links away
  constexpr uid_t stranger = 12345;
  const auto file = temporary.file("a.tgm", mixed_archive(5));
  const auto elsewhere = temporary.file("elsewhere", index_of(tgmap::archive(file)));
  const auto link = index_path(file), second = temporary / "second";
  const auto expect_refused = [&] {
    const auto status = tgmap::archive(file).index_status();
    BOOST_TEST(!status.is_used);
    TGMAP_FAILED(status.refusal, errc::index_not_owned);
    BOOST_TEST(status.refusal.expected == 0u);
    BOOST_TEST(status.refusal.found == stranger);
    tgmap::failure why;
    static_cast<void>(tgmap::write_index(file, {}, why));
    TGMAP_FAILED(why, errc::index_not_owned);
    BOOST_TEST(kind_of(link) == S_IFLNK);
  };
  std::filesystem::create_symlink(elsewhere, link);
  BOOST_TEST(tgmap::archive(file).index_status().is_used);
  BOOST_REQUIRE(::lchown(link.c_str(), stranger, stranger) == 0);
  expect_refused();
  const std::string named = link.string();
  BOOST_TEST(tgmap::archive(file, {.index_path = named}).index_status().is_used);

  // A link of this user that leads to the link of another one.
  std::filesystem::remove(link);
  std::filesystem::create_symlink(second, link);
  std::filesystem::create_symlink(elsewhere, second);
  BOOST_TEST(tgmap::archive(file).index_status().is_used);
  BOOST_REQUIRE(::lchown(second.c_str(), stranger, stranger) == 0);
  expect_refused();

  // Also if it leads nowhere yet: the index would be written where that user says.
  std::filesystem::remove(elsewhere);
  expect_refused();
}

BOOST_AUTO_TEST_CASE(the_owner_of_the_archive_may_own_its_index) {
  if (::geteuid() != 0) return;
  constexpr uid_t owner = 12345, stranger = 54321;
  const auto file = temporary.file("a.tgm", mixed_archive(5));
  write_index(file);
  const auto give = [](const std::filesystem::path& what, uid_t to) {
    BOOST_REQUIRE(::lchown(what.c_str(), to, to) == 0);
  };
  give(file, owner);
  give(index_path(file), owner);
  BOOST_TEST(tgmap::archive(file).index_status().is_used);
  give(index_path(file), stranger);
  TGMAP_FAILED(tgmap::archive(file).index_status().refusal, errc::index_not_owned);
  std::filesystem::rename(index_path(file), temporary / "elsewhere");
  give(temporary / "elsewhere", owner);
  std::filesystem::create_symlink("elsewhere", index_path(file));
  give(index_path(file), owner);
  BOOST_TEST(tgmap::archive(file).index_status().is_used);
  give(index_path(file), stranger);
  TGMAP_FAILED(tgmap::archive(file).index_status().refusal, errc::index_not_owned);
}

BOOST_AUTO_TEST_SUITE_END()
