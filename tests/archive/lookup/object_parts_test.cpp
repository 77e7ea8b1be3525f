// SPDX-License-Identifier: Apache-2.0
// The parts of an object are read only where its frame is, whatever an index lists.
#include "archive/lookup/object_parts.hpp"

#include <algorithm>
#include <support/samples.hpp>
#include <support/temporary.hpp>

#include "../archive_fixture.hpp"

using namespace tgmap_test;
using inner::object_parts;
using tgmap::errc;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(object_parts_test)

namespace {

message_spec spec_of(std::size_t size) {
  message_spec spec;
  spec.objects = {bytes_object(payload_of(1, size)), bytes_object(payload_of(2, size))};
  return spec;
}

failure read_at(const one_message& in, std::uint64_t at, std::uint64_t length, object_parts& out) {
  tgmap::io::window window(in.state->bytes());
  return inner::read_object_parts(*in.state, window, in.message, {.offset = at, .length = length, .preceder = 0}, out);
}

failure read_at(const one_message& in, std::uint64_t at, std::uint64_t length) {
  object_parts out;
  return read_at(in, at, length, out);
}

}  // namespace

BOOST_AUTO_TEST_CASE(parts_differ_in_any_number) {
  const object_parts parts{.offset = 24,
                           .length = 100,
                           .descriptor_offset = 56,
                           .descriptor_length = 24,
                           .region_offset = 16,
                           .region_length = 40,
                           .payload_length = 40,
                           .type = 9,
                           .version = 1,
                           .flags = 3};
  const tgmap::detail::element_layout* const other_elements =
      reinterpret_cast<const tgmap::detail::element_layout*>(&parts);
  const auto differs = [&](auto change) {
    object_parts other = parts;
    BOOST_TEST((other == parts));
    change(other);
    return !(other == parts) && !(parts == other);
  };
  BOOST_TEST(differs([](object_parts& p) { ++p.offset; }));
  BOOST_TEST(differs([](object_parts& p) { ++p.length; }));
  BOOST_TEST(differs([](object_parts& p) { ++p.descriptor_offset; }));
  BOOST_TEST(differs([](object_parts& p) { ++p.descriptor_length; }));
  BOOST_TEST(differs([](object_parts& p) { ++p.region_offset; }));
  BOOST_TEST(differs([](object_parts& p) { ++p.region_length; }));
  BOOST_TEST(differs([](object_parts& p) { ++p.payload_length; }));
  BOOST_TEST(differs([](object_parts& p) { ++p.type; }));
  BOOST_TEST(differs([](object_parts& p) { ++p.version; }));
  BOOST_TEST(differs([](object_parts& p) { ++p.flags; }));
  BOOST_TEST(differs([&](object_parts& p) { p.elements = other_elements; }));
}

BOOST_AUTO_TEST_CASE(only_frames_of_objects_have_parts) {
  for (const std::size_t size : {std::size_t{40}, std::size_t{100'000}}) {
    const built_message built = build(spec_of(size));
    const one_message in(built.data);
    for (const auto& frame : built.frames) {
      object_parts out;
      const failure why = read_at(in, frame.offset, frame.length, out);
      if (frame.type == 9) {
        TGMAP_SUCCEEDED(why);
        BOOST_TEST(out.payload_length == size);
        const failure longer = read_at(in, frame.offset, frame.length + 8);
        TGMAP_FAILED(longer, errc::index_length_mismatch);
        BOOST_TEST(longer.expected == frame.length + 8);
        BOOST_TEST(longer.found == frame.length);
        TGMAP_FAILED(read_at(in, frame.offset, UINT64_MAX), errc::index_length_mismatch);
        TGMAP_FAILED(read_at(in, frame.offset, 0), errc::index_length_mismatch);
      } else {
        TGMAP_FAILED(why, errc::not_an_object);
        BOOST_TEST(why.offset == frame.offset);
        BOOST_TEST(why.found == frame.type);
      }
    }
    const failure behind = read_at(in, built.postamble, 100);
    TGMAP_FAILED(behind, errc::not_an_object);
    BOOST_TEST(behind.offset == built.postamble);
    TGMAP_FAILED(read_at(in, built.objects[0] + 8, 100), errc::not_a_frame);
  }
}

BOOST_AUTO_TEST_CASE(parts_of_a_shorter_file_are_not_read) {
  const temporary_directory temporary;
  for (const bool cbor_first : {false, true}) {
    message_spec spec = spec_of(100'000);
    for (object_spec& object : spec.objects) object.cbor_first = cbor_first;
    const built_message built = build(spec);
    const auto path = temporary.file("a.tgm", built.data);
    failure why;
    const tgmap::open_options options{.io = tgmap::io_mode::read};
    const inner::archive_state state(tgmap::io::source::from_file(tgmap::io::file::open(path, why), options, why),
                                     options);
    TGMAP_SUCCEEDED(why);
    tgmap::io::window first(state.bytes());
    const auto message = inner::parse_message_at(first, 0, options).message;
    const std::uint64_t at = built.objects[1], length = get_u64(built.data, static_cast<std::size_t>(at) + 8);
    const auto reads = [&] {
      tgmap::io::window window(state.bytes());
      object_parts out;
      return inner::read_object_parts(state, window, message, {.offset = at, .length = length, .preceder = 0}, out);
    };
    TGMAP_SUCCEEDED(reads());
    // The end of the frame, then its header.
    for (const std::uint64_t size : {at + length - 4, at + 50'000, at + 8}) {
      std::filesystem::resize_file(path, size);
      TGMAP_FAILED(reads(), errc::file_shrank);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
