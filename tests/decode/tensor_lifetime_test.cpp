// SPDX-License-Identifier: Apache-2.0
// Tensors whose archive has gone.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <support/builder.hpp>
#include <support/decoded.hpp>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/tgmap.hpp>
#include <utility>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(tensor_lifetime_test)

namespace {

/// 1.5, 3.5, 5.5, ... as simple_packing has them, in eight bits each.
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

/// As any program may write it.
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

BOOST_AUTO_TEST_CASE(a_function_returns_what_it_decodes) {
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

BOOST_AUTO_TEST_CASE(tensors_handed_over_stay) {
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

BOOST_AUTO_TEST_CASE(a_move_leaves_nothing_behind) {
  each_way([](const auto& path, std::size_t object, tgmap::io_mode mode) {
    tgmap::tensor from = decoded(path, object, mode);
    const std::byte* const at = from.bytes().data();
    tgmap::tensor to = std::move(from);
    BOOST_TEST(to.bytes().data() == at);
    BOOST_TEST(from.size() == 0u);  // NOLINT(bugprone-use-after-move)
    BOOST_TEST(from.bytes().empty());
    BOOST_TEST(!from.is_borrowed());
    BOOST_TEST(from.view<double>().size() == 0u);
    to = decoded(path, 1 - object, mode);
    BOOST_TEST(values_of<double>(to) == expected);
    auto& same = to;
    to = std::move(same);
    BOOST_TEST(values_of<double>(to) == expected);
  });
}

BOOST_AUTO_TEST_CASE(a_tensor_that_serves_again_lets_go) {
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
