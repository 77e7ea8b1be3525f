// SPDX-License-Identifier: Apache-2.0
// Missing memory is reported by the non-throwing overloads; functions that promise not to allocate do not.
#include <support/process/failing_new.hpp>

#include <boost/test/unit_test.hpp>
#include <sstream>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/temporary.hpp>

#include "archive/object_hash.hpp"
#include "archive/payload_access.hpp"

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(allocation_test)

namespace {

/// Runs `body(failure&)` with one more successful allocation each time, until it succeeds. Before, it must store
/// out_of_memory.
template <class F>
void starve(F&& body) {
  for (long n = 0; n < 10000; ++n) {
    tgmap::failure why;
    fail_allocations_after(n);
    body(why);
    fail_allocations_after(-1);
    if (!why) {
      BOOST_TEST_MESSAGE("succeeds with " << n << " allocations");
      return;
    }
    if (why.code != tgmap::make_error_code(errc::out_of_memory)) {
      TGMAP_FAILED(why, errc::out_of_memory);
      return;
    }
  }
  BOOST_ERROR("never succeeds");
}

/// Returns how often `body()` allocates.
template <class F>
long counted(F&& body) {
  fail_allocations_after(-1);
  body();
  return allocations();
}

bytes large_message() {
  message_spec spec;
  for (unsigned n = 0; n < 3000; ++n) spec.objects.push_back(bytes_object(payload_of(n, 8)));
  return message(spec);
}

}  // namespace

BOOST_AUTO_TEST_CASE(opening_without_memory) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", numbered_archive(3));
  const bytes data = numbered_archive(3);
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read})
    starve([&](tgmap::failure& why) { (void)tgmap::archive::open(path, {.io = mode}, why); });
  starve([&](tgmap::failure& why) { (void)tgmap::archive::from_memory(span_of(data), {}, why); });
}

BOOST_AUTO_TEST_CASE(streams_without_memory) {
  const bytes data = numbered_archive(3);
  std::istringstream stream(data);
  starve([&](tgmap::failure& why) {
    stream.clear();
    stream.seekg(0);
    (void)tgmap::archive::from_stream(stream, {}, why);
  });
}

BOOST_AUTO_TEST_CASE(scanning_without_memory_can_be_tried_again) {
  const bytes data = numbered_archive(3000) + "junk" + numbered(3000);
  const auto archive = open_skipping(data);
  starve([&](tgmap::failure& why) { (void)archive.scan(UINT64_MAX, {}, why); });
  BOOST_TEST(archive.size() == 3001u);
  BOOST_TEST(archive.gaps().size() == 1u);
  starve([&](tgmap::failure& why) { (void)archive.reopen(why); });
  for (const std::size_t i : {0u, 1u, 1499u, 3000u}) BOOST_TEST(number_of(archive[i]) == i);
}

BOOST_AUTO_TEST_CASE(access_without_memory_can_be_tried_again) {
  const bytes data = numbered_archive(3000);
  for (const std::size_t i : {0u, 17u, 2999u}) {
    const auto archive = open(data);
    starve([&](tgmap::failure& why) { (void)archive.at(i, why); });
    BOOST_TEST(number_of(archive[i]) == i);
  }
  const auto archive = open(data);
  starve([&](tgmap::failure& why) { (void)archive.nth_from_end(2000, why); });
  starve([&](tgmap::failure& why) { (void)archive.size(why); });
}

BOOST_AUTO_TEST_CASE(objects_without_memory_can_be_tried_again) {
  const bytes data = large_message();
  for (const auto lookup : {tgmap::object_lookup::index, tgmap::object_lookup::walk}) {
    const auto archive = open(data, {.lookup = lookup});
    const auto m = archive[0];
    starve([&](tgmap::failure& why) { (void)m.size(why); });
    starve([&](tgmap::failure& why) { (void)m.at(2999, why); });
    starve([&](tgmap::failure& why) { (void)m.base(2999, why); });
    starve([&](tgmap::failure& why) { (void)m.metadata(why); });
    BOOST_TEST(view_of(m[2999].payload()) == payload_of(2999, 8));
  }
}

