// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <support/builder.hpp>
#include <support/decoded.hpp>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/tgmap.hpp>
#include <type_traits>
#include <utility>

using namespace tgmap_test;

// Tensors that own or borrow their elements.

using tgmap::errc;

BOOST_AUTO_TEST_SUITE(tensor_test)

namespace {

object_spec six_numbers(std::string order = "little") {
  object_spec spec = numbers_object<float>("float32", {1, 2, 3, 4, 5, 6});
  spec.byte_order = std::move(order);
  return spec;
}

}  // namespace

BOOST_AUTO_TEST_CASE(empty_tensor) {
  const tgmap::tensor none;
  BOOST_TEST(none.size() == 0u);
  BOOST_TEST(none.bytes().empty());
  BOOST_TEST(!none.is_borrowed());
}

BOOST_AUTO_TEST_CASE(plain_objects_of_a_mapping_are_borrowed) {
  const temporary_directory files;
  const auto path = files.file("plain.tgm", message({.objects = {six_numbers()}}));
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

BOOST_AUTO_TEST_CASE(view_needs_the_dtype_and_native_byte_order) {
  const temporary_directory files;
  const tgmap::archive a(files.file("big.tgm", message({.objects = {six_numbers("big")}})));
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

// Tensors that outlive their archive.

BOOST_AUTO_TEST_SUITE(tensor_lifetime_test)

namespace {

/// Returns 1.5, 3.5, 5.5, ... in simple_packing with eight bits each.
object_spec packed() {
  object_spec spec{.dtype = "float64", .shape = {3}, .payload = bytes("\0\1\2", 3)};
  spec.encoding = "simple_packing";
  spec.more = {cbor::key("sp_reference_value", cbor::real(1.5)), cbor::key("sp_binary_scale_factor", cbor::integer(1)),
               cbor::key("sp_decimal_scale_factor", cbor::integer(0)),
               cbor::key("sp_bits_per_value", cbor::integer(8))};
  return spec;
}

bytes plain_and_packed() {
  return message({.objects = {numbers_object<double>("float64", {1.5, 3.5, 5.5}), packed()}});
}

/// A function as in programs of users.
tgmap::tensor decoded(const std::filesystem::path& path, std::size_t object, tgmap::io_mode mode) {
  const tgmap::archive in(path, {.io = mode});
  return in[0][object].decode();
}

const std::vector<double> expected{1.5, 3.5, 5.5};

template <class F>
void each_way(F&& body) {
  const temporary_directory files;
  const auto path = files.file("a.tgm", plain_and_packed());
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read})
    for (const std::size_t object : {0u, 1u}) BOOST_TEST_CONTEXT("object " << object) {
        body(path, object, mode);
      }
}

}  // namespace

BOOST_AUTO_TEST_CASE(tensor_outlives_the_archive) {
  each_way([](const auto& path, std::size_t object, tgmap::io_mode mode) {
    const tgmap::tensor t = decoded(path, object, mode);
    BOOST_TEST(t.is_borrowed() == (object == 0 && mode == tgmap::io_mode::map));
    BOOST_TEST(values_of<double>(t) == expected);
  });
}

BOOST_AUTO_TEST_CASE(other_types_and_parts_too) {
  each_way([](const auto& path, std::size_t object, tgmap::io_mode mode) {
    const auto as_double = [&] { return tgmap::archive(path, {.io = mode}); };
    const auto same = [&] {
      const auto in = as_double();
      return in[0][object].template decode_as<double>();
    };
    const auto narrow = [&] {
      const auto in = as_double();
      return in[0][object].template decode_as<float>();
    };
    const auto part = [&] {
      const auto in = as_double();
      return tgmap::part_reader(in[0][object]).range(1, 2);
    };
    BOOST_TEST(values_of<double>(same()) == expected);
    BOOST_TEST(values_of<float>(narrow())[2] == 5.5f);
    BOOST_TEST(values_of<double>(part())[1] == 5.5);
  });
}

BOOST_AUTO_TEST_CASE(moved_tensors_keep_their_elements) {
  each_way([](const auto& path, std::size_t object, tgmap::io_mode mode) {
    std::vector<tgmap::tensor> kept;
    {
      const tgmap::archive in(path, {.io = mode});
      const std::vector<tgmap::object> objects(5, in[0][object]);
      tgmap::failure why;
      const auto done = tgmap::decode_each(
          objects,
          [&](std::size_t, tgmap::tensor&& each, const tgmap::failure&) {
            kept.push_back(std::move(each));
            return true;
          },
          why);
      TGMAP_SUCCEEDED(why);
      BOOST_TEST(done.decoded == 5u);
    }
    for (const tgmap::tensor& each : kept) BOOST_TEST(values_of<double>(each) == expected);
  });
}

BOOST_AUTO_TEST_CASE(moved_from_tensor_is_empty) {
  each_way([](const auto& path, std::size_t object, tgmap::io_mode mode) {
    tgmap::tensor from = decoded(path, object, mode);
    const std::byte* const at = from.bytes().data();
    tgmap::tensor tensor = std::move(from);
    BOOST_TEST(tensor.bytes().data() == at);
    BOOST_TEST(from.size() == 0u);  // NOLINT(bugprone-use-after-move)
    BOOST_TEST(from.bytes().empty());
    BOOST_TEST(!from.is_borrowed());
    BOOST_TEST(from.view<double>().size() == 0u);
    tensor = decoded(path, 1 - object, mode);
    BOOST_TEST(values_of<double>(tensor) == expected);
    auto& same = tensor;
    tensor = std::move(same);
    BOOST_TEST(values_of<double>(tensor) == expected);
  });
}

BOOST_AUTO_TEST_CASE(reused_tensor_releases_the_archive) {
  each_way([](const auto& path, std::size_t object, tgmap::io_mode mode) {
    tgmap::tensor t = decoded(path, 0, tgmap::io_mode::map);
    {
      const tgmap::archive in(path, {.io = mode});
      in[0][object].decode_into(t);
    }
    BOOST_TEST(!t.is_borrowed());
    BOOST_TEST(t.mutable_bytes().size() == 24u);
    BOOST_TEST(values_of<double>(t) == expected);
  });
}

BOOST_AUTO_TEST_SUITE_END()

// tensor::visit with every dtype.

using tgmap::errc;

BOOST_AUTO_TEST_SUITE(tensor_visit_test)

namespace {

/// Returns two elements of a dtype; all bytes are 0.
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

/// Returns the bits 1010 0000 01 in two rows of five.
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
  const auto to_bits = [](const tgmap::tensor& tensor) {
    return tensor.visit([](const auto& view) {
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
  BOOST_TEST(permuted[2]);  // still in the order of the payload
  TGMAP_THROWS(permuted.values(), errc::not_contiguous);
  BOOST_TEST(tgmap::bit_view().size() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
