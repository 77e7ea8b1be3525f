// SPDX-License-Identifier: Apache-2.0
// Objects that are put into messages.
#include "edit/message_builder.hpp"

#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <tgmap/archive.hpp>
#include <vector>

using tgmap::errc;
using tgmap::failure;
using tgmap::edit::message_builder;

namespace {

/// Adds an object that owns its elements. Returns the failure.
failure add(message_builder& to, std::vector<float> elements, const tgmap::pipeline& how = {}) {
  const auto memory = std::make_shared<std::vector<float>>(std::move(elements));
  tgmap::new_object one = tgmap::new_object::of(*memory);
  one.pipeline = how;
  failure why;
  to.add(std::move(one), memory, why);
  return why;
}

tgmap::pipeline packed() {
  tgmap::pipeline out;
  out.encoding = tgmap::encoding::simple_packing;
  out.packing.bits = 16;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(message_builders)

BOOST_AUTO_TEST_CASE(objects_share_a_message_or_have_one_each) {
  for (const bool separate : {false, true})
    for (const bool stream : {false, true}) {
      tgmap::memory_sink to;
      message_builder builder(
          to, {.separate = separate, .stream = stream, .extra = tgmap::cbor_value::map({{"k", tgmap::cbor_value(1)}})});
      TGMAP_SUCCEEDED(add(builder, {1, 2, 3}));
      TGMAP_SUCCEEDED(add(builder, {4}));
      failure why;
      builder.finish(why);
      TGMAP_SUCCEEDED(why);
      const auto all = tgmap::archive::from_memory(to.bytes());
      BOOST_TEST(all.size() == (separate ? 2u : 1u));
      BOOST_TEST(builder.messages() == all.size());
      BOOST_TEST(builder.written() == to.bytes().size());
      BOOST_TEST(all[0].metadata().get<int>("k").value_or(0) == 1);
      BOOST_TEST(builder.built()[1].message == (separate ? 1u : 0u));
      BOOST_TEST(builder.built()[1].object == (separate ? 0u : 1u));
      BOOST_TEST(builder.built()[0].bytes == 12u);
      BOOST_TEST(builder.built()[0].stored.has_value() == !stream);
    }
}

BOOST_AUTO_TEST_CASE(floats_are_widened_to_be_packed) {
  tgmap::memory_sink to;
  message_builder builder(to, {});
  TGMAP_SUCCEEDED(add(builder, {1, 2, 3}, packed()));
  failure why;
  builder.finish(why);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(builder.widened() == 1u);
  BOOST_TEST(builder.built()[0].dtype == tgmap::dtype::float64);
  const auto all = tgmap::archive::from_memory(to.bytes());
  BOOST_TEST(all[0][0].descriptor().dtype == tgmap::dtype::float64);
}

BOOST_AUTO_TEST_CASE(the_object_at_fault_is_named) {
  tgmap::pipeline impossible;
  impossible.filter = tgmap::filter::shuffle;
  impossible.compression = tgmap::compression::szip;
  impossible.encoding = tgmap::encoding::simple_packing;
  impossible.packing.bits = 99;
  tgmap::memory_sink to;
  message_builder one(to, {});
  TGMAP_SUCCEEDED(add(one, {1}));
  BOOST_TEST(static_cast<bool>(add(one, {1}, impossible)));
  BOOST_TEST(*one.failed_object() == 1u);
  message_builder other(to, {.separate = true});
  TGMAP_SUCCEEDED(add(other, {1}));
  TGMAP_FAILED(add(other, {std::numeric_limits<float>::quiet_NaN()}, packed()), errc::non_finite);
  BOOST_TEST(*other.failed_object() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