BOOST_AUTO_TEST_CASE(places_that_cannot_be_cached_are_read_again) {
  message_spec spec = numbered_spec(0);
  spec.frames_before[0].assign(100, {.type = 77});
  const bytes data = message(spec) + large_message();
  for (const auto lookup : {tgmap::object_lookup::index, tgmap::object_lookup::walk}) {
    const auto archive = open(data, {.lookup = lookup});
    BOOST_REQUIRE(archive.size() == 2u);
    tgmap::failure why;
    for (const long available : {0, 1, 2})
      for (const std::size_t i : {0u, 1u}) {
        fail_allocations_after(available);
        (void)archive[i].at(0, why);
        fail_allocations_after(-1);
        if (why) TGMAP_FAILED(why, errc::out_of_memory);
        BOOST_TEST(archive[i][0].payload().size() > 0u);
      }
  }
}

BOOST_AUTO_TEST_CASE(payloads_without_memory_can_be_tried_again) {
  const temporary_directory temporary;
  const tgmap::archive archive(temporary.file("a.tgm", numbered(1, 3, 50000)), {.io = tgmap::io_mode::read});
  const auto object = archive[0][0];
  starve([&](tgmap::failure& why) { (void)object.payload(why); });
  starve([&](tgmap::failure& why) { (void)object.descriptor(why); });
  starve([&](tgmap::failure& why) { (void)object.metadata(why); });
  starve([&](tgmap::failure& why) { (void)object.verify(why); });
  starve([&](tgmap::failure& why) { (void)archive[0].bytes(why); });
  starve([&](tgmap::failure& why) { (void)archive.reopen(why); });
  BOOST_TEST(sound(archive[0]));
}

BOOST_AUTO_TEST_CASE(repeated_access_allocates_nothing) {
  const bytes data = numbered_archive(100);
  const auto archive = open(data);
  archive.scan();
  const auto object = archive[50][0];
  std::uint64_t n = 0;
  bytes out(24, '?');
  BOOST_TEST(counted([&] { n += archive[50].length(); }) == 0);
  BOOST_TEST(counted([&] { n += archive[51][0].payload().size(); }) == 0);
  BOOST_TEST(counted([&] { n += object.descriptor().element_count; }) == 0);
  BOOST_TEST(counted([&] { n += object.metadata().get<std::uint64_t>("n").value(); }) == 0);
  (void)archive[0][0].view<std::uint8_t>();  // stores the layout of such elements once
  BOOST_TEST(counted([&] { n += object.view<std::uint8_t>().size(); }) == 0);
  BOOST_TEST(counted([&] { object.read(0, std::as_writable_bytes(std::span(out))); }) == 0);
  BOOST_TEST(counted([&] { n += object.why_not_in_place(tgmap::dtype::float32) ? 1u : 0u; }) == 0);
  BOOST_TEST(counted([&] { n += archive.scan_progress().messages; }) == 0);
  BOOST_TEST(n > 0u);
}

