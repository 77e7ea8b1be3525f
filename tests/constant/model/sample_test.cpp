// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>
#include <tgmap/constant/write.hpp>
#include <tgmap/options.hpp>

namespace constant = tgmap::constant;
using constant::tensor_type;

namespace {

std::string sample_of(const char* type) { return to_json(constant::make_sample(tensor_type::parse(type))); }

}  // namespace

BOOST_AUTO_TEST_SUITE(samples)

BOOST_AUTO_TEST_CASE(a_sample_has_every_part_of_its_type) {
  const std::pair<const char*, const char*> all[] = {
      {"tensor()", R"~({"type":"tensor()","values":[1]})~"},
      {"tensor(x[3])", R"~({"type":"tensor(x[3])","values":[1,2,3]})~"},
      {"tensor<float>(x[2],y[3])", R"~({"type":"tensor<float>(x[2],y[3])","values":[[1,2,3],[4,5,6]]})~"},
      {"tensor<bfloat16>(k{})", R"~({"type":"tensor<bfloat16>(k{})","cells":{"a":1,"b":2}})~"},
      {"tensor<int8>(k{},x[2])", R"~({"type":"tensor<int8>(k{},x[2])","blocks":{"a":[1,2],"b":[3,4]}})~"},
      {"tensor(k{},j{})", R"~({"type":"tensor(j{},k{})","cells":[{"address":{"j":"a","k":"a"},"value":1},)~"
                          R"~({"address":{"j":"a","k":"b"},"value":2},{"address":{"j":"b","k":"b"},"value":3}]})~"},
      {"tensor(k{},j{},x[1])",
       R"~({"type":"tensor(j{},k{},x[1])","blocks":[{"address":{"j":"a","k":"a"},"values":[1]},)~"
       R"~({"address":{"j":"a","k":"b"},"values":[2]},{"address":{"j":"b","k":"b"},"values":[3]}]})~"},
  };
  for (const auto& [type, text] : all) BOOST_TEST(sample_of(type) == text);
}

BOOST_AUTO_TEST_CASE(numbers_restart_if_cells_cannot_distinguish_them) {
  const auto last = [](const char* type, std::uint64_t at) {
    return constant::make_sample(tensor_type::parse(type)).cell({{"x", at}});
  };
  BOOST_TEST(last("tensor<int8>(x[200])", 126) == 127.0);
  BOOST_TEST(last("tensor<int8>(x[200])", 127) == 1.0);
  BOOST_TEST(last("tensor<bfloat16>(x[300])", 255) == 256.0);
  BOOST_TEST(last("tensor<bfloat16>(x[300])", 256) == 1.0);
  BOOST_TEST(last("tensor<float>(x[1000000])", 999'999) == 1'000'000.0);
}

BOOST_AUTO_TEST_CASE(samples_are_small) {
  tgmap::failure why;
  constant::make_sample(tensor_type::parse("tensor(x[1000001])"), 1'000'000, why);
  BOOST_TEST((why.code == constant::errc::too_large && why.expected == 1'000'000 && why.found == 1'000'001));
  constant::make_sample(tensor_type::parse("tensor(k{},x[500001])"), 1'000'000, why);
  BOOST_TEST((why.code == constant::errc::too_large && why.found == 1'000'002));
  constant::make_sample(tensor_type::parse("tensor(k{},x[2147483647],y[200000000])"), 1'000'000, why);
  BOOST_TEST((why.code == constant::errc::too_large));
  BOOST_TEST(constant::make_sample(tensor_type::parse("tensor(k{},x[2])"), 4, why).size() == 4u);
  BOOST_TEST(!why);
  constant::make_sample(tensor_type::parse("tensor()"), 0, why);
  BOOST_TEST((why.code == constant::errc::too_large));
  BOOST_CHECK_THROW(constant::make_sample(tensor_type::parse("tensor(x[10])"), 9), tgmap::error);
  // The largest number of dimensions: one block more than dimensions.
  std::string type = "tensor(";
  for (std::size_t d = 0; d + 1 < tgmap::max_rank; ++d) type += (d > 0 ? ",d" : "d") + std::to_string(d) + "{}";
  BOOST_TEST(constant::make_sample(tensor_type::parse(type + ')')).size() == tgmap::max_rank);
}

BOOST_AUTO_TEST_SUITE_END()
