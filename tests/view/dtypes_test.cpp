// SPDX-License-Identifier: Apache-2.0
// A view for each dtype, and only for that one.
#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>
#include <complex>
#include <cstring>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(dtypes_test)

namespace {

using all_elements = boost::mpl::list<tgmap::float16, tgmap::bfloat16, float, double, std::complex<float>,
                                      std::complex<double>, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                                      std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;

bytes pattern(std::size_t size) {
  bytes out(size, '\0');
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<char>(i * 37 + 11);
  return out;
}

template <class T>
bytes archive_of(std::size_t rows, std::size_t columns) {
  message_spec spec;
  spec.objects = {{.dtype = std::string(to_string_view(tgmap::dtype_of<T>)),
                   .shape = {rows, columns},
                   .payload = pattern(rows * columns * sizeof(T))}};
  return message(spec);
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(elements_are_seen_where_they_lie, T, all_elements) {
  const bytes expected = pattern(6 * sizeof(T));
  in_every_mode(archive_of<T>(2, 3), [&](const tgmap::archive& archive) {
    const auto object = archive[0][0];
    if (archive.mode() == tgmap::io_mode::map)
      TGMAP_SUCCEEDED(object.why_not_in_place(tgmap::dtype_of<T>));
    else
      TGMAP_FAILED(object.why_not_in_place(tgmap::dtype_of<T>), tgmap::errc::not_mapped);
    const auto view = object.view<T>();
    BOOST_TEST_REQUIRE(view.size() == 6u);
    BOOST_TEST(view.rank() == 2u);
    BOOST_TEST(view.shape()[0] == 2u);
    BOOST_TEST(view.shape()[1] == 3u);
    BOOST_TEST(view.is_contiguous());
    BOOST_TEST(static_cast<const void*>(view.data()) == static_cast<const void*>(object.payload().data()));
    BOOST_TEST(std::memcmp(view.values().data(), expected.data(), expected.size()) == 0);
    BOOST_TEST(std::memcmp(&view(1, 2), expected.data() + 5 * sizeof(T), sizeof(T)) == 0);
    BOOST_TEST(object.descriptor().element_count == 6u);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(another_dtype_is_refused, T, all_elements) {
  const bytes data = archive_of<T>(2, 3);
  const auto archive = open(data);
  const auto object = archive[0][0];
  for (std::size_t d = 0; d < tgmap::dtype_count; ++d) {
    const auto other = static_cast<tgmap::dtype>(d);
    const auto why = object.why_not_in_place(other);
    if (other == tgmap::dtype_of<T>) {
      TGMAP_SUCCEEDED(why);
    } else {
      TGMAP_FAILED(why, tgmap::errc::dtype_mismatch);
      BOOST_TEST(why.expected == d);
      BOOST_TEST(why.found == static_cast<std::uint64_t>(tgmap::dtype_of<T>));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_address_that_does_not_fit_is_refused, T, all_elements) {
  const bytes data = archive_of<T>(2, 3);
  for (std::size_t shift = 0; shift < 16; ++shift) {
    alignas(64) static char room[4096];
    std::memcpy(room + shift, data.data(), data.size());
    const auto archive = tgmap::archive::from_memory(span_of({room + shift, data.size()}));
    const auto object = archive[0][0];
    const auto address = reinterpret_cast<std::uintptr_t>(object.payload().data());
    tgmap::failure why;
    const auto view = object.view<T>(why);
    if (address % alignof(T) == 0) {
      TGMAP_SUCCEEDED(why);
      BOOST_TEST(view.size() == 6u);
    } else {
      TGMAP_FAILED(why, tgmap::errc::misaligned);
      BOOST_TEST(why.expected == alignof(T));
      BOOST_TEST(why.found == address % alignof(T));
      BOOST_TEST(view.size() == 0u);
      TGMAP_FAILED(object.why_not_in_place(tgmap::dtype_of<T>), tgmap::errc::misaligned);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_table_of_dtypes) {
  using tgmap::dtype;
  const struct {
    dtype id;
    const char* name;
    std::size_t width, unit;
  } all[] = {{dtype::float16, "float16", 2, 2},     {dtype::bfloat16, "bfloat16", 2, 2},
             {dtype::float32, "float32", 4, 4},     {dtype::float64, "float64", 8, 8},
             {dtype::complex64, "complex64", 8, 4}, {dtype::complex128, "complex128", 16, 8},
             {dtype::int8, "int8", 1, 1},           {dtype::int16, "int16", 2, 2},
             {dtype::int32, "int32", 4, 4},         {dtype::int64, "int64", 8, 8},
             {dtype::uint8, "uint8", 1, 1},         {dtype::uint16, "uint16", 2, 2},
             {dtype::uint32, "uint32", 4, 4},       {dtype::uint64, "uint64", 8, 8},
             {dtype::bitmask, "bitmask", 0, 1}};
  BOOST_TEST(std::size(all) == tgmap::dtype_count);
  for (const auto& one : all) {
    BOOST_TEST(to_string_view(one.id) == one.name);
    BOOST_TEST((tgmap::dtype_from_name(one.name) == one.id));
    BOOST_TEST(element_size(one.id) == one.width);
    BOOST_TEST(swap_unit(one.id) == one.unit);
    BOOST_TEST((size_bytes(one.id, 0) == 0u));
    BOOST_TEST((size_bytes(one.id, 9) == (one.width ? 9 * one.width : 2)));
    if (one.width > 1) BOOST_TEST(!size_bytes(one.id, ~std::uint64_t{0} / one.width + 1));
  }
  BOOST_TEST((size_bytes(dtype::bitmask, ~std::uint64_t{0}) == (std::uint64_t{1} << 61)));
  BOOST_TEST(!tgmap::dtype_from_name("float"));
  BOOST_TEST(!tgmap::dtype_from_name(""));
}

BOOST_AUTO_TEST_CASE(bits_have_no_view_but_bytes) {
  message_spec spec;
  spec.objects = {{.dtype = "bitmask", .shape = {11}, .payload = "\xa5\x40"}};
  const bytes data = message(spec);
  const auto archive = open(data);
  const auto object = archive[0][0];
  BOOST_TEST(view_of(object.payload()) == "\xa5\x40");
  TGMAP_THROWS(object.view<std::uint8_t>(), tgmap::errc::dtype_mismatch);
  TGMAP_SUCCEEDED(object.why_not_in_place(tgmap::dtype::bitmask));
}

BOOST_AUTO_TEST_SUITE_END()
