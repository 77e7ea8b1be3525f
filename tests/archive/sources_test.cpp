// SPDX-License-Identifier: Apache-2.0
// All ways to open an archive.
#include <fcntl.h>
#include <unistd.h>
#include <boost/iostreams/device/array.hpp>
#include <boost/test/unit_test.hpp>
#include <sstream>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/temporary.hpp>
#include <tgmap/adapters/iostreams.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(sources_test)

namespace {

const bytes data = mixed_archive(7);

void check_whole(const tgmap::archive& archive) {
  BOOST_TEST(static_cast<bool>(archive));
  BOOST_TEST(archive.size_bytes() == data.size());
  BOOST_TEST_REQUIRE(archive.size() == 7u);
  for (const auto& m : archive) BOOST_TEST(sound(m));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_file_is_mapped_or_read_as_requested) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", data);
  const tgmap::archive mapped(path, {.io = tgmap::io_mode::map}), read(path, {.io = tgmap::io_mode::read}),
      chosen(path);
  BOOST_TEST(mapped.mode() == tgmap::io_mode::map);
  BOOST_TEST(read.mode() == tgmap::io_mode::read);
  BOOST_TEST((chosen.mode() == tgmap::io_mode::map || chosen.mode() == tgmap::io_mode::read));
  for (const auto* archive : {&mapped, &read, &chosen}) {
    check_whole(*archive);
    BOOST_TEST_REQUIRE(archive->mode_reason() != nullptr);
    BOOST_TEST(std::string(archive->mode_reason()) != "");
  }
  BOOST_TEST(read.options().io == tgmap::io_mode::read);
}

BOOST_AUTO_TEST_CASE(memory_is_not_copied) {
  const auto archive = tgmap::archive::from_memory(span_of(data));
  check_whole(archive);
  BOOST_TEST(static_cast<const void*>(archive[0].bytes().data()) == static_cast<const void*>(data.data()));
  BOOST_TEST(tgmap::archive::from_memory(std::span<const std::byte>()).size() == 0u);
}

BOOST_AUTO_TEST_CASE(moved_memory_is_owned) {
  const auto owned = [] {
    const auto borrowed = span_of(data);
    return std::vector<std::byte>(borrowed.begin(), borrowed.end());
  };
  tgmap::archive archive = tgmap::archive::from_memory(owned());
  check_whole(archive);
  BOOST_TEST(archive.is_in_memory());
  const tgmap::archive again = archive.reopen();
  const std::span<const std::byte> first = archive[0].bytes();
  const tgmap::pin pin = archive.pin();
  archive = {};
  BOOST_TEST((bytes(reinterpret_cast<const char*>(first.data()), first.size()) == data.substr(0, first.size())));
  check_whole(again);

  tgmap::failure why;
  check_whole(tgmap::archive::from_memory(owned(), why));
  BOOST_TEST(!why);
  check_whole(tgmap::archive::from_memory(owned(), {.damage = tgmap::on_damage::skip}, why));
  BOOST_TEST(!tgmap::archive::from_memory(owned(), {.offset = data.size() + 1}, why));
  TGMAP_FAILED(why, tgmap::errc::invalid_option);
}

BOOST_AUTO_TEST_CASE(options_may_be_omitted) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", data);
  tgmap::failure why;
  check_whole(tgmap::archive::open(path, why));
  BOOST_TEST(!why);
  check_whole(tgmap::archive::from_memory(span_of(data), why));
  BOOST_TEST(!why);
  std::istringstream stream(data);
  check_whole(tgmap::archive::from_stream(stream, why));
  BOOST_TEST(!why);
  BOOST_TEST(!tgmap::archive::from_descriptor(-1, why));
  BOOST_TEST((why.code == std::errc::bad_file_descriptor));
}

