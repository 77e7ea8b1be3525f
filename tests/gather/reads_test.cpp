// SPDX-License-Identifier: Apache-2.0
// The number of positioned reads that gathering takes: one for objects that lie as in the message before, two for
// others.
#include <sys/syscall.h>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <support/numbered.hpp>
#include <support/process/system_calls.hpp>
#include <support/temporary.hpp>
#include <tgmap/decode/gather.hpp>
#include <tgmap/tgmap.hpp>
#include <vector>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(gather_reads_test)

namespace {

std::vector<tgmap::object_location> locations_of(const tgmap::archive& archive) {
  std::vector<tgmap::object_location> out;
  for (const tgmap::message& each : archive)
    for (std::uint32_t j = 0; j < each.size(); ++j)
      out.push_back({.archive = 0, .object = j, .message_offset = each.offset()});
  return out;
}

/// Passes the number of reads that gathering everything takes, after the first object was found, to `check`. Elements
/// are bytes; `box`: a part of each object.
void check_reads(const std::filesystem::path& path, const tgmap::slab* box,
                 const std::function<void(unsigned reads, unsigned objects)>& check) {
  for (const auto mode : {tgmap::io_mode::read, tgmap::io_mode::map}) {
    const tgmap::open_options options{.io = mode, .guard = tgmap::guard_use::never};
    const auto locations = locations_of(tgmap::archive(path, options));
    const tgmap::archive archive(path, options);
    const auto threads = tgmap::make_executor(1);
    const tgmap::object_gatherer all(locations, [&](std::size_t, tgmap::failure&) { return archive; },
                                     {.executor = threads.get()});
    std::uint64_t size = 1;
    for (const std::uint64_t each : box == nullptr ? all.shape() : std::span(box->count)) size *= each;
    std::vector<std::byte> out(locations.size() * size);
    std::vector<std::int64_t> strides(all.shape().size(), 1);
    for (std::size_t d = strides.size(); d-- > 1;)
      strides[d - 1] = strides[d] * static_cast<std::int64_t>(box == nullptr ? all.shape()[d] : box->count[d]);
    const tgmap::gather_output to{
        .data = out.data(), .location_stride = static_cast<std::int64_t>(size), .strides = strides};
    const auto counted = calls_in([] {}, [&] { box == nullptr ? all.all(to) : all.slab(*box, to); });
    if (!counted) {
      BOOST_TEST_MESSAGE("SKIPPED: system calls (processes may not be traced)");
      return;
    }
    calls found = *counted;
    BOOST_TEST(found[SYS_openat] + found[SYS_mmap] == 0u);
    check(found[SYS_pread64] + found[SYS_preadv], static_cast<unsigned>(locations.size()));
  }
}

message_spec with_key(unsigned n, std::size_t size, std::size_t key) {
  message_spec out = numbered_spec(n, 3, size);
  out.base = {cbor::map({cbor::key("n", cbor::text(bytes(key, 'x')))})};
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(alike_messages_take_one_read_each) {
  for (const std::size_t size : {64u, 3'000u, 10'000u, 200'000u})
    for (const int version : {2, 3}) {
      const temporary_directory files;
      bytes data;
      for (unsigned n = 0; n < 40; ++n) data += numbered(n, version, size);
      const bool is_small = size >= 1'000 && size < 64'000;  // enough to be worth it, and many in a read
      check_reads(files.file("a.tgm", data), nullptr, [&](unsigned reads, unsigned objects) {
        BOOST_TEST(reads <= (is_small ? objects / 16 + 3 : objects + 3));
      });
    }
}

BOOST_AUTO_TEST_CASE(headers_may_differ_by_some_bytes) {
  for (const std::size_t size : {3'000u, 10'000u}) {
    const temporary_directory files;
    bytes data;
    for (unsigned n = 0; n < 40; ++n) data += message(with_key(n, size, n * 37 % 120));
    check_reads(files.file("a.tgm", data), nullptr,
                [](unsigned reads, unsigned objects) { BOOST_TEST(reads <= objects + 3); });
  }
}

BOOST_AUTO_TEST_CASE(others_take_two) {
  const temporary_directory files;
  bytes data;
  for (unsigned n = 0; n < 40; ++n) data += message(with_key(n, 5'000, n % 2 * 1200));
  check_reads(files.file("a.tgm", data), nullptr,
              [](unsigned reads, unsigned objects) { BOOST_TEST(reads <= 2 * objects + 3); });
}

BOOST_AUTO_TEST_CASE(objects_of_one_message_take_one_each) {
  for (const unsigned count : {2u, 12u, 300u})
    for (const bool first : {false, true}) {
      const temporary_directory files;
      message_spec many;
      for (unsigned n = 0; n < count; ++n) {
        many.objects.push_back(bytes_object(payload_of(n, 4'000)));
        many.objects.back().cbor_first = first;
      }
      check_reads(files.file("a.tgm", message(many)), nullptr,
                  [](unsigned reads, unsigned objects) { BOOST_TEST(reads <= objects + (objects < 17 ? 4 : 12)); });
    }
}

BOOST_AUTO_TEST_CASE(parts_of_large_objects_take_three) {
  const temporary_directory files;
  bytes data;
  for (unsigned n = 0; n < 20; ++n) {
    message_spec one = numbered_spec(n, 3, 400'000);
    one.objects[0].shape = {400, 1000};
    data += message(one);
  }
  const tgmap::slab rows({40, 0}, {40, 1000}), point({399, 999}, {1, 1});
  const auto path = files.file("a.tgm", data);
  for (const tgmap::slab* box : {&rows, &point})
    check_reads(path, box, [](unsigned reads, unsigned objects) { BOOST_TEST(reads <= 3 * objects + 1); });
}

BOOST_AUTO_TEST_SUITE_END()
