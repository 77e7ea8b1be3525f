// SPDX-License-Identifier: Apache-2.0
// Objects that are encoded again, and why some cannot be.
#include "edit/message_conversion.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>
#include <support/failures.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/write/sink.hpp>
#include <tgmap/write/writer.hpp>
#include <vector>

using tgmap::pipeline;
using tgmap::edit::conversion_fault;
using tgmap::edit::conversion_rules;
using tgmap::edit::message_conversion;

namespace {

template <class T>
tgmap::archive archive_of(const std::vector<T>& elements) {
  tgmap::memory_sink to;
  tgmap::new_message one;
  one.objects.emplace_back(tgmap::new_object::of(elements));
  tgmap::writer(to).write(one);
  return tgmap::archive::from_memory(to.release());
}

conversion_rules shuffled() {
  return {.change = [](const pipeline& from) {
    pipeline out = from;
    out.filter = tgmap::filter::shuffle;
    return out;
  }};
}

conversion_rules packed(bool widen) {
  return {.change =
              [](const pipeline& from) {
                pipeline out = from;
                out.encoding = tgmap::encoding::simple_packing;
                out.packing.bits = 8;
                return out;
              },
          .changes_encoding = true,
          .widen = widen};
}

/// Converts the only object of an archive.
std::optional<conversion_fault> convert(const tgmap::archive& from, message_conversion& how,
                                        tgmap::stored_message& out) {
  const tgmap::message m = from[0];
  out.load(m);
  return how.convert(m, {0}, out);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(message_conversions)

BOOST_AUTO_TEST_CASE(the_converted_object_has_equal_elements) {
  const auto from = archive_of<float>({1, 2, 3, 4});
  message_conversion how(shuffled(), tgmap::shared_executor());
  tgmap::stored_message out;
  BOOST_TEST(!convert(from, how, out));
  BOOST_TEST(!how.results()[0].differences);
  BOOST_TEST(how.results()[0].bytes == 16u);
  tgmap::memory_sink to;
  tgmap::writer(to, out.options).write(out.content);
  const auto again = tgmap::archive::from_memory(to.bytes());
  BOOST_TEST((again[0][0].descriptor().filter == tgmap::filter::shuffle));
  const tgmap::tensor elements = again[0][0].decode();
  BOOST_TEST(elements.view<float>()(2) == 3.0F);
}

BOOST_AUTO_TEST_CASE(what_a_stage_does_not_take_is_a_fault_or_is_widened) {
  const auto from = archive_of<std::int32_t>({1, 2, 300});
  tgmap::stored_message out;
  message_conversion strict(packed(false), tgmap::shared_executor());
  const auto fault = convert(from, strict, out);
  BOOST_TEST_REQUIRE(fault.has_value());
  BOOST_TEST((fault->what == conversion_fault::kind::store));
  TGMAP_FAILED(fault->why, tgmap::errc::unsupported_dtype);
  message_conversion wide(packed(true), tgmap::shared_executor());
  BOOST_TEST(!convert(from, wide, out));
  BOOST_TEST(wide.results()[0].to == tgmap::dtype::float64);
  BOOST_TEST(wide.results()[0].from == tgmap::dtype::int32);
  BOOST_TEST(wide.results()[0].differences.has_value());
  const auto large = archive_of<std::int64_t>({1, (std::int64_t{1} << 53) + 1});
  const auto rounded = convert(large, wide, out);
  BOOST_TEST_REQUIRE(rounded.has_value());
  BOOST_TEST((rounded->what == conversion_fault::kind::decode));
  TGMAP_FAILED(rounded->why, tgmap::errc::not_representable);
}

BOOST_AUTO_TEST_SUITE_END()