BOOST_AUTO_TEST_CASE(a_path_that_leads_to_another_file) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", data), other = temporary.file("b.tgm", data);
  const auto link = temporary.path() / "link.tgm";
  std::filesystem::create_symlink("a.tgm", link);
  std::filesystem::create_hard_link(path, temporary.path() / "kept.tgm");  // its number is not used again
  const tgmap::archive opened(path), linked(link), again = opened.reopen();
  BOOST_TEST(!opened.is_replaced());
  BOOST_TEST(!linked.is_replaced());
  temporary.file("a.tgm", data + data);  // the same file
  BOOST_TEST(!opened.is_replaced());
  std::filesystem::remove(path);
  tgmap::failure why;
  BOOST_TEST(!opened.is_replaced(why));
  TGMAP_SUCCEEDED(why);
  std::filesystem::rename(other, path);
  for (const tgmap::archive* each : {&opened, &linked, &again}) BOOST_TEST(each->is_replaced());
  BOOST_TEST(opened.reopen().is_replaced());
  BOOST_TEST(!tgmap::archive(path).is_replaced());
  std::filesystem::remove(link);
  std::filesystem::create_symlink("kept.tgm", link);
  BOOST_TEST(!linked.is_replaced());
  std::filesystem::remove(link);
  std::filesystem::create_symlink("link.tgm", link);
  BOOST_TEST(!linked.is_replaced(why));
  BOOST_TEST((why.code == std::errc::too_many_symbolic_link_levels));
  BOOST_CHECK_THROW(static_cast<void>(linked.is_replaced()), tgmap::error);
  BOOST_TEST(!tgmap::archive::from_memory(span_of(data)).is_replaced());
  TGMAP_THROWS(static_cast<void>(tgmap::archive().is_replaced()), tgmap::errc::no_archive);
}

BOOST_AUTO_TEST_CASE(a_relative_path_stays_the_one_that_was_opened) {
  const temporary_directory temporary;
  const auto before = std::filesystem::current_path();
  temporary.file("a.tgm", data);
  std::filesystem::current_path(temporary.path());
  const tgmap::archive archive("a.tgm");
  std::filesystem::create_directory("other");
  std::filesystem::copy_file("a.tgm", "other/a.tgm");
  std::filesystem::current_path("other");
  BOOST_TEST(!archive.is_replaced());
  std::filesystem::current_path(before);
  BOOST_TEST(!archive.is_replaced());
}

BOOST_AUTO_TEST_CASE(an_archive_is_complete_once_its_scan_is) {
  tgmap::failure why;
  const auto archive = open(data);
  BOOST_TEST(!archive.is_complete());
  BOOST_TEST(archive.scan(why).is_complete);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST((archive.is_complete() && !archive.incomplete_tail()));
  static_cast<void>(tgmap::archive().scan(why));
  TGMAP_FAILED(why, tgmap::errc::no_archive);
}

BOOST_AUTO_TEST_CASE(errors_of_opening_name_the_file) {
  const temporary_directory temporary;
  const std::string path = temporary.file("a.tgm", data).string(), absent = path + ".not";
  try {
    const tgmap::archive archive(absent);
    BOOST_ERROR("nothing was thrown");
  } catch (const tgmap::error& thrown) {
    BOOST_TEST(thrown.what() == "cannot open '" + absent + "': " + std::system_category().message(ENOENT));
    BOOST_TEST((thrown.code() == std::errc::no_such_file_or_directory));
  }
  try {
    const tgmap::archive archive(path, {.max_cbor_depth = 5000});
    BOOST_ERROR("nothing was thrown");
  } catch (const tgmap::error& thrown) {
    BOOST_TEST(thrown.what() == "cannot open '" + path + "': open_options::max_cbor_depth: invalid option value 5000");
  }
}

BOOST_AUTO_TEST_CASE(invalid_options_are_named) {
  tgmap::failure why;
  const auto named = [&](const tgmap::open_options& options) {
    BOOST_TEST(!tgmap::archive::from_memory(span_of(data), options, why));
    return std::string(why.argument == nullptr ? "" : why.argument);
  };
  BOOST_TEST(named({.offset = data.size() + 1}) == "open_options::offset");
  BOOST_TEST(named({.length = data.size() + 1}) == "open_options::length");
  BOOST_TEST(named({.max_cbor_depth = 5000}) == "open_options::max_cbor_depth");
}

BOOST_AUTO_TEST_CASE(a_descriptor_is_duplicated_and_keeps_its_position) {
  const temporary_directory temporary;
  const int fd = ::open(temporary.file("a.tgm", data).c_str(), O_RDONLY | O_CLOEXEC);
  BOOST_TEST_REQUIRE(fd >= 0);
  BOOST_TEST(::lseek(fd, 5, SEEK_SET) == 5);
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    const auto archive = tgmap::archive::from_descriptor(fd, {.io = mode});
    check_whole(archive);
    BOOST_TEST(::lseek(fd, 0, SEEK_CUR) == 5);
  }
  const auto archive = tgmap::archive::from_descriptor(fd, {.io = tgmap::io_mode::read});
  ::close(fd);
  check_whole(archive);
}

