// SPDX-License-Identifier: Apache-2.0
// Files that appear as a whole.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <iterator>
#include <stdexcept>
#include <support/access_list.hpp>
#include <support/temporary.hpp>
#include <tgmap/detail/output_file.hpp>
#include <thread>

using tgmap::errc;
using tgmap::failure;
using tgmap::detail::output_location;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(output_files)

namespace {

void raise_if(const failure& why) { tgmap::detail::raise_if(why); }

output_location resolve(const std::filesystem::path& path) {
  failure why;
  output_location out = output_location::resolve(path, why);
  raise_if(why);
  return out;
}

/// An output_file that appears when it is complete, and throws.
class output_file {
 public:
  using replacement = tgmap::detail::output_file::replacement;
  explicit output_file(output_location place)
      : file_(std::move(place), tgmap::detail::output_file::appearance::complete, why_) {
    raise_if(why_);
  }
  void write(std::span<const std::byte> data) { raise_if(file_.write(data)); }
  void suspend() { raise_if(file_.suspend()); }
  void sync() { raise_if(file_.sync()); }
  void publish(replacement existing) { raise_if(file_.publish(existing)); }
  int descriptor() {
    const int out = file_.descriptor(why_);
    raise_if(why_);
    return out;
  }

 private:
  failure why_{};
  tgmap::detail::output_file file_;
};

void write(output_file& out, std::string_view text) { out.write(span_of(text)); }

constexpr auto replace = output_file::replacement::allowed, refuse = output_file::replacement::refused;

std::size_t entries(const temporary_directory& files) {
  const std::filesystem::directory_iterator all(files.path());
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

/// Returns the temporary name of the only file that is being written there.
std::filesystem::path temporary_name(const temporary_directory& files) {
  for (const auto& each : std::filesystem::directory_iterator(files.path()))
    if (each.path().filename().string().starts_with(".tgmap-")) return each.path();
  throw std::runtime_error("no temporary file");
}

mode_t mode_of(const std::filesystem::path& path) {
  struct stat facts {};
  ::stat(path.c_str(), &facts);
  return facts.st_mode & 07777;
}

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_is_there_before_it_is_published) {
  const temporary_directory files;
  output_file out(resolve(files / "o"));
  write(out, "abc");
  BOOST_TEST(!std::filesystem::exists(files / "o"));
  write(out, "def");
  out.publish(replace);
  BOOST_TEST(read_file(files / "o") == "abcdef");
  BOOST_TEST(entries(files) == 1u);
}

BOOST_AUTO_TEST_CASE(unless_it_is_published_nothing_is_left) {
  const temporary_directory files;
  const auto path = files.file("o", "old");
  {
    output_file out(resolve(path));
    write(out, "new");
  }
  BOOST_TEST(read_file(path) == "old");
  BOOST_TEST(entries(files) == 1u);
}

BOOST_AUTO_TEST_CASE(a_replaced_file_keeps_its_permissions) {
  const temporary_directory files;
  const auto path = files.file("o", "a longer old text");
  ::chmod(path.c_str(), 0640);
  output_file out(resolve(path));
  write(out, "new");
  out.publish(replace);
  BOOST_TEST(read_file(path) == "new");
  BOOST_TEST(mode_of(path) == 0640u);
}

BOOST_AUTO_TEST_CASE(nobody_gets_what_an_access_list_kept_from_them) {
  const temporary_directory files;
  const auto path = files.file("o", "old");
  if (!give_access_list(path, access_list_for_one)) return;  // a file system without lists
  BOOST_TEST_REQUIRE(mode_of(path) == access_list_mode);
  output_file out(resolve(path));
  out.publish(replace);
  BOOST_TEST((access_list_of(path) == access_list_for_one));
  BOOST_TEST(mode_of(path) == access_list_mode);
}

BOOST_AUTO_TEST_CASE(a_folder_gives_nobody_what_the_old_file_did_not) {
  const temporary_directory files;
  const auto path = files.file("o", "old");
  ::chmod(path.c_str(), 0640);
  if (!give_access_list(files.path(), access_list_for_one, default_list_name)) return;
  output_file out(resolve(path)), other(resolve(files / "new"));
  out.publish(replace);
  other.publish(replace);
  BOOST_TEST(access_list_of(path).empty());
  BOOST_TEST(mode_of(path) == 0640u);
  BOOST_TEST(!access_list_of(files / "new").empty());  // as the folder wants it
}

BOOST_AUTO_TEST_CASE(the_output_is_readable_whatever_its_permissions) {
  const temporary_directory files;
  const auto path = files.file("o", "old");
  ::chmod(path.c_str(), 0222);
  output_file out(resolve(path));
  write(out, "new");
  char found[3] = {};
  BOOST_TEST(::pread(out.descriptor(), found, sizeof found, 0) == 3);
  BOOST_TEST(std::string_view(found, 3) == "new");
  out.publish(replace);
  BOOST_TEST(mode_of(path) == 0222u);
}

BOOST_AUTO_TEST_CASE(a_new_file_has_the_permissions_that_the_umask_leaves) {
  const temporary_directory files;
  const mode_t kept = ::umask(027);
  output_file out(resolve(files / "o"));
  out.publish(replace);
  ::umask(kept);
  BOOST_TEST(mode_of(files / "o") == 0640u);
}

BOOST_AUTO_TEST_CASE(a_link_stays_a_link) {
  const temporary_directory files;
  const auto path = files.file("o", "old");
  std::filesystem::create_symlink("o", files / "link");
  output_file out(resolve(files / "link"));
  write(out, "new");
  out.publish(replace);
  BOOST_TEST(std::filesystem::is_symlink(files / "link"));
  BOOST_TEST(read_file(path) == "new");
}

BOOST_AUTO_TEST_CASE(a_name_as_long_as_possible_works) {
  const temporary_directory files;
  const std::string name(255, 'x');
  output_file out(resolve(files / name));
  out.publish(replace);
  BOOST_TEST(std::filesystem::exists(files / name));
}

BOOST_AUTO_TEST_CASE(two_at_once_do_not_meet) {
  const temporary_directory files;
  output_file a(resolve(files / "a")), b(resolve(files / "b"));
  write(a, "a");
  write(b, "b");
  a.publish(replace);
  b.publish(replace);
  BOOST_TEST(read_file(files / "a") + read_file(files / "b") == "ab");
}

BOOST_AUTO_TEST_CASE(errors_are_those_of_the_system) {
  const temporary_directory files;
  const auto expect = [](const std::filesystem::path& path, int number) {
    BOOST_CHECK_EXCEPTION(output_file(resolve(path)), tgmap::error,
                          [&](const tgmap::error& why) { return why.code().value() == number; });
  };
  expect(files.path(), EISDIR);
  expect(files / "gone" / "o", ENOENT);
  expect(files.file("f", "") / "o", ENOTDIR);
}

BOOST_AUTO_TEST_CASE(a_device_is_written_as_it_is) {
  output_file out(resolve("/dev/null"));
  write(out, "abc");
  out.publish(replace);
  BOOST_TEST(std::filesystem::is_character_file("/dev/null"));
  output_file full(resolve("/dev/full"));
  BOOST_CHECK_THROW(write(full, "abc"), tgmap::error);
}

BOOST_AUTO_TEST_CASE(a_link_to_nothing_yet_makes_its_target) {
  const temporary_directory files;
  std::filesystem::create_directory(files / "d");
  std::filesystem::create_symlink("d/second", files / "first");
  std::filesystem::create_symlink("o", files / "d" / "second");
  output_file out(resolve(files / "first"));
  write(out, "new");
  out.publish(replace);
  BOOST_TEST(std::filesystem::is_symlink(files / "first"));
  BOOST_TEST(std::filesystem::is_symlink(files / "d" / "second"));
  BOOST_TEST(read_file(files / "d" / "o") == "new");
}

BOOST_AUTO_TEST_CASE(links_in_a_circle_are_an_error) {
  const temporary_directory files;
  std::filesystem::create_symlink("b", files / "a");
  std::filesystem::create_symlink("a", files / "b");
  BOOST_CHECK_EXCEPTION(resolve(files / "a"), tgmap::error,
                        [](const tgmap::error& why) { return why.code().value() == ELOOP; });
}

BOOST_AUTO_TEST_CASE(a_suspended_file_continues_at_its_end) {
  const temporary_directory files;
  output_file out(resolve(files / "o"));
  out.suspend();  // twice, and of nothing
  out.suspend();
  for (const char* text : {"abc", "", "defg"}) {
    write(out, text);
    out.suspend();
    BOOST_TEST(!std::filesystem::exists(files / "o"));
    BOOST_TEST(entries(files) == 1u);
  }
  out.sync();
  out.publish(replace);
  BOOST_TEST(read_file(files / "o") == "abcdefg");
  BOOST_TEST(entries(files) == 1u);
}

BOOST_AUTO_TEST_CASE(a_suspended_file_that_is_not_published_is_removed) {
  const temporary_directory files;
  {
    output_file out(resolve(files / "o"));
    write(out, "abc");
    out.suspend();
  }
  BOOST_TEST(entries(files) == 0u);
}

BOOST_AUTO_TEST_CASE(a_file_that_appeared_is_not_replaced_if_refused) {
  for (const bool parked : {false, true}) {
    const temporary_directory files;
    output_file out(resolve(files / "o"));
    write(out, "ours");
    if (parked) out.suspend();
    files.file("o", "theirs");
    BOOST_CHECK_EXCEPTION(out.publish(refuse), tgmap::error,
                          [](const tgmap::error& why) { return why.code().value() == EEXIST; });
    BOOST_TEST(read_file(files / "o") == "theirs");
    out.publish(replace);
    BOOST_TEST(read_file(files / "o") == "ours");
  }
}

BOOST_AUTO_TEST_CASE(a_file_with_the_name_of_a_suspended_one_is_not_written) {
  struct way {
    const char* what;
    void (*put)(const std::filesystem::path& name, const std::filesystem::path& victim);
  };
  const way ways[] = {
      {"nothing", [](const auto&, const auto&) {}},
      {"a link", [](const auto& name, const auto& victim) { std::filesystem::create_symlink(victim, name); }},
      {"another name of a file",
       [](const auto& name, const auto& victim) { std::filesystem::create_hard_link(victim, name); }},
      {"a link to nothing",
       [](const auto& name, const auto& victim) { std::filesystem::create_symlink(victim / "x", name); }},
      {"a pipe that nobody reads", [](const auto& name, const auto&) { ::mkfifo(name.c_str(), 0666); }},
      {"a folder", [](const auto& name, const auto&) { std::filesystem::create_directory(name); }},
      {"another file", [](const auto& name, const auto&) { write_file(name, "theirs"); }}};
  for (const way& each : ways)
    for (const bool only_published : {false, true}) BOOST_TEST_CONTEXT(each.what) {
        const temporary_directory files, elsewhere;
        const auto path = files.file("o", "old"), victim = elsewhere.file("victim", "kept");
        output_file out(resolve(path));
        write(out, "abc");
        out.suspend();
        const auto name = temporary_name(files);
        std::filesystem::remove(name);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // a file made at once can be given the same number
        each.put(name, victim);
        BOOST_CHECK_EXCEPTION(only_published ? out.publish(replace) : write(out, "def"), tgmap::error,
                              [](const tgmap::error& why) { return why.code() == errc::output_changed; });
        BOOST_TEST(read_file(victim) == "kept");
        BOOST_TEST(read_file(path) == "old");
      }
}

BOOST_AUTO_TEST_CASE(a_folder_that_gets_the_path_later_is_not_written) {
  for (const bool there : {false, true}) {
    const temporary_directory files, elsewhere;
    std::filesystem::create_directory(files / "d");
    if (there) write_file(files / "d" / "o", "old");
    elsewhere.file("o", "kept");
    output_file parked(resolve(files / "d" / "o")), open(resolve(files / "d" / "p"));
    write(parked, "abc");
    parked.suspend();
    std::filesystem::rename(files / "d", files / "e");
    std::filesystem::create_directory_symlink(elsewhere.path(), files / "d");
    write(parked, "def");
    parked.suspend();
    parked.publish(replace);
    write(open, "xyz");
    open.publish(refuse);
    BOOST_TEST(read_file(files / "e" / "o") == "abcdef");
    BOOST_TEST(read_file(files / "e" / "p") == "xyz");
    BOOST_TEST(read_file(elsewhere / "o") == "kept");
    BOOST_TEST(entries(elsewhere) == 1u);
  }
}

BOOST_AUTO_TEST_CASE(a_temporary_name_is_removed_from_its_folder) {
  const temporary_directory files, elsewhere;
  std::filesystem::create_directory(files / "d");
  std::filesystem::path copy;
  {
    output_file out(resolve(files / "d" / "o"));
    out.suspend();
    const auto name = std::filesystem::directory_iterator(files / "d")->path().filename();
    copy = elsewhere.file(name.string(), "of the same name");
    std::filesystem::rename(files / "d", files / "e");
    std::filesystem::create_directory_symlink(elsewhere.path(), files / "d");
  }
  BOOST_TEST(read_file(copy) == "of the same name");
  BOOST_TEST(std::filesystem::is_empty(files / "e"));
}

BOOST_AUTO_TEST_CASE(a_pipe_that_was_swapped_is_not_written) {
  for (const bool link : {false, true}) {
    const temporary_directory files;
    const auto path = files / "pipe", victim = files.file("victim", "kept");
    ::mkfifo(path.c_str(), 0666);
    const output_location found = resolve(path);
    std::filesystem::remove(path);
    link ? std::filesystem::create_symlink(victim, path) : std::filesystem::create_hard_link(victim, path);
    BOOST_CHECK_THROW(output_file{found}, tgmap::error);
    BOOST_TEST(read_file(victim) == "kept");
  }
}

BOOST_AUTO_TEST_CASE(a_file_put_there_later_gives_nobody_access) {
  const temporary_directory files;
  const auto path = files.file("o", "old");
  ::chmod(path.c_str(), 0660);
  const output_location found = resolve(path);
  std::filesystem::remove(path);
  files.file("o", "theirs");
  if (!give_access_list(path, access_list_for_one)) return;  // a file system without lists
  output_file out(found);
  out.publish(replace);
  BOOST_TEST(access_list_of(path).empty());
  BOOST_TEST(mode_of(path) == 0600u);  // what a list of the old file said of the group is not known
}

BOOST_AUTO_TEST_CASE(a_link_is_read_in_the_folder_that_it_was_found_in) {
  const temporary_directory files;
  std::filesystem::create_directories(files / "a/b");
  std::filesystem::create_directories(files / "c");
  std::filesystem::create_directory_symlink("a/b", files / "short");
  std::filesystem::create_symlink("../../c/o", files / "a/b/link");
  write_file(files / "c/o", "old");
  output_file out(resolve(files / "short/link"));
  write(out, "new");
  out.publish(replace);
  BOOST_TEST(read_file(files / "c/o") == "new");
  BOOST_TEST(std::filesystem::is_symlink(files / "a/b/link"));
}

BOOST_AUTO_TEST_CASE(an_inherited_file_is_written_where_it_is) {
  const temporary_directory files;
  const auto path = files.file("o", "12345");
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND);
  output_file out(resolve("/dev/fd/" + std::to_string(descriptor)));
  write(out, "678");
  out.publish(replace);
  BOOST_TEST(read_file(path) == "12345678");
  BOOST_TEST(::close(descriptor) == 0);  // it is still the one who opened it whose it is
}

BOOST_AUTO_TEST_SUITE_END()
