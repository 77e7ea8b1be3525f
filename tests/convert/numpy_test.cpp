// SPDX-License-Identifier: Apache-2.0
// NumPy reads the files that tgmap writes, and the other way round: every dtype, byte order, storage order and rank, in
// .npy and both kinds of .npz. Skipped with a message if Python has no NumPy.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <support/builder.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <tgmap/tgmap.hpp>

#include "convert/npy.hpp"
#include "convert/zip_reader.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(numpy)

namespace {

bool has_numpy() {
  static const bool found = std::system("python3 -c 'import numpy' 2>/dev/null") == 0;
  if (!found) say_skipped("files of NumPy", "python3 cannot import numpy");
  return found;
}

/// Writes the object as x.npy and runs the Python code with `x` loaded from it.
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

/// Writes N.npy and N.raw (the elements, little endian, in C order) of each array, and a line in `list`: N, dtype,
/// extents. N.npy has format 1, 2 or 3 in turn. all.npz and packed.npz contain all arrays.
constexpr const char* write_every_dtype = R"(
import itertools, numpy as np
from numpy.lib import format
names = {'f2': 'float16', 'f4': 'float32', 'f8': 'float64', 'c8': 'complex64', 'c16': 'complex128', 'i1': 'int8',
         'i2': 'int16', 'i4': 'int32', 'i8': 'int64', 'u1': 'uint8', 'u2': 'uint16', 'u4': 'uint32', 'u8': 'uint64'}
shapes = [(), (1,), (7,), (0,), (2, 3), (3, 0), (0, 0), (2, 3, 4), (1, 5, 1), (2, 1, 3, 2), (3, 2, 2, 0)]
arrays = {}
with open('list', 'w') as listing:
    for n, (kind, order, shape, fortran) in enumerate(itertools.product(names, '<>', shapes, 'CF')):
        count = int(np.prod(shape))
        numbers = (np.arange(count) * 37 % 113).reshape(shape)
        x = np.asarray(numbers + (1j * numbers[..., ::-1] if kind[0] == 'c' and shape else 0)).astype(order + kind)
        x = np.asarray(x, order=fortran)
        arrays[f'x{n}'] = x
        version = [(1, 0), (2, 0), (3, 0)][n % 3]
        with open(f'x{n}.npy', 'wb') as file:
            format.write_array(file, x, version=version)
        with open(f'x{n}.raw', 'wb') as file:
            file.write(x.astype('<' + kind).tobytes(order='C'))
        print(f'x{n}', names[kind], *shape, file=listing)
np.savez('all.npz', **arrays)
np.savez_compressed('packed.npz', **arrays)
)";

bool write_arrays(const temporary_directory& files, const char* python) {
  if (!has_numpy()) return false;
  files.file("write.py", python);
  const std::string command = "cd '" + files.path().string() + "' && python3 write.py";
  BOOST_TEST_REQUIRE(std::system(command.c_str()) == 0);
  return true;
}

struct listed_array {
  std::string name, type;
  std::vector<std::uint64_t> shape{};
};

std::vector<listed_array> list_of(const temporary_directory& files) {
  std::ifstream list(files / "list");
  std::vector<listed_array> out;
  for (std::string line; std::getline(list, line);) {
    std::istringstream words(line);
    listed_array each;
    words >> each.name >> each.type;
    for (std::uint64_t extent = 0; words >> extent;) each.shape.push_back(extent);
    out.push_back(each);
  }
  return out;
}

/// Returns all elements in C order, little endian.
bytes elements_of(const tgmap::convert::npy_array& from) {
  const std::size_t each = element_size(from.elements.type), unit = swap_unit(from.elements.type);
  bytes out;
  std::vector<std::uint64_t> index(from.shape.size());
  for (std::size_t left = from.data.size() / each; left > 0; --left) {
    std::int64_t at = 0;
    for (std::size_t d = 0; d < index.size(); ++d) at += from.strides[d] * static_cast<std::int64_t>(index[d]);
    bytes element(view_of(from.data.subspan(static_cast<std::size_t>(at) * each, each)));
    if (from.elements.order == tgmap::byte_order::big)
      for (std::size_t i = 0; i < each; i += unit) std::reverse(&element[i], &element[i] + unit);
    out += element;
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < from.shape[d]) break;
      index[d] = 0;
    }
  }
  return out;
}

