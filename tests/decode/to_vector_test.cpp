// SPDX-License-Identifier: Apache-2.0
// Elements as a vector, and as another type in the caller's memory.
#include <sys/resource.h>
#include <array>
#include <boost/test/unit_test.hpp>
#include <complex>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(to_vector_test)

namespace {

/// Returns the matrix 1 2 3 / 4 5 6 in Fortran order.
object_spec columns() {
  object_spec spec{.dtype = "int16", .shape = {2, 3}, .payload = native<std::int16_t>({1, 4, 2, 5, 3, 6})};
  spec.strides = std::vector<std::uint64_t>{1, 2};
  return spec;
}

object_spec odd() {
  object_spec spec{.dtype = "int16", .shape = {2, 2}, .payload = native<std::int16_t>({1, 2, 3, 4})};
  spec.strides = std::vector<std::uint64_t>{7, 1};
  return spec;
}

template <class T>
using several = std::vector<T>;

}  // namespace

BOOST_AUTO_TEST_CASE(elements_are_in_c_order) {
  const temporary_directory files;
  const tgmap::archive a(files.file("a.tgm", message({.objects = {columns(), odd()}})));
  const tgmap::object o = a[0][0];
  BOOST_TEST(o.to_vector<std::int16_t>() == several<std::int16_t>({1, 2, 3, 4, 5, 6}));
  BOOST_TEST(o.to_vector<double>() == several<double>({1, 2, 3, 4, 5, 6}));
  const tgmap::decode_options as_stored{.strides = tgmap::stride_policy::ignore};
  BOOST_TEST(o.to_vector<std::int16_t>(as_stored) == several<std::int16_t>({1, 4, 2, 5, 3, 6}));
  BOOST_TEST(o.to_vector<float>(as_stored) == several<float>({1, 4, 2, 5, 3, 6}));

  TGMAP_THROWS(a[0][1].to_vector<float>(), errc::unsupported_strides);
  BOOST_TEST(a[0][1].to_vector<float>(as_stored) == several<float>({1, 2, 3, 4}));
}

BOOST_AUTO_TEST_CASE(every_element_type) {
  const temporary_directory files;
  object_spec big{.dtype = "float32", .shape = {2}, .payload = bytes("\x3f\x80\0\0\x40\0\0\0", 8)};
  big.byte_order = "big";
  const tgmap::archive a(files.file("a.tgm", message({.objects = {numbers_object<std::int32_t>("int32", {1, 2}),
                                                                  big,
                                                                  {.dtype = "bitmask", .shape = {2}, .payload = "\x40"},
                                                                  {.dtype = "float64", .shape = {0}},
                                                                  {.dtype = "uint8", .shape = {}, .payload = "\7"}}})));
  BOOST_TEST((a[0][0].to_vector<std::complex<float>>()[1] == 2.0f));
  BOOST_TEST(a[0][0].to_vector<tgmap::float16>().size() == 2u);
  BOOST_TEST(a[0][0].to_vector<std::uint64_t>()[1] == 2u);
  BOOST_TEST(a[0][1].to_vector<float>() == several<float>({1, 2}));
  BOOST_TEST(a[0][1].to_vector<float>({.byte_order = tgmap::output_byte_order::stored}) == several<float>({1, 2}));
  BOOST_TEST(a[0][2].to_vector<std::uint8_t>() == several<std::uint8_t>({0, 1}));
  BOOST_TEST(a[0][3].to_vector<double>().empty());
  BOOST_TEST(a[0][3].to_vector<float>().empty());
  BOOST_TEST(a[0][4].to_vector<double>() == several<double>({7}));
}

BOOST_AUTO_TEST_CASE(failures_leave_no_elements) {
  const temporary_directory files;
  const auto data = message({.objects = {numbers_object<float>("float32", {1, 2.5f})}});
  const tgmap::archive a(files.file("a.tgm", data)), tight(files.file("b.tgm", data), {.max_decoded_bytes = 8});
  tgmap::failure why;
  BOOST_TEST(a[0][0].to_vector<std::int32_t>(why).empty());
  TGMAP_FAILED(why, errc::not_representable);
  BOOST_TEST(why.found == 1u);
  BOOST_TEST(why.object == 0);
  BOOST_TEST(a[0][0].to_vector<float>(why).size() == 2u);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(tight[0][0].to_vector<float>({}, why).size() == 2u);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(tight[0][0].to_vector<double>({}, why).empty());
  TGMAP_FAILED(why, errc::decoded_limit);
  TGMAP_THROWS(tgmap::object().to_vector<float>(), errc::no_archive);
}

