// SPDX-License-Identifier: Apache-2.0
// All kinds of sources give the same bytes.
#include "io/source.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "patterned.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::failure;
using tgmap::io_mode;
using tgmap::io::budget;
using tgmap::io::source;

BOOST_AUTO_TEST_SUITE(source_test)

BOOST_AUTO_TEST_CASE(every_mode_reads_the_same_bytes) {
  const bytes data = patterned(300000);
  in_every_source(data, [&](const source& in) {
    BOOST_REQUIRE(in.size() == data.size());
    std::mt19937 random(1);
    for (unsigned round = 0; round < 300; ++round) {
      const std::size_t at = random() % (data.size() + 1),
                        size = std::min<std::size_t>(random() % 5000, data.size() - at);
      const auto expected = std::string_view(data).substr(at, size);
      bytes loaded(size, '?'), read(size, '?');
      TGMAP_SUCCEEDED(in.load(at, std::as_writable_bytes(std::span(loaded))));
      TGMAP_SUCCEEDED(in.read(at, std::as_writable_bytes(std::span(read))));
      failure why;
      const auto viewed = in.view(at, size, budget::payload, why);
      TGMAP_SUCCEEDED(why);
      TGMAP_SUCCEEDED(in.prefetch(at, size));
      BOOST_REQUIRE((loaded == expected));
      BOOST_REQUIRE((read == expected));
      BOOST_REQUIRE((view_of(viewed) == expected));
    }
  });
}

BOOST_AUTO_TEST_CASE(part_of_a_file_is_a_source_that_counts_from_its_own_start) {
  const temporary_directory temporary;
  const bytes data = patterned(20000);
  const auto path = temporary.file("f", data);
  for (const auto mode : {io_mode::map, io_mode::read, io_mode::automatic})
    for (const auto& [offset, length] :
         {std::pair<std::size_t, std::size_t>{0, 20000}, {1, 100}, {4096, 4096}, {4097, 15903}, {20000, 0}}) {
      const auto in = source_of(path, {.io = mode, .offset = offset, .length = length});
      BOOST_REQUIRE(in->size() == length);
      failure why;
      BOOST_TEST((view_of(in->view(0, length, budget::payload, why)) == std::string_view(data).substr(offset, length)));
      if (length < 10) continue;
      bytes out(5, '?');
      TGMAP_SUCCEEDED(in->read(3, std::as_writable_bytes(std::span(out))));
      BOOST_TEST(out == data.substr(offset + 3, 5));
      const bytes needle = data.substr(offset + 4, 6);
      BOOST_TEST(in->find(span_of(needle), 0, length, why) == 4u);
    }
  const auto in = source_of(data, {.offset = 100, .length = 50});
  failure why;
  BOOST_TEST((view_of(in->view(0, 50, budget::payload, why)) == std::string_view(data).substr(100, 50)));
}

BOOST_AUTO_TEST_CASE(ranges_beyond_the_file_are_refused) {
  const temporary_directory temporary;
  const auto path = temporary.file("f", bytes(100, 'x'));
  const bytes memory(100, 'x');
  const std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t> wrong[] = {
      {101, UINT64_MAX, 100, 101},
      {UINT64_MAX, 0, 100, UINT64_MAX},
      {0, 101, 100, 101},
      {60, 41, 40, 41},
      {1, UINT64_MAX - 1, 99, UINT64_MAX - 1}};
  for (const auto& [offset, length, expected, found] : wrong)
    for (const bool in_memory : {false, true}) {
      failure why;
      const tgmap::open_options options{.offset = offset, .length = length};
      const auto out = in_memory ? source::from_memory(span_of(memory), options, why)
                                 : source::from_file(opened(path), options, why);
      BOOST_TEST((out == nullptr));
      TGMAP_FAILED(why, errc::invalid_option);
      BOOST_TEST(why.expected == expected);
      BOOST_TEST(why.found == found);
    }
}

BOOST_AUTO_TEST_CASE(the_mode_is_the_requested_one_with_a_reason) {
  const temporary_directory temporary;
  const auto path = temporary.file("f", "some bytes"), empty = temporary.file("empty", "");
  const auto mapped = source_of(path, {.io = io_mode::map}), read = source_of(path, {.io = io_mode::read});
  BOOST_TEST(mapped->mode() == io_mode::map);
  BOOST_TEST((mapped->mapped() != nullptr));
  BOOST_TEST(read->mode() == io_mode::read);
  BOOST_TEST((read->mapped() == nullptr));
  for (const auto mode : {io_mode::map, io_mode::read, io_mode::automatic}) {
    const auto in = source_of(path, {.io = mode});
    BOOST_TEST(in->mode() != io_mode::automatic);
    BOOST_TEST(std::string_view(in->mode_reason()).size() > 0u);
    const auto nothing = source_of(empty, {.io = mode});
    BOOST_TEST(nothing->size() == 0u);
    BOOST_TEST(nothing->mode_reason() == std::string_view("empty"));
    failure why;
    BOOST_TEST(nothing->view(0, 0, budget::payload, why).empty());
    TGMAP_SUCCEEDED(why);
    TGMAP_SUCCEEDED(nothing->prefetch(0, 0));
    BOOST_TEST(nothing->find(span_of("x"), 0, 0, why) == 0u);
  }
  BOOST_TEST(source_of(bytes("x"))->mode_reason() == std::string_view("in memory"));
}

