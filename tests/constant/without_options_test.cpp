// SPDX-License-Identifier: Apache-2.0
// Calls without optional arguments.
#include <boost/test/unit_test.hpp>
#include <string>
#include <tgmap/constant/archive.hpp>
#include <tgmap/constant/builder.hpp>
#include <tgmap/constant/convert.hpp>
#include <tgmap/constant/write.hpp>
#include <tgmap/tgmap.hpp>

namespace constant = tgmap::constant;
using constant::tensor_type;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(without_options)

BOOST_AUTO_TEST_CASE(reading_and_writing) {
  failure why;
  constant::report report;
  const auto shown = constant::make_sample(tensor_type::parse("tensor<float>(k{},x[2])"), why);
  BOOST_TEST(!why);
  const std::string text = to_json(shown, why);
  BOOST_TEST(!why);
  tgmap::memory_sink first, second, binary, binary_again;
  write_json(shown, first);
  write_json(shown, second, why);
  BOOST_TEST(!why);
  write_typed_binary(shown, binary);
  write_typed_binary(shown, binary_again, why);
  BOOST_TEST(!why);
  BOOST_TEST((first.bytes() == second.bytes() && binary.bytes() == binary_again.bytes()));
  BOOST_TEST(first.bytes().size() == text.size());

  const auto read = constant::read_json(text, report);
  BOOST_TEST(!report);
  BOOST_TEST(to_json(read) == text);
  BOOST_TEST(to_json(constant::read_typed_binary(binary.bytes(), report)) == text);
  BOOST_TEST(!report);
  constant::read_json("{", report);
  BOOST_TEST(static_cast<bool>(report));
  constant::read_file("there/is/no/such/file", report);
  BOOST_TEST((report.first().code == std::errc::no_such_file_or_directory));
  BOOST_TEST((constant::convert(read, tgmap::dtype::int8, why).type().cell_type() == tgmap::dtype::int8));
  BOOST_TEST(!why);
}

BOOST_AUTO_TEST_CASE(labels_cells_and_builders) {
  failure why;
  constant::builder make(tensor_type::parse("tensor<float>(k{})"), why);
  BOOST_TEST(!why);
  const std::string_view label = "a";
  make.find_or_add({&label, 1});
  const auto tensor = make.finish();
  BOOST_TEST(tensor.label(0, why) == "a");
  BOOST_TEST(tensor.label(1, why).empty());
  BOOST_TEST((why.code == tgmap::errc::out_of_range));
  BOOST_TEST(tensor.cell({{"k", "a"}}, why) == 0);
  BOOST_TEST(!why);
  BOOST_TEST(!tensor.find({{"k", "b"}}, why));
  BOOST_TEST(!why);
  BOOST_TEST(!tensor.find({{"j", "b"}}, why));
  BOOST_TEST((why.code == constant::errc::unknown_dimension));
}

BOOST_AUTO_TEST_CASE(objects) {
  failure why;
  std::vector<float> numbers{1, 2, 3};
  tgmap::new_message message;
  message.objects.emplace_back(tgmap::new_object::of(numbers));
  const auto bytes = tgmap::to_bytes(message);
  const auto in = tgmap::archive::from_memory(bytes);
  const std::string names[]{"x"};
  BOOST_TEST(constant::from_object(in, in[0][0], names, why).size() == 3U);
  BOOST_TEST(!why);
}

BOOST_AUTO_TEST_SUITE_END()
