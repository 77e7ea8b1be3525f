// SPDX-License-Identifier: Apache-2.0
#include "convert/raw.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <support/builder.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/mapping_guard.hpp>

#include "convert/npy.hpp"

using namespace tgmap_test;
using tgmap::stride_policy;

BOOST_AUTO_TEST_SUITE(raw_and_npy)

namespace {

using writer = void (*)(const tgmap::tensor&, const tgmap::convert::write_function&);

constexpr writer npy_writer = [](const tgmap::tensor& tensor, const tgmap::convert::write_function& write) {
  tgmap::convert::write_npy(tensor, write);
};

bytes collected(writer write, const tgmap::tensor& tensor) {
  bytes out;
  write(tensor, [&](std::span<const std::byte> piece) { out += view_of(piece); });
  return out;
}

/// Returns the file of an object. Checks that the byte order of the tensor makes no difference.
bytes collected(writer write, const tgmap::object& object, stride_policy order) {
  const bytes out = collected(write, object.decode({.strides = order}));
  BOOST_TEST(
      (collected(write, object.decode({.byte_order = tgmap::output_byte_order::stored, .strides = order})) == out));
  return out;
}

bytes raw(const tgmap::object& object, stride_policy order = stride_policy::apply) {
  return collected(tgmap::convert::write_raw, object, order);
}

/// Returns the dictionary and the data of the .npy file.
std::pair<bytes, bytes> npy(const tgmap::object& object, stride_policy order = stride_policy::apply) {
  const bytes file = collected(npy_writer, object, order);
  const std::size_t end = file.find('\n') + 1;
  return {file.substr(10, file.find('}') - 9), file.substr(end)};
}

template <class F>
void with(const object_spec& object, F&& body) {
  in_every_mode(message({.objects = {object}}), [&](const tgmap::archive& archive) { body(archive[0][0]); });
}

bytes counting(std::size_t length) {
  bytes out;
  for (std::size_t i = 0; i < length; ++i) out += static_cast<char>(i * 7 + i / 256);
  return out;
}

bytes reversed_in(bytes data, std::size_t unit) {
  for (std::size_t at = 0; at < data.size(); at += unit)
    std::reverse(data.begin() + static_cast<std::ptrdiff_t>(at), data.begin() + static_cast<std::ptrdiff_t>(at + unit));
  return data;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_dtype_in_both_byte_orders) {
  for (std::size_t i = 0; i < tgmap::dtype_count; ++i) {
    const auto type = static_cast<tgmap::dtype>(i);
    if (type == tgmap::dtype::bitmask) continue;
    const bytes payload = counting(6 * element_size(type));
    for (const char* order : {"little", "big"}) {
      BOOST_TEST_CONTEXT(to_string_view(type) << ", " << order) {
        const object_spec object{
            .dtype = std::string(to_string_view(type)), .shape = {2, 3}, .payload = payload, .byte_order = order};
        const bytes wanted = order == std::string("big") ? reversed_in(payload, swap_unit(type)) : payload;
        with(object, [&](const tgmap::object& from) {
          BOOST_TEST(raw(from) == wanted);
          BOOST_TEST(npy(from).second == wanted);
        });
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(complex_numbers_are_swapped_by_component) {
  with({.dtype = "complex64", .shape = {1}, .payload = bytes("\x3f\x80\0\0\x40\0\0\0", 8), .byte_order = "big"},
       [](const tgmap::object& object) {
         BOOST_TEST(raw(object) == native<float>({1, 2}));
       });
}

BOOST_AUTO_TEST_CASE(the_default_byte_order_is_little) {
  with({.dtype = "uint16", .shape = {2}, .payload = "abcd", .byte_order = std::nullopt},
       [](const tgmap::object& object) { BOOST_TEST(raw(object) == "abcd"); });
}

BOOST_AUTO_TEST_CASE(bits_become_bytes) {
  for (const std::size_t count : {0u, 1u, 7u, 8u, 9u, 24u, 30u}) {
    const bytes packed = bytes("\xa5\xff\x00\x81", 4).substr(0, (count + 7) / 8);
    bytes wanted;
    for (std::size_t i = 0; i < count; ++i) wanted += static_cast<char>(packed[i / 8] >> (7 - i % 8) & 1);
    with({.dtype = "bitmask", .shape = {count}, .payload = packed}, [&](const tgmap::object& object) {
      BOOST_TEST(raw(object) == wanted);
      BOOST_TEST(npy(object).first ==
                 "{'descr': '|u1', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }");
    });
  }
}

BOOST_AUTO_TEST_CASE(fortran_order_is_kept_in_npy_and_gathered_in_raw) {
  const object_spec object{.dtype = "uint16", .shape = {2, 3}, .payload = "aabbccddeeff", .strides = {{1, 2}}};
  with(object, [](const tgmap::object& from) {
    BOOST_TEST(npy(from).first == "{'descr': '<u2', 'fortran_order': True, 'shape': (2, 3), }");
    BOOST_TEST(npy(from).second == "aabbccddeeff");
    BOOST_TEST(raw(from) == "aacceebbddff");
    BOOST_TEST(npy(from, stride_policy::ignore).first == "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3), }");
    BOOST_TEST(raw(from, stride_policy::ignore) == "aabbccddeeff");
  });
}

BOOST_AUTO_TEST_CASE(other_permutations_are_gathered_and_swapped) {
  // [2][3][2], stored with the middle dimension slowest, then the first, then the last.
  const object_spec object{.dtype = "uint16",
                           .shape = {2, 3, 2},
                           .payload = "AaBbCcDdEeFfGgHhIiJjKkLl",
                           .strides = {{2, 4, 1}},
                           .byte_order = "big"};
  with(object, [](const tgmap::object& from) {
    const bytes wanted = reversed_in("AaBbEeFfIiJjCcDdGgHhKkLl", 2);
    BOOST_TEST(raw(from) == wanted);
    BOOST_TEST(npy(from).first == "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3, 2), }");
    BOOST_TEST(npy(from).second == wanted);
  });
}

BOOST_AUTO_TEST_CASE(permuted_bits_are_gathered) {
  // 2 x 3 in Fortran order: columns 10, 11, 00.
  const object_spec object{.dtype = "bitmask", .shape = {2, 3}, .payload = "\xb0", .strides = {{1, 2}}};
  with(object, [](const tgmap::object& from) {
    BOOST_TEST(npy(from).second == bytes("\1\0\1\1\0\0", 6));
    BOOST_TEST(npy(from).first.find("'fortran_order': True") != bytes::npos);
    BOOST_TEST(raw(from) == bytes("\1\1\0\0\1\0", 6));
  });
}

BOOST_AUTO_TEST_CASE(scalars_and_empty_arrays) {
  with({.dtype = "int32", .shape = {}, .payload = "abcd"}, [](const tgmap::object& from) {
    BOOST_TEST(npy(from).first == "{'descr': '<i4', 'fortran_order': False, 'shape': (), }");
    BOOST_TEST(npy(from).second == "abcd");
  });
  for (const std::vector<std::uint64_t>& shape : {std::vector<std::uint64_t>{0}, {3, 0, 2}, {0, 0}}) {
    const object_spec object{.dtype = "float64", .shape = shape};
    with(object, [](const tgmap::object& from) {
      BOOST_TEST(raw(from) == "");
      BOOST_TEST(npy(from).second == "");
    });
  }
}

BOOST_AUTO_TEST_CASE(payloads_of_many_blocks) {
  const std::uint64_t rows = 700, columns = 999;  // over five blocks of uint64
  bytes payload = counting(rows * columns * 8);
  object_spec object{.dtype = "uint64", .shape = {rows, columns}, .payload = payload, .byte_order = "big"};
  const auto only_read = [&](const object_spec& spec, auto&& body) {
    const bytes data = message({.objects = {spec}});
    const auto archive = tgmap::archive::from_memory(span_of(data));
    body(archive[0][0]);
  };
  only_read(object, [&](const tgmap::object& from) {
    BOOST_TEST((raw(from) == reversed_in(payload, 8)));
    bytes stored;
    tgmap::convert::copy_payload(from, [&](std::span<const std::byte> piece) { stored += view_of(piece); });
    BOOST_TEST((stored == payload));
  });

  object.strides = {{1, rows}};
  only_read(object, [&](const tgmap::object& from) {
    bytes wanted;
    for (std::uint64_t r = 0; r < rows; ++r)
      for (std::uint64_t c = 0; c < columns; ++c) wanted += payload.substr((c * rows + r) * 8, 8);
    BOOST_TEST((raw(from) == reversed_in(wanted, 8)));
  });

  object.dtype = "bitmask";
  object.strides.reset();
  object.shape = {payload.size() * 8 - 5};
  only_read(object, [&](const tgmap::object& from) {
    const bytes found = raw(from);
    BOOST_TEST_REQUIRE(found.size() == payload.size() * 8 - 5);
    for (std::size_t i = 0; i < found.size(); i += 4093)
      BOOST_TEST_REQUIRE(found[i] == (payload[i / 8] >> (7 - i % 8) & 1));
  });
}

BOOST_AUTO_TEST_CASE(a_shape_without_dimensions_of_one) {
  with({.dtype = "uint8", .shape = {2, 1, 3}, .payload = "abcdef"}, [](const tgmap::object& object) {
    const std::vector<std::uint64_t> shape{2, 3};
    bytes file;
    tgmap::convert::write_npy(object.decode(), shape, [&](auto piece) { file += view_of(piece); });
    BOOST_TEST(file.find("'fortran_order': False, 'shape': (2, 3), }") != bytes::npos);
    BOOST_TEST(file.ends_with("\nabcdef"));
  });
}

BOOST_AUTO_TEST_CASE(borrowed_elements_of_a_truncated_file_are_an_error) {
  BOOST_TEST_REQUIRE(!tgmap::mapping_guard::install());
  const temporary_directory files;
  using numbers = std::vector<std::uint64_t>;
  for (const numbers& strides : {numbers{1024, 1}, numbers{1, 1024}}) {  // copied, and gathered
    const object_spec object{
        .dtype = "uint8", .shape = {1024, 1024}, .payload = counting(1024 * 1024), .strides = strides};
    const auto path = files.file("f.tgm", message({.objects = {object}}));
    const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
    const tgmap::tensor elements = archive[0][0].decode();
    BOOST_TEST_REQUIRE(elements.is_borrowed());
    std::filesystem::resize_file(path, 4096);
    TGMAP_THROWS(tgmap::convert::write_raw(elements, [](auto) {}), tgmap::errc::file_shrank);
  }
}

BOOST_AUTO_TEST_CASE(exceptions_of_the_write_function_pass) {
  with(bytes_object("abc"), [](const tgmap::object& object) {
    BOOST_CHECK_THROW(tgmap::convert::write_raw(object.decode(), [](auto) { throw 7; }), int);
  });
}

BOOST_AUTO_TEST_SUITE_END()
