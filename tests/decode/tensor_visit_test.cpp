// SPDX-License-Identifier: Apache-2.0
// Functions that get the elements of a tensor as they are, of every dtype.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>
#include <type_traits>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(tensor_visit_test)

namespace {

/// Two elements of that dtype, all bytes 0.
object_spec zeros(tgmap::dtype type) {
  object_spec spec{.dtype = std::string(to_string_view(type)), .shape = {2}};
  spec.payload = bytes(static_cast<std::size_t>(*size_bytes(type, 2)), '\0');
  return spec;
}

template <class View>
constexpr bool is_of(tgmap::dtype type) {
  if constexpr (std::is_same_v<View, tgmap::bit_view>)
    return type == tgmap::dtype::bitmask;
  else
    return type == tgmap::dtype_of<typename View::value_type>;
}

/// Bits 1010 0000 01.. in two rows of five.
object_spec bits() { return {.dtype = "bitmask", .shape = {2, 5}, .payload = "\xa0\x40"}; }

}  // namespace

BOOST_AUTO_TEST_CASE(every_dtype_has_its_view) {
  const temporary_directory files;
  for (std::size_t i = 0; i < tgmap::dtype_count; ++i) {
    const auto type = static_cast<tgmap::dtype>(i);
    const tgmap::archive a(files.file("a.tgm", message({.objects = {zeros(type)}})));
    const tgmap::tensor t = a[0][0].decode();
    BOOST_TEST_CONTEXT(type) {
      const std::size_t size = t.visit([&](const auto& view) {
        BOOST_TEST(is_of<std::remove_cvref_t<decltype(view)>>(type));
        BOOST_TEST(view.shape().size() == 1u);
        BOOST_TEST(view.values().size() == 2u);
        return view.size();
      });
      BOOST_TEST(size == 2u);
    }
  }
}

BOOST_AUTO_TEST_CASE(elements_are_those_of_view) {
  const temporary_directory files;
  const tgmap::archive a(
      files.file("a.tgm", message({.objects = {numbers_object<float>("float32", {1, 2, 4}), bits()}})));
  const auto sum = [](const auto& view) {
    double out = 0;
    if constexpr (std::is_convertible_v<typename std::remove_cvref_t<decltype(view)>::value_type, double>)
      for (const auto each : view.values()) out += static_cast<double>(each);
    return out;
  };
  const tgmap::tensor numbers = a[0][0].decode(), mask = a[0][1].decode();
  BOOST_TEST(numbers.visit(sum) == 7.0);
  BOOST_TEST(mask.visit(sum) == 3.0);
  int calls = 0;
  numbers.visit([&](const auto&) { ++calls; });  // nothing is returned
  BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(a_foreign_byte_order_is_refused) {
  const temporary_directory files;
  object_spec spec{.dtype = "float32", .shape = {1}, .payload = bytes(4, '\0')};
  spec.byte_order = "big";
  const tgmap::archive a(files.file("a.tgm", message({.objects = {spec}})));
  const tgmap::tensor stored = a[0][0].decode({.byte_order = tgmap::output_byte_order::stored});
  bool called = false;
  const auto look = [&](const auto& view) {
    called = true;
    return view.size();
  };
  TGMAP_THROWS(stored.visit(look), errc::foreign_byte_order);
  tgmap::failure why;
  BOOST_TEST(stored.visit(look, why) == 0u);
  TGMAP_FAILED(why, errc::foreign_byte_order);
  stored.visit([&](const auto&) { called = true; }, why);
  TGMAP_FAILED(why, errc::foreign_byte_order);
  BOOST_TEST(!called);
  BOOST_TEST(a[0][0].decode().size() == 1u);
}

BOOST_AUTO_TEST_CASE(bits_one_by_one) {
  const temporary_directory files;
  object_spec turned = bits();
  turned.strides = std::vector<std::uint64_t>{1, 2};
  const tgmap::archive a(files.file("a.tgm", message({.objects = {bits(), turned}})));
  const tgmap::tensor t = a[0][0].decode(), columns = a[0][1].decode();
  const auto to_bits = [](const tgmap::tensor& from) {
    return from.visit([](const auto& view) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(view)>, tgmap::bit_view>) return view;
      return tgmap::bit_view();
    });
  };
  const tgmap::bit_view view = to_bits(t);
  BOOST_TEST(view.size() == 10u);
  BOOST_TEST(view.rank() == 2u);
  BOOST_TEST(view.shape()[1] == 5u);
  BOOST_TEST(view.strides()[0] == 5);
  BOOST_TEST(view.data() == t.bytes().data());
  BOOST_TEST(view[0]);
  BOOST_TEST(!view[1]);
  BOOST_TEST(view[9]);
  BOOST_TEST(std::count(view.begin(), view.end(), true) == 3);
  BOOST_TEST(std::ranges::equal(view.values(), view));

  const tgmap::bit_view permuted = to_bits(columns);
  BOOST_TEST(!permuted.is_contiguous());
  BOOST_TEST(permuted[2]);  // in the order of the payload all the same
  TGMAP_THROWS(permuted.values(), errc::not_contiguous);
  BOOST_TEST(tgmap::bit_view().size() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