void check_read(const temporary_directory& files, const listed_array& wanted, std::string_view file) {
  const auto seen = tgmap::convert::read_npy(span_of(file));
  BOOST_TEST(to_string_view(seen.elements.type) == wanted.type);
  BOOST_TEST(seen.elements.is_exact);
  BOOST_TEST(seen.shape == wanted.shape, boost::test_tools::per_element());
  BOOST_TEST((elements_of(seen) == read_file(files / (wanted.name + ".raw"))));
}

}  // namespace

BOOST_AUTO_TEST_CASE(numpy_reads_every_dtype) {
  if (!has_numpy()) return;
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

BOOST_AUTO_TEST_CASE(numpy_reads_orders_and_shapes) {
  if (!has_numpy()) return;
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

BOOST_AUTO_TEST_CASE(numpys_files_of_every_dtype_order_and_rank_are_read) {
  const temporary_directory files;
  if (!write_arrays(files, write_every_dtype)) return;
  const auto all = list_of(files);
  BOOST_TEST(all.size() == 13u * 2 * 11 * 2);
  for (const listed_array& each : all) BOOST_TEST_CONTEXT(each.name << ", " << each.type) {
      check_read(files, each, read_file(files / (each.name + ".npy")));
    }

  for (const char* name : {"all.npz", "packed.npz"}) {
    const bytes archive = read_file(files / name);
    const tgmap::convert::zip_reader zip(span_of(archive));
    BOOST_TEST_REQUIRE(zip.members().size() == all.size());
    for (std::size_t i = 0; i < all.size(); ++i) BOOST_TEST_CONTEXT(name << ", " << all[i].name) {
        const auto& member = zip.members()[i];
        BOOST_TEST(member.name == all[i].name + ".npy");
        BOOST_TEST(member.is_deflated == (name == std::string("packed.npz")));
        check_read(files, all[i], view_of(zip.read(member, std::uint64_t{1} << 20).bytes));
      }
  }
}

BOOST_AUTO_TEST_CASE(arrays_of_other_things_than_numbers_are_errors) {
  const temporary_directory files;
  if (!write_arrays(files, R"(
import numpy as np
np.save('object.npy', np.array([{}, 1], dtype=object), allow_pickle=True)
np.save('text.npy', np.array(['a', 'bc']))
np.save('bytes.npy', np.array([b'a', b'bc']))
np.save('time.npy', np.array(['2026-11-22'], dtype='datetime64[s]'))
np.save('fields.npy', np.zeros(3, dtype=[('a', '<f4'), ('b', '<i2')]))
np.save('fields_of_one.npy', np.zeros(3, dtype=[('a', '<f4', (2,))]))
np.save('long.npy', np.zeros(3, dtype=np.longdouble))
)"))
    return;
  for (const char* name : {"object", "text", "bytes", "time", "fields", "fields_of_one", "long"}) {
    const bytes file = read_file(files / (std::string(name) + ".npy"));
    BOOST_CHECK_THROW(tgmap::convert::read_npy(span_of(file)), tgmap::convert::conversion_error);
  }
}

BOOST_AUTO_TEST_CASE(an_archive_written_to_a_pipe) {
  const temporary_directory files;
  if (!write_arrays(files, R"(
import io, numpy as np
class pipe(io.RawIOBase):
    def __init__(self, to): self.to = to
    def writable(self): return True
    def seekable(self): return False
    def write(self, data): return self.to.write(data)
with open('streamed.npz', 'wb') as file:
    np.savez(pipe(file), a=np.arange(5, dtype='<i4'), b=np.arange(3, dtype='<u1'))
with open('streamed_packed.npz', 'wb') as file:
    np.savez_compressed(pipe(file), a=np.arange(5, dtype='<i4'), b=np.arange(3, dtype='<u1'))
)"))
    return;
  for (const char* name : {"streamed.npz", "streamed_packed.npz"}) {
    const bytes archive = read_file(files / name);
    const tgmap::convert::zip_reader zip(span_of(archive));
    BOOST_TEST_REQUIRE(zip.members().size() == 2u);
    const auto a = zip.read(zip.members()[0], 1000), b = zip.read(zip.members()[1], 1000);
    BOOST_TEST((view_of(tgmap::convert::read_npy(a.bytes).data) == native<std::int32_t>({0, 1, 2, 3, 4})));
    BOOST_TEST((view_of(tgmap::convert::read_npy(b.bytes).data) == native<std::uint8_t>({0, 1, 2})));
  }
}

BOOST_AUTO_TEST_SUITE_END()
