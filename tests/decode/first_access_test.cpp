// SPDX-License-Identifier: Apache-2.0
// The number of reads that the first access to an object takes once its message is known.
#include <sys/syscall.h>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <support/numbered.hpp>
#include <support/process/system_calls.hpp>
#include <support/temporary.hpp>
#include <tgmap/tgmap.hpp>
#include <vector>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(first_access_test)

namespace {

/// The ways of opening: mapped and read, each by system calls.
const std::vector<tgmap::open_options> ways{{.io = tgmap::io_mode::map, .guard = tgmap::guard_use::never},
                                            {.io = tgmap::io_mode::map},
                                            {.io = tgmap::io_mode::read}};

/// Returns the reads of `use` of message 1, in a process that has just opened the archive. Returns nothing if processes
/// may not be traced.
std::optional<unsigned> reads_of(const std::filesystem::path& path, const tgmap::open_options& how,
                                 const std::function<void(const tgmap::message&)>& before,
                                 const std::function<void(const tgmap::message&)>& use) {
  std::optional<tgmap::archive> archive;
  tgmap::message message;
  auto counted = calls_in(
      [&] {
        archive.emplace(path, how);
        message = (*archive)[1];
        if (before) before(message);
      },
      [&] { use(message); });
  if (!counted) return std::nullopt;
  return (*counted)[SYS_pread64] + (*counted)[SYS_preadv] + (*counted)[SYS_preadv2] + (*counted)[SYS_read];
}

void skip() { BOOST_TEST_MESSAGE("SKIPPED: system calls (processes may not be traced)"); }

bytes objects_of(unsigned messages, unsigned count, std::size_t size, writing how = writing::buffered) {
  bytes out;
  for (unsigned m = 0; m < messages; ++m) {
    message_spec spec;
    spec.writing = how;
    for (unsigned j = 0; j < count; ++j) spec.objects.push_back(bytes_object(payload_of(m * count + j, size)));
    out += message(spec);
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_object) {
  for (const std::size_t size : {1'000u, 10'000u, 1'000'000u}) {
    const temporary_directory files;
    const auto path = files.file("a.tgm", objects_of(3, 1, size));
    const bool is_small = size == 1'000;
    for (const tgmap::open_options& way : ways) {
      tgmap::tensor out;
      tgmap::object object;
      tgmap::located_object place;
      const auto find = reads_of(path, way, {}, [&](const tgmap::message& m) { object = m[0]; });
      if (!find) return skip();
      BOOST_TEST(*find == (is_small ? 1u : 2u));  // the header of the message, and the end of the frame
      BOOST_TEST(reads_of(
                     path, way, [&](const tgmap::message& m) { object = m[0]; },
                     [&](const tgmap::message&) { object.decode_into(out); })
                     .value() == 1u);
      BOOST_TEST(reads_of(
                     path, way, [&](const tgmap::message& m) { object = m[0]; },
                     [&](const tgmap::message&) { (void)object.to_vector<std::uint8_t>(); })
                     .value() == 1u);
      BOOST_TEST(reads_of(path, way, {}, [&](const tgmap::message& m) { place = tgmap::locate(m, 0); }).value() == 1u);
      BOOST_TEST(
          reads_of(path, way, {}, [&](const tgmap::message& m) { out = tgmap::locate(m, 0).decode(); }).value() == 2u);
      std::shared_ptr<const tgmap::descriptor> what;
      BOOST_TEST(reads_of(path, way, {}, [&](const tgmap::message& m) {
                   object = tgmap::locate(m, 0).read(what);
                   (void)object.payload_size();
                 }).value() == 2u);
    }
  }
}

BOOST_AUTO_TEST_CASE(with_an_index) {
  for (const std::size_t size : {1'000u, 10'000u, 1'000'000u})
    for (const unsigned count : {1u, 20u}) {
      const temporary_directory files;
      const auto path = files.file("a.tgm", objects_of(3, count, size));
      tgmap::write_index(path);
      for (const tgmap::open_options& way : ways) {
        BOOST_REQUIRE(tgmap::archive(path, way).index_status().is_current);
        tgmap::tensor out;
        tgmap::located_object place;
        const auto locate = [&](const tgmap::message& m) { place = tgmap::locate(m, count - 1); };
        const auto find = reads_of(path, way, {}, locate);
        if (!find) return skip();
        BOOST_TEST(*find <= 2u);  // of the index: two records
        BOOST_TEST(reads_of(path, way, locate, [&](const tgmap::message&) { out = place.decode(); }).value() == 1u);
      }
    }
}

BOOST_AUTO_TEST_CASE(several_objects) {
  struct expected {
    unsigned objects, find;
  };
  // The frames before the object are compared with the index of the message, each by one read; of 17 objects and more
  // the last one alone.
  for (const expected& each : {expected{4, 1 + 2 + 2}, expected{20, 1 + 1 + 2}})
    for (const std::size_t size : {10'000u, 300'000u}) {
      const temporary_directory files;
      const auto path = files.file("a.tgm", objects_of(2, each.objects, size));
      for (const tgmap::open_options& way : ways) {
        tgmap::tensor out;
        tgmap::object object;
        const auto find = reads_of(path, way, {}, [&](const tgmap::message& m) { object = m[2]; });
        if (!find) return skip();
        BOOST_TEST(*find <= each.find);
        BOOST_TEST(reads_of(path, way, {}, [&](const tgmap::message& m) {
                     out = tgmap::locate(m, 2).decode();
                   }).value() <= each.find + 1);
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