BOOST_AUTO_TEST_CASE(a_directory_is_not_a_source) {
  const temporary_directory temporary;
  failure why;
  BOOST_TEST((source::from_file(opened(temporary.path()), {}, why) == nullptr));
  TGMAP_FAILED(why, errc::is_directory);
  BOOST_TEST((why.code == tgmap::condition::io));
}

BOOST_AUTO_TEST_CASE(reads_of_a_file_that_has_shrunk_fail_with_archive_offsets) {
  const temporary_directory temporary;
  for (const auto mode : {io_mode::map, io_mode::read}) {
    const auto path = temporary.file("f", patterned(30000));
    const auto in = source_of(path, {.io = mode, .offset = 1000});
    std::filesystem::resize_file(path, 11000);
    bytes out(100, '?');
    const auto into = std::as_writable_bytes(std::span(out));
    TGMAP_SUCCEEDED(in->read(9900, into));
    const failure why = in->read(9950, into);
    TGMAP_FAILED(why, errc::file_shrank);
    BOOST_TEST(why.offset == 9950u);
    BOOST_TEST(why.expected == 100u);
    BOOST_TEST(why.found == 50u);
    if (mode == io_mode::map) continue;
    failure viewed;
    BOOST_TEST(in->view(9950, 100, budget::payload, viewed).empty());
    TGMAP_FAILED(viewed, errc::file_shrank);
    BOOST_TEST(viewed.offset == 9950u);
  }
}

BOOST_AUTO_TEST_CASE(a_reopened_source_sees_appended_bytes) {
  const temporary_directory temporary;
  for (const auto mode : {io_mode::map, io_mode::read}) {
    const auto path = temporary.file("f", patterned(1000));
    const auto before = source_of(path, {.io = mode});
    append_file(path, "appended");
    failure why;
    const auto after = before->refreshed({.io = mode}, why);
    TGMAP_SUCCEEDED(why);
    BOOST_REQUIRE(after != nullptr);
    BOOST_TEST(before->size() == 1000u);
    BOOST_TEST(after->size() == 1008u);
    BOOST_TEST((view_of(after->view(1000, 8, budget::payload, why)) == "appended"));

    std::filesystem::resize_file(path, 999);
    BOOST_TEST((before->refreshed({.io = mode}, why) == nullptr));
    TGMAP_FAILED(why, errc::file_shrank);
    BOOST_TEST(why.expected == 1000u);
    BOOST_TEST(why.found == 999u);
  }
}

BOOST_AUTO_TEST_CASE(a_reopened_source_reads_the_same_file_after_a_rename) {
  const temporary_directory temporary;
  const auto path = temporary.file("f", "first file");
  const auto before = source_of(path, {});
  const auto other = temporary.file("g", "second file, longer");
  std::filesystem::rename(other, path);
  failure why;
  const auto after = before->refreshed({}, why);
  BOOST_REQUIRE(after != nullptr);
  BOOST_TEST((view_of(after->view(0, 10, budget::payload, why)) == "first file"));
  BOOST_TEST(after->size() == 10u);
}

BOOST_AUTO_TEST_CASE(refreshed_memory_is_the_same_memory) {
  const bytes data = patterned(100);
  const auto before = source_of(data, {.offset = 10});
  failure why;
  const auto after = before->refreshed({.offset = 10}, why);
  BOOST_REQUIRE(after != nullptr);
  BOOST_TEST(after->mapped() == before->mapped());
  BOOST_TEST(after->size() == before->size());
}

#ifdef F_GET_SEALS

BOOST_AUTO_TEST_CASE(a_sealed_file_cannot_change) {
  const bytes data = patterned(20000);
  const auto may_change = [&](int seals, io_mode mode) {
    const int descriptor = ::memfd_create("sealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    BOOST_REQUIRE(::write(descriptor, data.data(), data.size()) == static_cast<ssize_t>(data.size()));
    BOOST_REQUIRE(::fcntl(descriptor, F_ADD_SEALS, seals) == 0);
    failure why;
    const auto in = source::from_file(tgmap::io::file(descriptor), {.io = mode}, why);
    TGMAP_SUCCEEDED(why);
    return in->may_change();
  };
  BOOST_TEST(!may_change(F_SEAL_WRITE | F_SEAL_SHRINK, io_mode::map));
  BOOST_TEST(!may_change(F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL, io_mode::automatic));
  BOOST_TEST(may_change(F_SEAL_WRITE | F_SEAL_SHRINK, io_mode::read));  // nothing is mapped
  BOOST_TEST(may_change(F_SEAL_WRITE | F_SEAL_GROW, io_mode::map));     // it may lose its end
  BOOST_TEST(may_change(F_SEAL_SHRINK, io_mode::map));
  BOOST_TEST(may_change(0, io_mode::map));
  const temporary_directory temporary;
  BOOST_TEST(source_of(temporary.file("f", data), {.io = io_mode::map})->may_change());
  failure why;
  BOOST_TEST(!source::from_memory(std::as_bytes(std::span(data)), {}, why)->may_change());
}

#endif

BOOST_AUTO_TEST_CASE(a_file_without_a_size_is_read_as_a_stream) {
  failure why;
  tgmap::io::file proc = tgmap::io::file::open("/proc/self/maps", why);
  BOOST_REQUIRE(!why);
  const auto bytes = tgmap::io::source::from_file(std::move(proc), {}, why);
  BOOST_REQUIRE(!why);
  BOOST_TEST(bytes->size() > 100u);
  const temporary_directory here;
  const auto empty = tgmap::io::source::from_file(tgmap::io::file::open(here.file("empty", ""), why), {}, why);
  BOOST_REQUIRE(!why);
  BOOST_TEST(empty->size() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
