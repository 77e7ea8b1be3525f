// SPDX-License-Identifier: Apache-2.0
// Strides in bytes, as the C and C++ examples of the reference implementation write them, are divided by the size of an
// element in every way to reach the elements.
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <support/every_mode.hpp>
#include <support/extents.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <tgmap/adapters/mdspan.hpp>
#include <tgmap/adapters/multi_array.hpp>
#include <tgmap/decode/decode_many.hpp>
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/untyped_view.hpp>
#include <tgmap/write/writer.hpp>
#include <vector>

using namespace tgmap_test;
using tgmap::errc;
using tgmap::stride_policy;

BOOST_AUTO_TEST_SUITE(byte_strides_test)

namespace {

using steps = std::vector<std::int64_t>;

/// An object of float32 whose stored elements are 0, 1, 2 …
object_spec counting(const extents& shape, const extents& strides) {
  object_spec out{.dtype = "float32", .shape = shape, .strides = strides};
  for (std::uint64_t i = 0; i < product(shape); ++i) out.payload += native<float>({static_cast<float>(i)});
  return out;
}

bytes archive_of(object_spec object) { return message({.objects = {std::move(object)}}); }

template <class Strides>
steps as_steps(const Strides& strides) {
  return {strides.begin(), strides.end()};
}

/// Checks that the elements are found with these strides, in elements, in every way.
void check(const extents& shape, const extents& stated, const steps& expected) {
  in_every_mode(archive_of(counting(shape, stated)), [&](const tgmap::archive& archive) {
    const auto object = archive[0][0];
    BOOST_TEST(as_steps(object.descriptor().strides()) == as_steps(stated), boost::test_tools::per_element());
    if (archive.mode() == tgmap::io_mode::map) TGMAP_SUCCEEDED(object.why_not_in_place(tgmap::dtype::float32));
    for (const char* pass : {"first", "from the stored layout"}) {
      BOOST_TEST_CONTEXT(pass) {
        const auto view = archive[0][0].view<float>();
        BOOST_TEST(as_steps(view.strides()) == expected, boost::test_tools::per_element());
        for (std::uint64_t k = 0; k < view.size(); ++k) {
          extents index(shape.size(), 0);
          std::uint64_t rest = k;
          for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d]) index[d] = rest % shape[d];
          BOOST_TEST(view.at(index) == static_cast<float>(place_of(k, shape, expected)));
        }
        BOOST_TEST(as_steps(tgmap::view_untyped(archive[0][0]).strides()) == expected,
                   boost::test_tools::per_element());
      }
    }
    const tgmap::tensor decoded = object.decode();
    BOOST_TEST(as_steps(decoded.strides()) == expected, boost::test_tools::per_element());
    const tgmap::tensor doubles = object.decode_as(tgmap::dtype::float64);
    BOOST_TEST(as_steps(doubles.strides()) == expected, boost::test_tools::per_element());
    // to_vector and parts are in C order.
    std::vector<float> in_order;
    for (std::uint64_t k = 0; k < product(shape); ++k)
      in_order.push_back(static_cast<float>(place_of(k, shape, expected)));
    BOOST_TEST(object.to_vector<float>() == in_order, boost::test_tools::per_element());
    const tgmap::tensor part = tgmap::part_reader(object).slab({extents(shape.size(), 0), shape});
    const auto values = part.view<float>();
    BOOST_TEST(values.values() == in_order, boost::test_tools::per_element());
    // Without strides the payload is in C order.
    const auto stored = object.view<float>(stride_policy::ignore);
    for (std::size_t i = 0; i < stored.size(); ++i) BOOST_TEST(stored.values()[i] == static_cast<float>(i));
  });
}

void check_refused(object_spec object) {
  const bytes data = archive_of(std::move(object));
  const auto archive = open(data);
  tgmap::failure why;
  static_cast<void>(tgmap::view_untyped(archive[0][0], why));
  TGMAP_FAILED(why, errc::unsupported_strides);
  static_cast<void>(archive[0][0].decode({}, why));
  TGMAP_FAILED(why, errc::unsupported_strides);
  static_cast<void>(archive[0][0].decode({.strides = stride_policy::ignore}, why));
  TGMAP_SUCCEEDED(why);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_dense_layout_in_bytes) {
  check({2, 3}, {12, 4}, {3, 1});
  check({2, 3}, {4, 8}, {1, 2});
  check({2, 3, 4}, {48, 4, 12}, {12, 1, 3});
  check({5}, {4}, {1});
  check({5}, {1}, {1});
  check({2, 3}, {3, 1}, {3, 1});
}

BOOST_AUTO_TEST_CASE(extents_of_one_and_of_nothing_say_nothing) {
  check({1, 5}, {1, 4}, {5, 1});
  check({1, 5}, {7, 4}, {5, 1});
  check({5, 1}, {4, 1}, {1, 1});
  check({2, 1, 3}, {12, 0, 4}, {3, 3, 1});
  check({1, 1}, {4, 4}, {1, 1});
  check({0, 3}, {12, 4}, {3, 1});
  check({3, 0}, {7, 9}, {1, 1});
}

