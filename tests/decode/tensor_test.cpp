// SPDX-License-Identifier: Apache-2.0
// What a tensor is, whether it owns its elements or borrows them.
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(tensor_test)

namespace {

object_spec six(std::string order = "little") {
  object_spec spec = numbers_object<float>("float32", {1, 2, 3, 4, 5, 6});
  spec.byte_order = std::move(order);
  return spec;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_empty_one_has_no_elements) {
  const tgmap::tensor none;
  BOOST_TEST(none.size() == 0u);
  BOOST_TEST(none.bytes().empty());
  BOOST_TEST(!none.is_borrowed());
}

BOOST_AUTO_TEST_CASE(plain_objects_of_a_mapping_are_borrowed) {
  const temporary_directory files;
  const auto path = files.file("plain.tgm", message({.objects = {six()}}));
  const tgmap::archive mapped(path, {.io = tgmap::io_mode::map}), read(path, {.io = tgmap::io_mode::read});
  tgmap::tensor t = mapped[0][0].decode();
  BOOST_TEST(t.is_borrowed());
  BOOST_TEST(t.mutable_bytes().empty());
  BOOST_TEST((t.bytes().data() == mapped[0][0].payload().data()));
  BOOST_TEST(t.view<float>()(5) == 6.0f);

  tgmap::tensor own = read[0][0].decode();
  BOOST_TEST(!own.is_borrowed());
  BOOST_TEST(own.mutable_bytes().size() == 24u);
  BOOST_TEST(own.view<float>()(5) == 6.0f);
  const auto* const before = own.bytes().data();
  const tgmap::tensor moved = std::move(own);
  BOOST_TEST((moved.bytes().data() == before));
}

BOOST_AUTO_TEST_CASE(a_view_is_of_the_dtype_and_of_the_machines_order) {
  const temporary_directory files;
  const tgmap::archive a(files.file("big.tgm", message({.objects = {six("big")}})));
  const tgmap::tensor native = a[0][0].decode(),
                      stored = a[0][0].decode({.byte_order = tgmap::output_byte_order::stored});
  tgmap::failure why;
  native.view<double>(why);
  TGMAP_FAILED(why, errc::dtype_mismatch);
  TGMAP_THROWS(stored.view<float>(), errc::foreign_byte_order);
  BOOST_TEST((stored.byte_order() == tgmap::byte_order::big));
  bytes turned(reinterpret_cast<const char*>(native.bytes().data()), native.bytes().size());
  for (std::size_t i = 0; i < turned.size(); i += 4) std::reverse(turned.begin() + i, turned.begin() + i + 4);
  BOOST_TEST((turned == bytes(reinterpret_cast<const char*>(stored.bytes().data()), stored.bytes().size())));
}

BOOST_AUTO_TEST_SUITE_END()