BOOST_AUTO_TEST_CASE(conversion_into_memory) {
  const temporary_directory files;
  const tgmap::archive a(
      files.file("a.tgm", message({.objects = {columns(), numbers_object<float>("float32", {1, 2.5f}), odd()}})));
  std::array<double, 6> out{};
  a[0][0].decode_as_into<double>(out);  // in the order of the payload, as decode_into
  BOOST_TEST(out == (std::array<double, 6>{1, 4, 2, 5, 3, 6}));
  std::array<std::int16_t, 6> same{};
  a[0][0].decode_as_into(std::span<std::int16_t>(same));
  BOOST_TEST(same[1] == 4);
  std::array<float, 4> any{};
  a[0][2].decode_as_into<float>(any);
  BOOST_TEST(any[3] == 4.0f);

  tgmap::failure why;
  a[0][0].decode_as_into<double>(std::span(out).first(5), why);
  TGMAP_FAILED(why, errc::invalid_option);
  BOOST_TEST(why.expected == 48u);
  BOOST_TEST(why.found == 40u);
  BOOST_TEST(why.object == 0);
  a[0][0].decode_as_into<std::int16_t>(std::span(same).first(5), {}, why);
  TGMAP_FAILED(why, errc::invalid_option);
  std::array<std::int8_t, 2> few{};
  TGMAP_THROWS((a[0][1].decode_as_into<std::int8_t>(few), 0), errc::not_representable);
  TGMAP_THROWS((tgmap::object().decode_as_into<std::int8_t>(few), 0), errc::no_archive);
}

BOOST_AUTO_TEST_CASE(forms_without_options) {
  const temporary_directory files;
  const tgmap::archive a(files.file("a.tgm", message({.objects = {numbers_object<float>("float32", {1, 2})}})));
  const tgmap::object o = a[0][0];
  tgmap::failure why{.code = errc::read_past_end};
  const std::uint64_t start[]{1}, count[]{1};
  const tgmap::slab box{start, count, {}};
  BOOST_TEST(o.decode(why).size() == 2u);
  TGMAP_SUCCEEDED(why);
  tgmap::tensor kept;
  o.decode_into(kept, why);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(kept.size() == 2u);
  std::array<float, 2> out{};
  o.decode_into(std::span(out), why);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(out[1] == 2.0f);
  o.decode_into(std::span<std::byte>(std::as_writable_bytes(std::span(out))), why);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(o.decode_as<double>(why).size() == 2u);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(o.decode_as<double>({}, why).size() == 2u);
  BOOST_TEST(o.decode_as(tgmap::dtype::float64, why).size() == 2u);
  BOOST_TEST(o.decode_as(tgmap::dtype::float64).size() == 2u);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(o.decode_range(1, 1, why).size() == 1u);
  BOOST_TEST(o.decode_slab(box, why).size() == 1u);
  BOOST_TEST(o.part_cost(box, why).bytes_read == 4u);
  TGMAP_SUCCEEDED(why);
  std::array<std::int8_t, 2> bytes{};
  o.decode_into(std::span(bytes), why);
  TGMAP_FAILED(why, errc::dtype_mismatch);
}

BOOST_AUTO_TEST_CASE(forged_shape_allocates_nothing) {
  const auto resident = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;  // peak, in kB
  };
  object_spec forged{.dtype = "float64", .shape = {std::uint64_t{1} << 27}, .payload = "no zstd frame"};
  forged.compression = "zstd";
  const temporary_directory files;
  const tgmap::archive a(files.file("forged.tgm", message({.objects = {forged}})));
  const long before = resident();
  tgmap::failure why;
  BOOST_TEST(a[0][0].to_vector<double>(why).empty());
  TGMAP_FAILED(why, errc::codec_failed);
  BOOST_TEST(a[0][0].to_vector<float>(why).empty());
  TGMAP_FAILED(why, errc::codec_failed);
  BOOST_TEST(resident() - before < 300 << 10);  // of 1 GiB
}

BOOST_AUTO_TEST_SUITE_END()
