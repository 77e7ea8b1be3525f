// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <tgmap/adapters/multi_array.hpp>
#include <tgmap/constant/builder.hpp>

namespace constant = tgmap::constant;
using constant::builder;
using constant::errc;
using constant::tensor_constant;
using constant::tensor_type;

namespace {

void set(builder& into, std::uint64_t block, std::size_t cell, float value) {
  std::memcpy(into.cells(block).data() + cell * sizeof value, &value, sizeof value);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(building)

BOOST_AUTO_TEST_CASE(a_dense_constant_starts_as_zeros) {
  builder make(tensor_type::parse("tensor<float>(x[2],y[3])"));
  BOOST_TEST(make.blocks() == 1u);
  set(make, 0, 4, 7.5f);
  const tensor_constant tensor = make.finish();
  BOOST_TEST(tensor.size() == 6u);
  BOOST_TEST(tensor.cell({{"x", 1}, {"y", 1}}) == 7.5);
  BOOST_TEST(tensor.cell({{"y", "1"}, {"x", "1"}}) == 7.5);
  BOOST_TEST(tensor.cell({{"x", 0}, {"y", 1}}) == 0.0);
  const auto cells = tgmap::as_multi_array<2>(tensor.cells<float>());
  BOOST_TEST(cells[1][1] == 7.5f);
  BOOST_TEST((cells.shape()[0] == 2u && cells.shape()[1] == 3u));
  BOOST_TEST((tensor.find_block(std::span<const std::string_view>()) == 0u));
}

BOOST_AUTO_TEST_CASE(blocks_are_found_by_their_labels) {
  builder make(tensor_type::parse("tensor<float>(b{},a{},x[2])"));
  const std::string_view first[] = {"one", "x"}, second[] = {"on", "ex"}, third[] = {"", ""};
  BOOST_TEST(
      (make.find_or_add(first).was_added && make.find_or_add(second).was_added && make.find_or_add(third).was_added));
  BOOST_TEST(!make.find_or_add(second).was_added);
  BOOST_TEST(make.find_or_add(third).block == 2u);
  BOOST_TEST((make.find(second) == 1u));
  set(make, 1, 1, 3);
  const tensor_constant tensor = make.finish();
  BOOST_TEST(tensor.blocks() == 3u);
  BOOST_TEST((tensor.find_block(first) == 0u && tensor.find_block(second) == 1u && tensor.find_block(third) == 2u));
  BOOST_TEST(!tensor.find_block("one").has_value());
  BOOST_TEST(tensor.label(1, 0) == "on");
  BOOST_TEST(tensor.label(1, 1) == "ex");
  BOOST_TEST(tensor.cell({{"x", 1}, {"a", "on"}, {"b", "ex"}}) == 3.0);
  BOOST_TEST((tensor.block<float>(1)(1) == 3.f));
  BOOST_TEST(tensor.cells<float>().shape().size() == 2u);
  BOOST_TEST((tensor.validate().code == std::error_code()));
  const tensor_constant copy = tensor;
  BOOST_TEST(copy.bytes().data() == tensor.bytes().data());
}

BOOST_AUTO_TEST_CASE(invalid_addresses_are_errors) {
  builder make(tensor_type::parse("tensor<float>(key{},x[2])"));
  const std::string_view label[] = {"7"};
  make.find_or_add(label);
  const tensor_constant tensor = make.finish();
  using part = constant::address_part;
  const auto code = [&](std::initializer_list<part> at) {
    tgmap::failure why;
    tensor.cell(constant::address(at.begin(), at.size()), why);
    return std::string(to_string_view(static_cast<errc>(why.code.value())));
  };
  BOOST_TEST(code({{"key", "7"}, {"x", 1}}) == "");
  BOOST_TEST(code({{"key", 7}, {"x", "01"}}) == "");
  BOOST_TEST(code({{"key", -7}, {"x", 1}}) == "no_such_cell");
  BOOST_TEST(code({{"key", "8"}, {"x", 1}}) == "no_such_cell");
  BOOST_TEST(code({{"key", "7"}}) == "missing_dimension");
  BOOST_TEST(code({{"key", "7"}, {"x", 1}, {"x", 1}}) == "repeated_dimension");
  BOOST_TEST(code({{"key", "7"}, {"y", 1}}) == "unknown_dimension");
  BOOST_TEST(code({{"key", "7"}, {"x", 2}}) == "index_range");
  BOOST_TEST(code({{"key", "7"}, {"x", -1}}) == "bad_index");
  BOOST_TEST(code({{"key", "7"}, {"x", " 1"}}) == "bad_index");
  BOOST_TEST(code({{"key", "7"}, {"x", ""}}) == "bad_index");
  BOOST_TEST(code({{"key", "7"}, {"x", "99999999999999999999999"}}) == "bad_index");
  BOOST_CHECK_THROW(tensor.cell({{"key", "8"}, {"x", 0}}), tgmap::error);
  BOOST_CHECK_THROW(tensor.label(1), tgmap::error);
  BOOST_CHECK_THROW(tensor.cells<double>(), tgmap::error);
  BOOST_CHECK_THROW(tensor.block<float>(1), tgmap::error);
}

BOOST_AUTO_TEST_CASE(many_labels_are_found_as_in_a_map) {
  builder make(tensor_type::parse("tensor<float>(key{})"));
  std::map<std::string, std::uint64_t> also;
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string label(random() % 4, 'a');
    for (char& c : label) c = static_cast<char>('a' + random() % 20);
    const std::string_view one = label;
    const auto [at, added] = make.find_or_add({&one, 1});
    const auto [there, is_new] = also.try_emplace(label, also.size());
    BOOST_REQUIRE(added == is_new);
    BOOST_REQUIRE(at == there->second);
  }
  const tensor_constant tensor = make.finish();
  BOOST_TEST(tensor.blocks() == also.size());
  for (const auto& [label, number] : also) BOOST_REQUIRE((tensor.find_block(label) == number));
  BOOST_TEST(!tensor.find_block("zzzz").has_value());
  BOOST_TEST((tensor.validate().code == std::error_code()));
}

BOOST_AUTO_TEST_CASE(limits_hold) {
  tgmap::failure why;
  builder dense(tensor_type::parse("tensor(x[1000])"), 7999, why);
  BOOST_TEST((why.code == errc::too_large));
  BOOST_TEST(why.found == 8000u);
  builder mixed(tensor_type::parse("tensor(k{},x[2])"), 40, why);
  BOOST_TEST((why.code == std::error_code()));
  for (const char* each : {"a", "b"}) {
    const std::string_view label = each;
    mixed.find_or_add({&label, 1});
  }
  const std::string_view third = "c";
  mixed.find_or_add({&third, 1}, why);
  BOOST_TEST((why.code == errc::too_large));
  BOOST_TEST((mixed.blocks() == 2u && !mixed.find({&third, 1})));
  mixed.find_or_add({}, why);
  BOOST_TEST((why.code == errc::missing_dimension));
}

BOOST_AUTO_TEST_CASE(cells_of_the_caller_are_not_copied) {
  const float cells[] = {1, 2, 3};
  const tensor_type type = tensor_type::parse("tensor<float>(x[3])");
  const tensor_constant tensor = tensor_constant::of(type, std::as_bytes(std::span(cells)), {});
  BOOST_TEST((tensor.is_borrowed() && tensor.bytes().data() == reinterpret_cast<const std::byte*>(cells)));
  BOOST_TEST(tensor.cell({{"x", 2}}) == 3.0);
  tgmap::failure why;
  tensor_constant::of(type, std::as_bytes(std::span(cells)).first(11), {}, why);
  BOOST_TEST((why.code == tgmap::errc::payload_size_mismatch));
  tensor_constant::of(tensor_type::parse("tensor(k{})"), {}, {}, why);
  BOOST_TEST((why.code == errc::wrong_form));
}

BOOST_AUTO_TEST_CASE(a_scalar_has_one_cell_and_an_empty_constant_none) {
  BOOST_TEST(tensor_constant().size() == 0u);
  builder make{tensor_type()};
  const double value = 5;
  std::memcpy(make.cells(0).data(), &value, sizeof value);
  const tensor_constant tensor = make.finish();
  BOOST_TEST(tensor.size() == 1u);
  BOOST_TEST(tensor.cell(constant::address()) == 5.0);
}

BOOST_AUTO_TEST_SUITE_END()