BOOST_AUTO_TEST_CASE(keys_are_cached_once_and_only_for_many_objects) {
  for (const unsigned objects : {16u, 17u}) {
    message_spec spec;
    for (unsigned n = 0; n < objects; ++n) spec.objects.push_back(bytes_object(payload_of(n, 8)));
    spec.extra = {cbor::key("a", cbor::integer(1)), cbor::key("long", cbor::text(bytes(2000, 'x')))};
    const bytes data = message(spec);
    const auto archive = open(data);
    archive.scan();
    for (std::size_t j = 0; j < objects; ++j) (void)archive[0][j].metadata();
    const auto keys = archive[0][2].metadata();
    for (const char* const path : {"a", "none"}) {
      const long first = counted([&] { (void)keys.find(path); });
      BOOST_TEST((first > 0) == (objects > 16));
      BOOST_TEST(counted([&] { (void)keys.find(path); }) == 0);
      BOOST_TEST(counted([&] { (void)archive[0][5].metadata().find(path); }) == 0);
    }
    // Without memory the elements are found all the same.
    for (const long available : {0, 1, 2, 3, 4}) {
      const std::string path = "b" + std::to_string(available);
      fail_allocations_after(available);
      const bool is_found = keys.find("long").has_value() && !keys.find(path);
      fail_allocations_after(-1);
      BOOST_TEST(is_found);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_table_takes_sixteen_bytes_a_message) {
  const bytes data = numbered_archive(2000);
  const auto archive = open(data);
  BOOST_TEST(counted([&] { archive.scan(); }) < 50);
}

BOOST_AUTO_TEST_CASE(decoding_without_memory_can_be_tried_again) {
  const temporary_directory temporary;
  object_spec turned = numbers_object<float>("float32", {1, 2, 3});
  turned.byte_order = "big";
  turned.masks = {{.kind = "nan", .method = "rle", .blob = bytes("\0\x01\x01\x01", 4)}};
  const tgmap::archive archive(temporary.file("a.tgm", message({.objects = {turned}})), {.io = tgmap::io_mode::read});
  const auto object = archive[0][0];
  starve([&](tgmap::failure& why) { (void)object.decode({}, why); });
  starve([&](tgmap::failure& why) { (void)object.decode_as(tgmap::dtype::float64, {}, why); });
  starve([&](tgmap::failure& why) { (void)object.masks(why); });
  starve([&](tgmap::failure& why) { (void)object.decode_range(0, 2, {}, why); });
  const tgmap::slab box{{0}, {2}};
  starve([&](tgmap::failure& why) {
    const auto part = object.decode_slab(box, {.restore_missing = false}, why);
    if (!why) BOOST_TEST(part.view<float>().data()[1] != 0);
  });
  const tgmap::part_reader parts(object, {.restore_missing = false});
  std::array<float, 2> few{};
  const std::span<std::byte> out = std::as_writable_bytes(std::span(few));
  starve([&](tgmap::failure& why) {
    few = {};
    parts.slabs_into({&box, 1}, {&out, 1}, why);
    if (!why) BOOST_TEST(few[0] != 0);
  });
  BOOST_TEST(object.decode().size() == 3u);
}

BOOST_AUTO_TEST_CASE(descriptors_and_views_allocate_for_more_than_six_dimensions_only) {
  object_spec flat = numbers_object<float>("float32", {1, 2, 3}), deep = flat;
  flat.shape = {1, 1, 1, 1, 1, 3};
  deep.shape = {1, 1, 1, 1, 1, 1, 3};
  const bytes data = message({.objects = {flat, deep}});
  const auto archive = open(data);
  const auto six = archive[0][0], seven = archive[0][1];
  BOOST_TEST(counted([&] { (void)six.descriptor(); }) == 0);
  BOOST_TEST(counted([&] { (void)six.view<float>(); }) == 1);  // to store the layout of the elements
  BOOST_TEST(counted([&] { (void)six.view<float>(); }) == 0);
  const auto view = seven.view<float>();
  const auto descriptor = seven.descriptor();
  BOOST_TEST(counted([&] {
               const auto copy = view;
               const auto same = descriptor;
             }) == 0);
  starve([&](tgmap::failure& why) { (void)seven.descriptor(why); });
  starve([&](tgmap::failure& why) {
    const auto found = seven.view<float>(why);
    if (!why) BOOST_TEST(found(0, 0, 0, 0, 0, 0, 2) == 3.0f);
  });
  const tgmap::tensor decoded = seven.decode();
  starve([&](tgmap::failure& why) {
    const auto found = decoded.view<float>(why);
    if (!why) BOOST_TEST(found(0, 0, 0, 0, 0, 0, 2) == 3.0f);
  });
  fail_allocations_after(0);
  BOOST_CHECK_THROW((void)tgmap::array_view<float>(nullptr, view.shape(), view.strides()), std::bad_alloc);
  fail_allocations_after(-1);
}

BOOST_AUTO_TEST_CASE(decoding_into_memory_of_the_caller_takes_no_more) {
  object_spec packed{.dtype = "float64", .shape = {8}, .payload = "abcdefghijkl"};
  packed.encoding = "simple_packing";
  packed.more = {
      cbor::key("sp_reference_value", cbor::real(1.5)), cbor::key("sp_binary_scale_factor", cbor::integer(1)),
      cbor::key("sp_decimal_scale_factor", cbor::integer(0)), cbor::key("sp_bits_per_value", cbor::integer(12))};
  const bytes data = message({.objects = {packed, numbers_object<float>("float32", {1, 2})}});
  const auto archive = open(data);
  std::array<double, 8> out{};
  std::array<float, 2> few{};
  const auto first = archive[0][0], second = archive[0][1];
  BOOST_TEST(counted([&] { first.decode_into(std::span(out)); }) == 0);
  BOOST_TEST(counted([&] { second.decode_into(std::span(few)); }) == 0);
  BOOST_TEST(counted([&] { (void)second.decode(); }) == 0);  // borrowed
  const tgmap::part_reader parts(first);
  BOOST_TEST(counted([&] { parts.range_into(5, 3, std::as_writable_bytes(std::span(out).first(3))); }) == 0);
  BOOST_TEST(counted([&] { (void)first.decode(); }) == 1);  // the elements
}

BOOST_AUTO_TEST_CASE(hashes_without_memory_can_be_compared_again) {
  object_spec object = bytes_object(payload_of(1, 300'000));
  object.masks = {{.kind = "nan", .blob = bytes(5000, 'm')}};
  for (const int version : {2, 3}) {
    const bytes data = message({.version = version, .objects = {object}});
    const auto archive = open(data);
    const auto first = archive[0][0];
    starve([&](tgmap::failure& why) { why = tgmap::detail::check_hash(first); });
    TGMAP_SUCCEEDED(tgmap::detail::check_hash(first));
  }
}

BOOST_AUTO_TEST_CASE(writers_of_szip_are_found_without_a_cache) {
  for (const unsigned objects : {1u, 20u}) {
    message_spec spec{.version = 2};
    for (unsigned n = 0; n < objects; ++n) spec.objects.push_back(bytes_object(payload_of(n, 8)));
    const bytes long_name(200, 'x');  // longer than what a string holds without an allocation
    spec.reserved = cbor::map({cbor::key("encoder", cbor::map({cbor::key("name", cbor::text(long_name))}))});
    const bytes data = message(spec);
    const auto archive = open(data);
    const auto first = archive[0][0];
    bool legacy = true;
    starve([&](tgmap::failure& why) { why = tgmap::detail::legacy_szip_flags(first, legacy); });
    BOOST_TEST(!legacy);
  }
}

BOOST_AUTO_TEST_CASE(counts_of_offsets_are_not_stored_without_memory) {
  const bytes data = numbered(1);
  const auto archive = open(data);
  const auto object = archive[0][0];
  fail_allocations_after(0);
  tgmap::detail::remember_checked_offsets(object, 5);
  fail_allocations_after(-1);
  BOOST_TEST(tgmap::detail::checked_offset_count(object) == 0u);
  tgmap::detail::remember_checked_offsets(object, 5);
  BOOST_TEST(tgmap::detail::checked_offset_count(object) == 5u);
}

BOOST_AUTO_TEST_CASE(layouts_are_not_stored_without_memory) {
  const bytes data = message({.objects = {numbers_object<float>("float32", {1, 2, 3})}});
  const auto archive = open(data);
  const auto object = archive[0][0];
  fail_allocations_after(0);
  tgmap::failure why;
  const auto view = object.view<float>(why);
  fail_allocations_after(-1);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(view(2) == 3.0f);
}

BOOST_AUTO_TEST_CASE(gaps_without_memory_are_searched_again) {
  // Damage, then the beginning of a message that the file does not have whole.
  const bytes data = numbered(0) + "junk" + numbered(1) + "more junk" + numbered(2, 3, 3000).substr(0, 1000);
  const auto whole = open_skipping(data);
  whole.scan();
  for (long available = 0; available < 20; ++available) {
    const auto archive = open_skipping(data);
    tgmap::failure why;
    fail_allocations_after(available);
    (void)archive.scan(UINT64_MAX, {}, why);
    fail_allocations_after(-1);
    if (why) TGMAP_FAILED(why, errc::out_of_memory);
    archive.scan();
    BOOST_TEST(archive.size() == whole.size());
    BOOST_REQUIRE(archive.gaps().size() == whole.gaps().size());
    for (std::size_t i = 0; i < whole.gaps().size(); ++i) {
      BOOST_TEST(archive.gaps()[i].begin == whole.gaps()[i].begin);
      BOOST_TEST(archive.gaps()[i].end == whole.gaps()[i].end);
    }
    BOOST_REQUIRE(archive.incomplete_tail().has_value() == whole.incomplete_tail().has_value());
    if (whole.incomplete_tail()) BOOST_TEST(archive.incomplete_tail()->begin == whole.incomplete_tail()->begin);
  }
  BOOST_TEST(whole.gaps().size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