BOOST_AUTO_TEST_CASE(the_example_of_the_reference_implementation) {
  const bytes data = archive_of(counting({100, 200}, {800, 4}));
  const auto archive = open(data);
  const auto view = archive[0][0].view<float>();
  BOOST_TEST(view.is_contiguous());
  BOOST_TEST(view(99, 199) == 19999.0f);
  const auto array = tgmap::as_multi_array<2>(view);
  const auto span = tgmap::as_mdspan<2>(view);
  BOOST_TEST(array[3][7] == 607.0f);
  BOOST_TEST(span(3, 7) == 607.0f);
}

BOOST_AUTO_TEST_CASE(the_size_is_that_of_the_dtype) {
  const auto fits = [](const char* dtype, std::size_t size, std::uint64_t stride) {
    const bytes data = archive_of(
        {.dtype = dtype, .shape = {3, 2}, .payload = bytes(6 * size, '\0'), .strides = extents{2 * stride, stride}});
    tgmap::failure why;
    const auto archive = open(data);
    static_cast<void>(tgmap::view_untyped(archive[0][0], why));
    return !why;
  };
  for (const auto& [dtype, size] : {std::pair("float16", 2u),
                                    {"bfloat16", 2u},
                                    {"float64", 8u},
                                    {"complex64", 8u},
                                    {"complex128", 16u},
                                    {"int16", 2u},
                                    {"uint64", 8u}}) {
    BOOST_TEST(fits(dtype, size, size), dtype);
    BOOST_TEST(fits(dtype, size, 1), dtype);
    BOOST_TEST(!fits(dtype, size, size / 2 + (size == 2 ? 2 : 0)), dtype);
    BOOST_TEST(!fits(dtype, size, 2 * size), dtype);
  }
}

BOOST_AUTO_TEST_CASE(strides_that_are_dense_in_neither_are_refused) {
  for (const extents& strides :
       {extents{12, 1}, extents{3, 4}, extents{12, 3}, extents{8, 4}, extents{16, 4}, extents{4, 4}, extents{24, 8},
        extents{0, 0}, extents{0, 4}, extents{4}, extents{12, 4, 4}, extents{UINT64_MAX, 4},
        extents{UINT64_MAX - 3, UINT64_MAX - 3}, extents{std::uint64_t{1} << 63, 4}, extents{INT64_MAX, 4}})
    check_refused(counting({2, 3}, strides));
  check_refused(counting({4}, {UINT64_MAX / 4 + 1}));
}

BOOST_AUTO_TEST_CASE(bitmasks_have_strides_in_elements_only) {
  check_refused({.dtype = "bitmask", .shape = {2, 8}, .payload = "ab", .strides = extents{1, 1}});
  check_refused({.dtype = "bitmask", .shape = {16}, .payload = "ab", .strides = extents{0}});
  check_refused({.dtype = "bitmask", .shape = {16}, .payload = "ab", .strides = extents{8}});
}

BOOST_AUTO_TEST_CASE(encoded_and_foreign_objects) {
  object_spec big = counting({2, 3}, {4, 8});
  big.byte_order = "big";
  for (std::size_t at = 0; at < big.payload.size(); at += 4)
    std::reverse(big.payload.begin() + static_cast<long>(at), big.payload.begin() + static_cast<long>(at) + 4);
  const bytes data = archive_of(big);
  const auto archive = open(data);
  BOOST_TEST(archive[0][0].to_vector<float>() == (std::vector<float>{0, 2, 4, 1, 3, 5}),
             boost::test_tools::per_element());
  TGMAP_FAILED(archive[0][0].why_not_in_place(tgmap::dtype::float32), errc::foreign_byte_order);
}

BOOST_AUTO_TEST_CASE(objects_that_are_written_again_have_strides_in_elements) {
  const bytes data = archive_of(counting({2, 3}, {4, 8}));
  const auto archive = open(data);
  const auto object = archive[0][0];
  tgmap::new_message again;
  again.objects.push_back(tgmap::new_object::like(object.decode(), object.descriptor()));
  const auto written = tgmap::archive::from_memory(tgmap::to_bytes(again));
  BOOST_TEST(as_steps(written[0][0].descriptor().strides()) == (steps{3, 1}), boost::test_tools::per_element());
  BOOST_TEST(written[0][0].to_vector<float>() == object.to_vector<float>(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(many_objects_of_both_units) {
  const bytes data = message({.objects = {counting({2, 3}, {12, 4}), counting({2, 3}, {3, 1})}});
  const auto archive = open(data);
  const std::vector<tgmap::object> objects{archive[0][0], archive[0][1]};
  const auto receive = [](std::size_t, tgmap::tensor&& each, const tgmap::failure& why) {
    TGMAP_SUCCEEDED(why);
    BOOST_TEST(as_steps(each.strides()) == (steps{3, 1}), boost::test_tools::per_element());
    return true;
  };
  static_cast<void>(tgmap::decode_each(objects, receive));
  std::vector<float> rows(6);
  const std::vector<std::span<std::byte>> out{std::as_writable_bytes(std::span(rows).first(3)),
                                              std::as_writable_bytes(std::span(rows).last(3))};
  static_cast<void>(tgmap::decode_many(objects, tgmap::slab({1, 0}, {1, 3}), out));
  BOOST_TEST(rows == (std::vector<float>{3, 4, 5, 3, 4, 5}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
