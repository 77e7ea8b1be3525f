// SPDX-License-Identifier: Apache-2.0
// What NumPy writes, read by us: every dtype, byte order, order of elements and rank, in .npy and both kinds of .npz.
// Skipped, loudly, where Python has no NumPy.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>

#include "convert/npy_read.hpp"
#include "convert/refusal.hpp"
#include "convert/zip_reader.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(numpy_reading)

namespace {

/// N.npy of each array; in `list` a line for each: N, dtype, extents; N.raw: its elements, little endian, in C order.
/// All arrays once more in all.npz, packed.npz, and those of format 2 and 3 in N.npy of their own.
constexpr const char* writing = R"(
import itertools, numpy as np
from numpy.lib import format
names = {'f2': 'float16', 'f4': 'float32', 'f8': 'float64', 'c8': 'complex64', 'c16': 'complex128', 'i1': 'int8',
         'i2': 'int16', 'i4': 'int32', 'i8': 'int64', 'u1': 'uint8', 'u2': 'uint16', 'u4': 'uint32', 'u8': 'uint64'}
shapes = [(), (1,), (7,), (0,), (2, 3), (3, 0), (0, 0), (2, 3, 4), (1, 5, 1), (2, 1, 3, 2), (3, 2, 2, 0)]
arrays = {}
with open('list', 'w') as told:
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
        print(f'x{n}', names[kind], *shape, file=told)
np.savez('all.npz', **arrays)
np.savez_compressed('packed.npz', **arrays)
)";

bool write_arrays(const temporary_directory& files, const char* python) {
  if (std::system("python3 -c 'import numpy' 2>/dev/null") != 0) {
    say_skipped("we read what NumPy writes", "python3 cannot import numpy");
    return false;
  }
  files.file("write.py", python);
  const std::string command = "cd '" + files.path().string() + "' && python3 write.py";
  BOOST_TEST_REQUIRE(std::system(command.c_str()) == 0);
  return true;
}

struct told {
  std::string name, type;
  std::vector<std::uint64_t> shape{};
};

std::vector<told> list_of(const temporary_directory& files) {
  std::ifstream list(files / "list");
  std::vector<told> out;
  for (std::string line; std::getline(list, line);) {
    std::istringstream words(line);
    told each;
    words >> each.name >> each.type;
    for (std::uint64_t extent = 0; words >> extent;) each.shape.push_back(extent);
    out.push_back(each);
  }
  return out;
}

/// All elements in C order, little endian.
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

void check(const temporary_directory& files, const told& wanted, std::string_view file) {
  const auto seen = tgmap::convert::npy_read(span_of(file));
  BOOST_TEST(to_string_view(seen.elements.type) == wanted.type);
  BOOST_TEST(!seen.elements.stand_in);
  BOOST_TEST(seen.shape == wanted.shape, boost::test_tools::per_element());
  BOOST_TEST((elements_of(seen) == read_file(files / (wanted.name + ".raw"))));
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_dtype_order_and_rank) {
  const temporary_directory files;
  if (!write_arrays(files, writing)) return;
  const auto all = list_of(files);
  BOOST_TEST(all.size() == 13u * 2 * 11 * 2);
  for (const told& each : all) BOOST_TEST_CONTEXT(each.name << ", " << each.type) {
      check(files, each, read_file(files / (each.name + ".npy")));
    }

  for (const char* name : {"all.npz", "packed.npz"}) {
    const bytes archive = read_file(files / name);
    const tgmap::convert::zip_reader zip(span_of(archive));
    BOOST_TEST_REQUIRE(zip.members().size() == all.size());
    for (std::size_t i = 0; i < all.size(); ++i) BOOST_TEST_CONTEXT(name << ", " << all[i].name) {
        const auto& member = zip.members()[i];
        BOOST_TEST(member.name == all[i].name + ".npy");
        BOOST_TEST(member.deflated == (name == std::string("packed.npz")));
        check(files, all[i], view_of(zip.read(member, std::uint64_t{1} << 20).bytes));
      }
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_numbers_is_refused) {
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
    BOOST_CHECK_THROW(tgmap::convert::npy_read(span_of(file)), tgmap::convert::refusal);
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
    BOOST_TEST((view_of(tgmap::convert::npy_read(a.bytes).data) == native<std::int32_t>({0, 1, 2, 3, 4})));
    BOOST_TEST((view_of(tgmap::convert::npy_read(b.bytes).data) == native<std::uint8_t>({0, 1, 2})));
  }
}

BOOST_AUTO_TEST_SUITE_END()
