// SPDX-License-Identifier: Apache-2.0
// Views whose dtype and byte order are values.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <tgmap/untyped_view.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(untyped_view_test)

namespace {

/// Calls `check` with the object, of an archive in every mode.
template <class Check>
void for_object(const object_spec& object, Check&& check) {
  message_spec spec;
  spec.objects = {object};
  in_every_mode(message(spec), [&](const tgmap::archive& archive) { check(archive[0][0]); });
}

object_spec floats() { return numbers_object("float32", {1.5f, 2.5f, -3.5f, 4.5f, 5.5f, 6.5f}); }

}  // namespace

BOOST_AUTO_TEST_CASE(the_elements_are_those_of_the_typed_view) {
  for_object(floats(), [](const tgmap::object& o) {
    for (int time = 0; time < 3; ++time) {  // the layout is known from the second time on
      const auto untyped = tgmap::view_untyped(o);
      const auto typed = o.view<float>();
      BOOST_TEST((untyped.dtype == tgmap::dtype::float32));
      BOOST_TEST((untyped.byte_order == tgmap::native_byte_order));
      BOOST_TEST(std::ranges::equal(untyped.bytes, std::as_bytes(std::span(typed.data(), typed.size()))));
      BOOST_TEST(std::ranges::equal(untyped.shape(), typed.shape()));
      BOOST_TEST(std::ranges::equal(untyped.strides(), typed.strides()));
    }
  });
}

BOOST_AUTO_TEST_CASE(elements_in_the_other_byte_order_are_in_place) {
  auto object = floats();
  const bool is_little = tgmap::native_byte_order == tgmap::byte_order::little;
  object.byte_order = is_little ? "big" : "little";
  for_object(object, [&](const tgmap::object& o) {
    tgmap::failure why;
    o.view<float>(why);
    TGMAP_FAILED(why, errc::foreign_byte_order);
    const auto view = tgmap::view_untyped(o, why);
    TGMAP_SUCCEEDED(why);
    BOOST_TEST((view.byte_order != tgmap::native_byte_order));
    BOOST_TEST(std::ranges::equal(view.bytes, o.payload()));
  });
}

BOOST_AUTO_TEST_CASE(bytes_have_no_byte_order) {
  auto object = numbers_object<std::uint8_t>("uint8", {1, 2, 3});
  object.byte_order = tgmap::native_byte_order == tgmap::byte_order::little ? "big" : "little";
  for_object(object, [](const tgmap::object& o) {
    BOOST_TEST((tgmap::view_untyped(o).byte_order == tgmap::native_byte_order));
  });
}

BOOST_AUTO_TEST_CASE(a_codec_or_a_wrong_size_is_an_error) {
  auto packed = floats();
  packed.encoding = "simple_packing";
  auto filtered = floats();
  filtered.filter = "shuffle";
  auto compressed = floats();
  compressed.compression = "zstd";
  auto masked = floats();
  masked.masks = {{.blob = "\x40"}};
  auto cut = floats();
  cut.payload.pop_back();
  const std::pair<object_spec, errc> cases[] = {{packed, errc::encoded},
                                                {filtered, errc::filtered},
                                                {compressed, errc::compressed},
                                                {masked, errc::masked},
                                                {cut, errc::payload_size_mismatch}};
  for (const auto& [object, expected] : cases)
    for_object(object, [&, code = expected](const tgmap::object& o) {
      tgmap::failure why;
      BOOST_TEST(tgmap::view_untyped(o, why).bytes.empty());
      TGMAP_FAILED(why, code);
      BOOST_TEST(why.object == 0);
      BOOST_TEST(why.offset == o.payload_offset());
      TGMAP_THROWS(tgmap::view_untyped(o), code);
    });
}

BOOST_AUTO_TEST_CASE(strides_are_applied_or_ignored) {
  auto object = floats();
  object.shape = {2, 3};
  object.strides = std::vector<std::uint64_t>{1, 2};
  for_object(object, [](const tgmap::object& o) {
    const std::vector<std::int64_t> stored{1, 2}, c_order{3, 1};
    for (int time = 0; time < 2; ++time) {
      BOOST_TEST(std::ranges::equal(tgmap::view_untyped(o).strides(), stored));
      BOOST_TEST(std::ranges::equal(tgmap::view_untyped(o, tgmap::stride_policy::ignore).strides(), c_order));
    }
  });
  object.strides = std::vector<std::uint64_t>{7, 2};
  for_object(object, [](const tgmap::object& o) {
    TGMAP_THROWS(tgmap::view_untyped(o), errc::unsupported_strides);
    BOOST_TEST(tgmap::view_untyped(o, tgmap::stride_policy::ignore).bytes.size() == 24);
  });
}

BOOST_AUTO_TEST_CASE(an_object_of_no_archive_has_no_view) {
  tgmap::failure why;
  BOOST_TEST(tgmap::view_untyped(tgmap::object(), why).bytes.empty());
  TGMAP_FAILED(why, errc::no_archive);
}

BOOST_AUTO_TEST_SUITE_END()
