// SPDX-License-Identifier: Apache-2.0
// Only tensors that borrow hold a reference to an archive.
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/decode/part_reader.hpp>
#include <utility>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(pin_count_test)

namespace {

long references(const tgmap::object& object) {
  return tgmap::detail::access::state(object.frame())->weak_from_this().use_count();
}

bytes plain_and_foreign() {
  object_spec foreign = numbers_object<float>("float32", {1, 2, 3});
  foreign.byte_order = "big";
  return tgmap_test::message({.objects = {numbers_object<float>("float32", {1, 2, 3}), foreign}});
}

}  // namespace

BOOST_AUTO_TEST_CASE(borrowing_tensors_hold_a_pin) {
  const temporary_directory files;
  const tgmap::archive a(files.file("a.tgm", plain_and_foreign()), {.io = tgmap::io_mode::map});
  const tgmap::object plain = a[0][0], foreign = a[0][1];
  BOOST_TEST(references(plain) == 1);
  {
    tgmap::tensor first = plain.decode();
    BOOST_TEST(references(plain) == 2);
    const tgmap::tensor moved = std::move(first);
    BOOST_TEST(references(plain) == 2);
    const tgmap::tensor second = plain.decode();
    BOOST_TEST(references(plain) == 3);
    const tgmap::tensor own = foreign.decode();
    BOOST_TEST(!own.is_borrowed());
    BOOST_TEST(references(plain) == 3);
  }
  BOOST_TEST(references(plain) == 1);
  tgmap::tensor again = plain.decode();
  plain.decode_into(again);
  BOOST_TEST(!again.is_borrowed());
  BOOST_TEST(references(plain) == 1);
}

BOOST_AUTO_TEST_CASE(views_and_parts_hold_no_pin) {
  const temporary_directory files;
  const tgmap::archive a(files.file("a.tgm", plain_and_foreign()), {.io = tgmap::io_mode::map});
  const tgmap::object plain = a[0][0];
  tgmap::failure why;
  const auto view = plain.view<float>(), same = plain.view<float>(why),
             stored = plain.view<float>(tgmap::stride_policy::ignore, why);
  const auto payload = plain.payload();
  const tgmap::descriptor descriptor = plain.descriptor();
  const tgmap::part_reader reader(plain);
  const tgmap::tensor part = reader.range(0, 2);
  BOOST_TEST(references(plain) == 1);
  BOOST_TEST(view.data() == same.data());
  BOOST_TEST(view.data() == stored.data());
  BOOST_TEST(payload.size() == 12u);
  BOOST_TEST(descriptor.element_count == 3u);
  BOOST_TEST(part.size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
