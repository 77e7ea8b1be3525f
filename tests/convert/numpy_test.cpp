// SPDX-License-Identifier: Apache-2.0
// What NumPy itself makes of our files. Skipped, loudly, where Python has no NumPy.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <support/builder.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <tgmap/tgmap.hpp>

#include "convert/write.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(numpy)

namespace {

bool numpy_is_there() {
  static const bool there = std::system("python3 -c 'import numpy' 2>/dev/null") == 0;
  if (!there) say_skipped("NumPy reads our .npy files", "python3 cannot import numpy");
  return there;
}

/// Writes the object as x.npy and runs the Python with `x` loaded from it.
void check(const object_spec& object, const std::string& python) {
  const temporary_directory files;
  const bytes data = message({.objects = {object}});
  const auto archive = tgmap::archive::from_memory(span_of(data));
  bytes npy;
  tgmap::convert::write_npy(archive[0][0].decode(), [&](std::span<const std::byte> piece) { npy += view_of(piece); });
  files.file("x.npy", npy);
  files.file("check.py", "import numpy as np\nx = np.load('x.npy')\n" + python + "\n");
  const std::string command = "cd '" + files.path().string() + "' && python3 check.py";
  BOOST_TEST(std::system(command.c_str()) == 0, object.dtype << ": " << python);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_dtype) {
  if (!numpy_is_there()) return;
  const auto assertion = [](const char* type, const char* values) {
    return std::string("assert x.dtype == np.dtype('") + type + "') and x.tolist() == " + values + ", x";
  };
  check(numbers_object<float>("float32", {1, 2.5, -3}), assertion("<f4", "[1, 2.5, -3]"));
  check(numbers_object<double>("float64", {1, 2.5, -3}), assertion("<f8", "[1, 2.5, -3]"));
  check(numbers_object<std::uint16_t>("float16", {0x3c00, 0xc000}), assertion("<f2", "[1, -2]"));
  check(numbers_object<std::int8_t>("int8", {1, -2}), assertion("|i1", "[1, -2]"));
  check(numbers_object<std::int16_t>("int16", {1, -2}), assertion("<i2", "[1, -2]"));
  check(numbers_object<std::int32_t>("int32", {1, -2}), assertion("<i4", "[1, -2]"));
  check(numbers_object<std::int64_t>("int64", {1, -2}), assertion("<i8", "[1, -2]"));
  check(numbers_object<std::uint8_t>("uint8", {1, 254}), assertion("|u1", "[1, 254]"));
  check(numbers_object<std::uint16_t>("uint16", {1, 65534}), assertion("<u2", "[1, 65534]"));
  check(numbers_object<std::uint32_t>("uint32", {1, 4294967294}), assertion("<u4", "[1, 4294967294]"));
  check(numbers_object<std::uint64_t>("uint64", {1, UINT64_MAX}), assertion("<u8", "[1, 2**64 - 1]"));
  check({.dtype = "complex64", .shape = {1}, .payload = native<float>({1, -2})}, assertion("<c8", "[1-2j]"));
  check({.dtype = "complex128", .shape = {1}, .payload = native<double>({1, -2})}, assertion("<c16", "[1-2j]"));
  check({.dtype = "bitmask", .shape = {10}, .payload = "\xa5\x40"}, assertion("|u1", "[1,0,1,0,0,1,0,1,0,1]"));
  check(numbers_object<std::uint16_t>("bfloat16", {0x3f80, 0xc000}),
        "assert x.dtype.itemsize == 2 and x.view('<u2').tolist() == [0x3f80, 0xc000], x");
}

BOOST_AUTO_TEST_CASE(orders_and_shapes) {
  if (!numpy_is_there()) return;
  object_spec object = numbers_object<std::int32_t>("int32", {1, 2, 3, 4, 5, 6});
  object.shape = {2, 3};
  check(object, "assert x.tolist() == [[1, 2, 3], [4, 5, 6]] and x.flags.c_contiguous, x");
  object.strides = {{1, 2}};
  check(object, "assert x.tolist() == [[1, 3, 5], [2, 4, 6]] and x.flags.f_contiguous, x");
  object.shape = {1, 2, 3};
  object.strides = {{0, 3, 1}};
  check(object, "assert x.tolist() == [[[1, 2, 3], [4, 5, 6]]], x");
  object.shape = {};
  object.strides = std::vector<std::uint64_t>{};
  object.payload.resize(4);
  check(object, "assert x.shape == () and x == 1, x");
  object.shape = {3, 0};
  object.strides = {{0, 1}};
  object.payload.clear();
  check(object, "assert x.shape == (3, 0), x");
  check({.dtype = "int16", .shape = {2}, .payload = bytes("\0\1\xff\xfe", 4), .byte_order = "big"},
        "assert x.tolist() == [1, -2], x");
}

BOOST_AUTO_TEST_SUITE_END()
