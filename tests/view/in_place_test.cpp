// SPDX-License-Identifier: Apache-2.0
// Each reason why bytes cannot be used in place.
#include <bit>
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(in_place_test)

namespace {

object_spec floats() { return numbers_object("float32", {1.5f, 2.5f, -3.5f}); }

/// Returns why there is no view, and checks that both overloads and why_not_in_place agree.
tgmap::failure reason_of(const object_spec& object) {
  message_spec spec;
  spec.objects = {object};
  tgmap::failure out;
  in_every_mode(message(spec), [&](const tgmap::archive& archive) {
    const auto o = archive[0][0];
    const auto asked = o.why_not_in_place(tgmap::dtype::float32);
    tgmap::failure why;
    const auto view = o.view<float>(why);
    if (!why && archive.mode() == tgmap::io_mode::read) {
      TGMAP_FAILED(asked, errc::not_mapped);  // there is a view, of memory that the archive owns
    } else {
      BOOST_TEST(asked.code == why.code);
      BOOST_TEST(asked.expected == why.expected);
      BOOST_TEST(asked.found == why.found);
    }
    BOOST_TEST((view.data() == nullptr) == static_cast<bool>(why));
    if (why) {
      TGMAP_THROWS(o.view<float>(), static_cast<errc>(why.code.value()));
      BOOST_TEST(why.object == 0);
      BOOST_TEST(o.payload().size() == object.payload.size());  // the stored bytes can be read anyway
    }
    out = why;
  });
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(plain_objects_have_no_reason) { TGMAP_SUCCEEDED(reason_of(floats())); }

BOOST_AUTO_TEST_CASE(an_unstated_byte_order_is_little) {
  auto object = floats();
  object.byte_order.reset();
  TGMAP_SUCCEEDED(reason_of(object));
}

BOOST_AUTO_TEST_CASE(an_encoding) {
  auto object = floats();
  object.encoding = "simple_packing";
  const auto why = reason_of(object);
  TGMAP_FAILED(why, errc::encoded);
  BOOST_TEST((why.code == tgmap::make_error_condition(tgmap::condition::unsupported)));
}

BOOST_AUTO_TEST_CASE(a_filter) {
  auto object = floats();
  object.filter = "shuffle";
  TGMAP_FAILED(reason_of(object), errc::filtered);
}

BOOST_AUTO_TEST_CASE(a_compression) {
  for (const auto* codec : {"szip", "zstd", "lz4", "blosc2", "zfp", "sz3", "rle", "roaring", "unheard of"}) {
    auto object = floats();
    object.compression = codec;
    TGMAP_FAILED(reason_of(object), errc::compressed);
  }
}

BOOST_AUTO_TEST_CASE(masks) {
  auto object = floats();
  object.masks = {{.blob = "\x40"}};
  TGMAP_FAILED(reason_of(object), errc::masked);
}

BOOST_AUTO_TEST_CASE(the_other_byte_order) {
  auto object = floats();
  object.byte_order = std::endian::native == std::endian::little ? "big" : "little";
  TGMAP_FAILED(reason_of(object), errc::foreign_byte_order);
}

BOOST_AUTO_TEST_CASE(single_bytes_have_no_byte_order) {
  for (const auto* order : {"big", "little"}) {
    auto object = bytes_object("abc");
    object.byte_order = order;
    message_spec spec;
    spec.objects = {object};
    const bytes data = message(spec);
    const auto archive = open(data);
    BOOST_TEST(view_of(std::as_bytes(archive[0][0].view<std::uint8_t>().values())) == "abc");
  }
}

BOOST_AUTO_TEST_CASE(another_dtype) {
  auto object = numbers_object("int32", {1, 2, 3});
  TGMAP_FAILED(reason_of(object), errc::dtype_mismatch);
}

BOOST_AUTO_TEST_CASE(a_payload_that_is_shorter_or_longer_than_its_shape) {
  for (const std::size_t size : {0u, 8u, 11u, 13u, 16u}) {
    auto object = floats();
    object.payload.resize(size, 'x');
    const auto why = reason_of(object);
    TGMAP_FAILED(why, errc::payload_size_mismatch);
    BOOST_TEST(why.expected == 12u);
    BOOST_TEST(why.found == size);
  }
}

BOOST_AUTO_TEST_CASE(overflowing_shapes_are_refused) {
  auto object = floats();
  object.shape = {(std::uint64_t{1} << 62) + 3};  // four bytes each: twelve, modulo 2^64
  const auto why = reason_of(object);
  BOOST_TEST((why.code == tgmap::make_error_code(errc::payload_size_mismatch) ||
              why.code == tgmap::make_error_code(errc::shape_overflow)));
}

BOOST_AUTO_TEST_SUITE_END()
