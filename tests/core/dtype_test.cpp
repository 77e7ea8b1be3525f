// SPDX-License-Identifier: Apache-2.0
// The table of element types, specification §6.1.
#include <boost/test/unit_test.hpp>
#include <complex>
#include <random>
#include <set>
#include <string>
#include <tgmap/dtype.hpp>

using tgmap::dtype;
using tgmap::size_bytes;

BOOST_AUTO_TEST_SUITE(dtype_test)

namespace {

__extension__ using wide = unsigned __int128;

/// Name, bytes of an element, bytes swapped together, as the specification lists them.
struct row {
  dtype type;
  const char* name;
  std::size_t width, swap;
};

constexpr row rows[] = {
    {dtype::float16, "float16", 2, 2}, {dtype::bfloat16, "bfloat16", 2, 2},   {dtype::float32, "float32", 4, 4},
    {dtype::float64, "float64", 8, 8}, {dtype::complex64, "complex64", 8, 4}, {dtype::complex128, "complex128", 16, 8},
    {dtype::int8, "int8", 1, 1},       {dtype::int16, "int16", 2, 2},         {dtype::int32, "int32", 4, 4},
    {dtype::int64, "int64", 8, 8},     {dtype::uint8, "uint8", 1, 1},         {dtype::uint16, "uint16", 2, 2},
    {dtype::uint32, "uint32", 4, 4},   {dtype::uint64, "uint64", 8, 8},       {dtype::bitmask, "bitmask", 0, 1},
};

template <class T>
void holds(dtype type) {
  BOOST_TEST((tgmap::dtype_of<T> == type));
  BOOST_TEST(sizeof(T) == element_size(type));
  BOOST_TEST(sizeof(T) % swap_unit(type) == 0u);
}

}  // namespace

static_assert(std::size(rows) == tgmap::dtype_count);
static_assert(!tgmap::element<bool> && !tgmap::element<char> && !tgmap::element<long double>);
static_assert(!tgmap::element<const float>, "views are of plain types");

BOOST_AUTO_TEST_CASE(dtypes_agree_with_the_specification) {
  std::set<dtype> seen;
  for (const row& r : rows) {
    BOOST_TEST(to_string_view(r.type) == r.name);
    BOOST_TEST(element_size(r.type) == r.width);
    BOOST_TEST(swap_unit(r.type) == r.swap);
    BOOST_TEST(seen.insert(r.type).second);
  }
}

BOOST_AUTO_TEST_CASE(names_are_parsed) {
  for (const row& r : rows) {
    BOOST_REQUIRE(tgmap::dtype_from_name(r.name).has_value());
    BOOST_TEST((*tgmap::dtype_from_name(r.name) == r.type));
  }
}

BOOST_AUTO_TEST_CASE(truncated_names_are_unknown) {
  for (const row& r : rows) {
    const std::string name = r.name;
    BOOST_TEST(!tgmap::dtype_from_name(name.substr(0, name.size() - 1)));
    BOOST_TEST(!tgmap::dtype_from_name(name + " "));
    BOOST_TEST(!tgmap::dtype_from_name(name + std::string(1, '\0')));
    BOOST_TEST(!tgmap::dtype_from_name(" " + name));
    std::string upper = name;
    upper[0] = static_cast<char>(upper[0] - 'a' + 'A');
    BOOST_TEST(!tgmap::dtype_from_name(upper));
  }
  for (const auto* other : {"", "float", "float128", "f4", "bool", "uint1", "complex32", "int128"})
    BOOST_TEST(!tgmap::dtype_from_name(other));
}

BOOST_AUTO_TEST_CASE(cpp_types_have_dtypes) {
  holds<tgmap::float16>(dtype::float16);
  holds<tgmap::bfloat16>(dtype::bfloat16);
  holds<float>(dtype::float32);
  holds<double>(dtype::float64);
  holds<std::complex<float>>(dtype::complex64);
  holds<std::complex<double>>(dtype::complex128);
  holds<std::int8_t>(dtype::int8);
  holds<std::int16_t>(dtype::int16);
  holds<std::int32_t>(dtype::int32);
  holds<std::int64_t>(dtype::int64);
  holds<std::uint8_t>(dtype::uint8);
  holds<std::uint16_t>(dtype::uint16);
  holds<std::uint32_t>(dtype::uint32);
  holds<std::uint64_t>(dtype::uint64);
}

BOOST_AUTO_TEST_CASE(bytes_of_elements_or_nothing_on_overflow) {
  std::mt19937_64 random(3);
  for (const row& r : rows) {
    if (r.type == dtype::bitmask) continue;
    const std::uint64_t most = UINT64_MAX / r.width;
    BOOST_TEST((size_bytes(r.type, most) == most * r.width));
    if (r.width > 1) {
      BOOST_TEST(!size_bytes(r.type, most + 1));
      BOOST_TEST(!size_bytes(r.type, UINT64_MAX));
    }
    BOOST_TEST((size_bytes(r.type, 0) == std::uint64_t{0}));
    for (unsigned round = 0; round < 1000; ++round) {
      const std::uint64_t n = random() >> (random() % 64);
      const wide expected = wide{n} * r.width;
      const auto found = size_bytes(r.type, n);
      BOOST_REQUIRE(found.has_value() == (expected <= UINT64_MAX));
      if (found) BOOST_REQUIRE((wide{*found} == expected));
    }
  }
}

BOOST_AUTO_TEST_CASE(bits_fill_whole_bytes) {
  for (std::uint64_t bytes = 0; bytes < 20; ++bytes)
    for (std::uint64_t bits = 1; bits <= 8; ++bits)
      BOOST_TEST((size_bytes(dtype::bitmask, 8 * bytes + bits) == bytes + 1));
  BOOST_TEST((size_bytes(dtype::bitmask, 0) == std::uint64_t{0}));
  BOOST_TEST((size_bytes(dtype::bitmask, UINT64_MAX) == std::uint64_t{1} << 61));
  BOOST_TEST((size_bytes(dtype::bitmask, UINT64_MAX - 7) == (std::uint64_t{1} << 61) - 1));
}

BOOST_AUTO_TEST_SUITE_END()
