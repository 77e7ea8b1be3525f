// SPDX-License-Identifier: Apache-2.0
// Many objects by their places: values of every kind of message in every mode, and places that are wrong.
#include <tgmap/decode/gather.hpp>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <memory>
#include <support/counted_source.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/samples.hpp>
#include <tgmap/tgmap.hpp>
#include <vector>

using namespace tgmap_test;
using tgmap::errc;
using tgmap::object_location;

BOOST_AUTO_TEST_SUITE(gather_test)

namespace {

std::vector<object_location> locations_of(const tgmap::archive& archive, std::uint32_t number = 0) {
  std::vector<object_location> out;
  for (const tgmap::message& each : archive)
    for (std::uint32_t j = 0; j < each.size(); ++j)
      out.push_back({.archive = number, .object = j, .message_offset = each.offset()});
  return out;
}

tgmap::archive_opener one(const tgmap::archive& archive) {
  return [&archive](std::size_t, tgmap::failure&) { return archive; };
}

/// Gathers all elements of objects of bytes with one dimension.
std::vector<bytes> gathered(const std::vector<object_location>& locations, const tgmap::archive_opener& opener) {
  const tgmap::object_gatherer all(locations, opener);
  const auto size = static_cast<std::size_t>(all.shape()[0]);
  bytes out(locations.size() * size, '?');
  const std::int64_t stride = 1;
  const auto done = all.all({.data = reinterpret_cast<std::byte*>(out.data()),
                             .location_stride = static_cast<std::int64_t>(size),
                             .strides = {&stride, 1}});
  BOOST_TEST(done.gathered == locations.size());
  BOOST_TEST(!done.stopped);
  std::vector<bytes> parts;
  for (std::size_t i = 0; i < locations.size(); ++i) parts.push_back(out.substr(i * size, size));
  return parts;
}

/// Returns a message of objects of bytes, of a kind: 0 to 15.
message_spec of_kind(unsigned kind, unsigned first, unsigned count, std::size_t size) {
  message_spec out;
  out.version = kind % 2 == 0 ? 3 : 2;
  if (kind / 2 % 2 == 1) out.writing = writing::streamed;
  if (kind / 4 % 2 == 1) out.index = where::footer;
  for (unsigned n = first; n < first + count; ++n) {
    out.objects.push_back(bytes_object(payload_of(n, size)));
    out.objects.back().cbor_first = kind / 8 % 2 == 1;
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(messages_of_every_kind_in_every_mode) {
  for (const std::size_t size : {24u, 2'000u, 70'000u})
    for (const unsigned count : {1u, 3u, 40u}) {
      if (size * count > 100'000) continue;
      bytes data;
      std::vector<bytes> expected;
      unsigned n = 0;
      for (unsigned kind = 0; kind < 16; ++kind)
        for (int twice = 0; twice < 2; ++twice, n += count) {
          data += message(of_kind(kind, n, count, size));
          for (unsigned j = n; j < n + count; ++j) expected.push_back(payload_of(j, size));
        }
      BOOST_TEST_CONTEXT(size << " bytes, " << count << " objects")
      in_every_mode(data, [&](const tgmap::archive& archive) {
        auto locations = locations_of(archive);
        BOOST_TEST_REQUIRE(locations.size() == expected.size());
        BOOST_TEST((gathered(locations, one(archive)) == expected));
        std::ranges::reverse(locations);
        auto reversed = expected;
        std::ranges::reverse(reversed);
        BOOST_TEST((gathered(locations, one(archive)) == reversed));
      });
    }
}

BOOST_AUTO_TEST_CASE(headers_of_every_length) {
  for (const std::size_t size : {24u, 1'000u, 9'000u}) {
    bytes data;
    std::vector<bytes> expected;
    for (unsigned n = 0; n < 60; ++n) {
      message_spec spec = numbered_spec(n, 3, size);
      spec.base = {cbor::map({cbor::key("n", cbor::text(bytes(n * n * 7 % 5'000, 'x')))})};
      data += message(spec);
      expected.push_back(payload_of(n, size));
    }
    in_every_mode(data, [&](const tgmap::archive& archive) {
      BOOST_TEST((gathered(locations_of(archive), one(archive)) == expected));
    });
  }
}

BOOST_AUTO_TEST_CASE(sources_of_bytes) {
  bytes data;
  std::vector<bytes> expected;
  for (unsigned n = 0; n < 10; ++n) {
    data += numbered(n, 3, 5'000);
    expected.push_back(payload_of(n, 5'000));
  }
  const auto source = std::make_shared<counted_source>(data);
  const tgmap::archive archive = tgmap::archive::from_source(source, {.index = tgmap::index_use::none});
  BOOST_TEST((gathered(locations_of(open(data)), one(archive)) == expected));
  BOOST_TEST(source->breach == "");
}

BOOST_AUTO_TEST_CASE(archives_are_opened_once_and_let_go) {
  std::vector<bytes> data, expected;
  std::vector<object_location> locations;
  for (std::uint32_t a = 0; a < 6; ++a) {
    data.push_back(several(a * 10, 3, 100));
    for (const object_location& each : locations_of(open(data.back()), a)) locations.push_back(each);
    for (unsigned n = 0; n < 3; ++n) expected.push_back(payload_of(a * 10 + n, 100));
  }
  std::atomic<unsigned> opened{0};
  const tgmap::archive_opener opener = [&](std::size_t number, tgmap::failure& why) {
    ++opened;
    return tgmap::archive::from_memory(span_of(data[number]), why);
  };
  BOOST_TEST((gathered(locations, opener) == expected));
  BOOST_TEST(opened == 7u);  // the first one also for dtype and shape
  const tgmap::archive_opener failing = [&](std::size_t number, tgmap::failure& why) {
    if (number == 4) why = {.code = errc::archive_changed, .expected = 1, .found = 2};
    return number == 4 ? tgmap::archive() : opener(number, why);
  };
  const tgmap::object_gatherer all(locations, failing);
  bytes out(locations.size() * 100, '?');
  const std::int64_t stride = 1;
  tgmap::failure why;
  const auto result =
      all.all({.data = reinterpret_cast<std::byte*>(out.data()), .location_stride = 100, .strides = {&stride, 1}}, why);
  BOOST_TEST(why.code == errc::archive_changed);
  BOOST_TEST(result.failed_location.value() == 12u);
  BOOST_TEST(result.gathered == 12u);
  BOOST_TEST(out.substr(0, 100) == expected[0]);
}

BOOST_AUTO_TEST_CASE(places_that_are_wrong) {
  const bytes data = several(0, 3, 300);
  in_every_mode(data, [&](const tgmap::archive& archive) {
    const std::uint64_t second = archive[1].offset();
    for (const auto& [wrong, code] : {std::pair{object_location{0, 1, second}, errc::out_of_range},
                                      {object_location{0, 0, data.size()}, errc::out_of_range},
                                      {object_location{0, 0, UINT64_MAX}, errc::out_of_range},
                                      {object_location{0, 0, second + 1}, errc::not_a_message},
                                      {object_location{0, 0, data.size() - 1}, errc::not_a_message}}) {
      const std::vector<object_location> locations{{0, 0, 0}, wrong};
      const tgmap::object_gatherer all(locations, one(archive));
      bytes out(600, '?');
      const std::int64_t stride = 1;
      tgmap::failure why;
      const auto done = all.all(
          {.data = reinterpret_cast<std::byte*>(out.data()), .location_stride = 300, .strides = {&stride, 1}}, why);
      BOOST_TEST(why.code == code);
      BOOST_TEST(done.failed_location.value() == 1u);
      BOOST_TEST(out.substr(0, 300) == payload_of(0, 300));
    }
  });
}

BOOST_AUTO_TEST_CASE(damaged_objects_fail_as_they_do_alone) {
  const bytes sound = message(of_kind(0, 0, 2, 500)), before = numbered(9, 3, 500);
  unsigned failed = 0;
  for (std::size_t at = 0; at < sound.size(); at += at < 700 ? 1 : 3) {
    bytes data = before + sound;
    data[before.size() + at] = static_cast<char>(data[before.size() + at] ^ 0x55);
    const tgmap::archive archive = open(data);
    tgmap::failure alone;
    const tgmap::message in = archive.at_offset(before.size(), alone);
    for (std::uint32_t j = 0; j < 2; ++j) {
      tgmap::failure expected = alone;
      const tgmap::object object = expected ? tgmap::object() : in.at(j, expected);
      bytes elements(500, '?'), out(1000, '?');
      if (!expected) object.decode_into(std::as_writable_bytes(std::span(elements)), expected);
      const std::vector<object_location> locations{{0, 0, 0}, {0, j, before.size()}};
      const tgmap::object_gatherer all(locations, one(archive));
      const std::int64_t stride = 1;
      tgmap::failure why;
      all.all({.data = reinterpret_cast<std::byte*>(out.data()), .location_stride = 500, .strides = {&stride, 1}}, why);
      failed += why ? 1 : 0;
      BOOST_TEST(out.substr(0, 500) == payload_of(9, 500));
      // The end of the message, and the other object, are not always read.
      if (why && !expected) BOOST_TEST((why.code == errc::dtype_mismatch || why.code == errc::invalid_option));
      if (!why && !expected) BOOST_TEST(out.substr(500) == elements);
      if (!why && expected) BOOST_TEST(out.substr(500).size() == 500u);
    }
  }
  BOOST_TEST(failed > 100u);
}

BOOST_AUTO_TEST_CASE(objects_that_differ_name_both) {
  message_spec other = numbered_spec(1, 3, 24);
  other.objects[0].shape = {4, 6};
  const bytes data = numbered(0) + message(other) + numbered(2, 3, 25);
  const tgmap::archive archive = open(data);
  const auto locations = locations_of(archive);
  for (const std::size_t wrong : {1u, 2u}) {
    const std::vector<object_location> two{locations[0], locations[wrong]};
    const tgmap::object_gatherer all(two, one(archive));
    bytes out(100, '?');
    const std::int64_t stride = 1;
    tgmap::failure why;
    const auto done = all.all(
        {.data = reinterpret_cast<std::byte*>(out.data()), .location_stride = 50, .strides = {&stride, 1}}, why);
    BOOST_TEST(why.code == errc::invalid_option);
    BOOST_TEST(std::string(why.argument) == "shape");
    BOOST_TEST(why.expected == (wrong == 1 ? 1u : 24u));
    BOOST_TEST(why.found == (wrong == 1 ? 2u : 25u));
    BOOST_TEST(done.failed_location.value() == 1u);
  }
}

BOOST_AUTO_TEST_CASE(boxes_elements_and_strides) {
  message_spec spec = numbered_spec(0, 3, 24);
  spec.objects[0].shape = {4, 6};
  const bytes data = message(spec), payload = payload_of(0);
  in_every_mode(data, [&](const tgmap::archive& archive) {
    const std::vector<object_location> locations{{}, {0, 0, 0}};
    const tgmap::object_gatherer all(locations, one(archive));
    BOOST_TEST(all.first_location() == 1u);
    bytes out(60, '.');
    const std::byte fill{'_'};
    // The box of rows 1 and 3 and columns 0 and 2, as a Fortran array with reversed columns.
    const tgmap::slab box({1, 0}, {2, 2}, {2, 2});
    const std::vector<std::int64_t> strides{2, -10};
    all.slab(box, {.data = reinterpret_cast<std::byte*>(out.data()) + 10,
                   .location_stride = 20,
                   .strides = strides,
                   .fill = {&fill, 1}});
    bytes expected(60, '.');
    for (const std::size_t at : {0u, 2u, 10u, 12u}) expected[at] = '_';
    expected[30] = payload[6], expected[32] = payload[18], expected[20] = payload[8], expected[22] = payload[20];
    BOOST_TEST(out == expected);

    const std::vector<std::uint64_t> shared{23, 0, 1, 23, 2}, each{0, 0, 5, 7};
    const std::int64_t one_byte = 1;
    bytes listed(10, '.');
    all.elements(shared, false,
                 {.data = reinterpret_cast<std::byte*>(listed.data()),
                  .location_stride = 5,
                  .strides = {&one_byte, 1},
                  .fill = {&fill, 1}});
    BOOST_TEST((listed == "_____" + bytes{payload[23], payload[0], payload[1], payload[23], payload[2]}));
    bytes of_each(4, '.');
    all.elements(each, true,
                 {.data = reinterpret_cast<std::byte*>(of_each.data()),
                  .location_stride = 2,
                  .strides = {&one_byte, 1},
                  .fill = {&fill, 1}});
    BOOST_TEST((of_each == "__" + bytes{payload[5], payload[7]}));

    tgmap::failure why;
    const tgmap::gather_output to{.data = reinterpret_cast<std::byte*>(out.data()),
                                  .location_stride = 20,
                                  .strides = strides,
                                  .fill = {&fill, 1}};
    all.slab(tgmap::slab({3, 0}, {2, 2}), to, why);
    BOOST_TEST(why.code == errc::out_of_range);
    all.slab(tgmap::slab({3}, {1}), to, why);
    BOOST_TEST(why.code == errc::invalid_option);
    all.elements(std::vector<std::uint64_t>{24}, false, to, why);
    BOOST_TEST(why.code == errc::out_of_range);
    all.elements(each, true, to, why);  // two strides
    BOOST_TEST(why.code == errc::invalid_option);
    all.slab(box, {.data = to.data, .location_stride = 20, .strides = strides}, why);
    BOOST_TEST(why.code == errc::invalid_option);  // no fill
  });
}

BOOST_AUTO_TEST_CASE(without_objects) {
  tgmap::failure why;
  const std::vector<object_location> holes(3);
  const tgmap::object_gatherer none, empty = tgmap::object_gatherer::open(holes, one({}), {}, why);
  BOOST_TEST(!why);
  BOOST_TEST(!none);
  BOOST_TEST(!empty);
  for (const tgmap::object_gatherer* each : {&none, &empty}) {
    each->all({}, why);
    BOOST_TEST(why.code == errc::no_archive);
  }
  const std::vector<object_location> lost{{0, 0, 0}};
  (void)tgmap::object_gatherer::open(lost, one({}), {}, why);
  BOOST_TEST(why.code == errc::no_archive);
  (void)tgmap::object_gatherer::open(lost, one({}), {.byte_order = tgmap::output_byte_order::stored}, why);
  BOOST_TEST(why.code == errc::invalid_option);
}

BOOST_AUTO_TEST_CASE(a_stop_request_ends_the_call) {
  const bytes data = several(0, 50, 100);
  const tgmap::archive archive = open(data);
  const auto locations = locations_of(archive);
  const tgmap::object_gatherer all(locations, one(archive));
  std::stop_source stop;
  stop.request_stop();
  bytes out(5000, '?');
  const std::int64_t stride = 1;
  const auto done = all.all({.data = reinterpret_cast<std::byte*>(out.data()),
                             .location_stride = 100,
                             .strides = {&stride, 1},
                             .stop = stop.get_token()});
  BOOST_TEST(done.stopped);
  BOOST_TEST(done.gathered == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