BOOST_AUTO_TEST_CASE(a_closed_descriptor_is_an_error) {
  tgmap::failure why;
  const auto archive = tgmap::archive::from_descriptor(-1, {}, why);
  BOOST_TEST(!archive);
  BOOST_TEST((why.code == std::errc::bad_file_descriptor));
  BOOST_TEST((why.code == tgmap::make_error_condition(tgmap::condition::io)));
}

BOOST_AUTO_TEST_CASE(a_stream_is_read_to_its_end) {
  std::istringstream stream(data);
  check_whole(tgmap::archive::from_stream(stream));
  std::istringstream none;
  BOOST_TEST(tgmap::archive::from_stream(none).size() == 0u);
  std::istringstream middle("skipped" + data);
  middle.ignore(7);
  check_whole(tgmap::archive::from_stream(middle));
}

BOOST_AUTO_TEST_CASE(a_stream_that_fails_is_an_error) {
  std::istringstream stream(data);
  stream.setstate(std::ios::badbit);
  tgmap::failure why;
  const auto archive = tgmap::archive::from_stream(stream, {}, why);
  BOOST_TEST(!archive);
  BOOST_TEST(static_cast<bool>(why));
  BOOST_TEST((why.code == tgmap::make_error_condition(tgmap::condition::io)));
}

BOOST_AUTO_TEST_CASE(a_boost_source_is_read_to_its_end) {
  check_whole(tgmap::archive_from_source(boost::iostreams::array_source(data.data(), data.size())));
}

BOOST_AUTO_TEST_CASE(an_archive_inside_another_file_has_offsets_of_its_own) {
  const temporary_directory temporary;
  for (const std::size_t lead : {std::size_t{1}, std::size_t{3}, std::size_t{4096}, std::size_t{5000}}) {
    const auto path = temporary.file("container", bytes(lead, '#') + data + "trailer");
    for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
      const tgmap::archive archive(path, {.io = mode, .offset = lead, .length = data.size()});
      BOOST_TEST_CONTEXT("at " << lead << " by " << mode) {
        check_whole(archive);
        BOOST_TEST(archive[0].offset() == 0u);
        BOOST_TEST(number_of(archive.back()) == 6u);
      }
    }
    const bytes all = read_file(path);
    check_whole(tgmap::archive::from_memory(span_of(all), {.offset = lead, .length = data.size()}));
    const tgmap::archive open_end(path, {.damage = tgmap::on_damage::skip, .offset = lead});
    BOOST_TEST(open_end.size_bytes() == data.size() + 7);
    BOOST_TEST(open_end.size() == 7u);
    BOOST_TEST(open_end.gaps().size() == 1u);
  }
}

BOOST_AUTO_TEST_CASE(an_offset_at_the_end_is_an_archive_without_bytes) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", data);
  BOOST_TEST(tgmap::archive(path, {.offset = data.size()}).size() == 0u);
  BOOST_TEST(tgmap::archive(path, {.length = 0}).size() == 0u);
}

BOOST_AUTO_TEST_CASE(an_offset_beyond_the_file_is_an_error) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", data);
  tgmap::failure why;
  const auto archive = tgmap::archive::open(path, {.offset = data.size() + 1}, why);
  BOOST_TEST(!archive);
  TGMAP_FAILED(why, tgmap::errc::invalid_option);
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_an_error_with_its_name) {
  const temporary_directory temporary;
  tgmap::failure why;
  const auto archive = tgmap::archive::open(temporary / "absent.tgm", {}, why);
  BOOST_TEST(!archive);
  BOOST_TEST((why.code == std::errc::no_such_file_or_directory));
  BOOST_TEST((why.code == tgmap::make_error_condition(tgmap::condition::io)));
  BOOST_CHECK_THROW(tgmap::archive(temporary / "absent.tgm"), tgmap::error);
}

BOOST_AUTO_TEST_CASE(a_directory_is_not_an_archive) {
  const temporary_directory temporary;
  TGMAP_THROWS(tgmap::archive(temporary.path()), tgmap::errc::is_directory);
  const int fd = ::open(temporary.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  TGMAP_THROWS(tgmap::archive::from_descriptor(fd), tgmap::errc::is_directory);
  ::close(fd);
}

BOOST_AUTO_TEST_SUITE_END()
