// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>
#include <tgmap/constant/type.hpp>
#include <tgmap/options.hpp>
#include <vector>

using tgmap::constant::cell_type_from_name;
using tgmap::constant::cell_type_name;
using tgmap::constant::errc;
using tgmap::constant::tensor_type;

namespace {

/// Returns the canonical text, or the name of the error and its offset.
std::string read(const std::string& text) {
  tgmap::failure why;
  const tensor_type type = tensor_type::parse(text, why);
  if (!why) return type.text();
  if (why.code.category() != tgmap::constant::category()) return why.code.message();
  return std::string(to_string_view(static_cast<errc>(why.code.value()))) + '@' + std::to_string(why.offset);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(type)

BOOST_AUTO_TEST_CASE(types_have_a_canonical_text) {
  const std::pair<const char*, const char*> all[] = {
      {"tensor(x[3])", "tensor(x[3])"},
      {"tensor<double>(x[2])", "tensor(x[2])"},
      {"tensor<float>(x[3],key{})", "tensor<float>(key{},x[3])"},
      {"  tensor < float > ( x [ 3 ] , y { } )  ", "tensor<float>(x[3],y{})"},
      {"tensor (x[3])", "tensor(x[3])"},
      {"tensor<float> (x[3])", "tensor<float>(x[3])"},
      {"tensor( )", "tensor()"},
      {"tensor()", "tensor()"},
      {"tensor<double>()", "tensor()"},
      {"double", "tensor()"},
      {" double ", "tensor()"},
      {"tensor(x[03])", "tensor(x[3])"},
      {"tensor(x2{},x10{},_{},A{},a{})", "tensor(A{},_{},a{},x10{},x2{})"},
      {"tensor<bfloat16>(a_9[1])", "tensor<bfloat16>(a_9[1])"},
      {"tensor<int8>(x[2147483647])", "tensor<int8>(x[2147483647])"},
      {"tensor\n(\tx{\r}\n)", "tensor(x{})"},
  };
  for (const auto& [text, canonical] : all) {
    BOOST_TEST(read(text) == canonical, text << ": " << read(text));
    BOOST_TEST(read(canonical) == canonical);
  }
}

BOOST_AUTO_TEST_CASE(invalid_types_are_errors_with_a_place) {
  const std::pair<const char*, const char*> all[] = {
      {"", "bad_type@0"},
      {"Tensor(x[3])", "bad_type@0"},
      {"tensor", "bad_type@6"},
      {"tensor(", "bad_dimension@7"},
      {"tensor(x", "bad_dimension@8"},
      {"tensor(x[", "bad_size@9"},
      {"tensor(x[3", "bad_size@9"},
      {"tensor(x[3]", "bad_type@11"},
      {"tensor(x[3])x", "bad_type@12"},
      {"tensor(x[3]) y", "bad_type@13"},
      {"tensor<FLOAT>(x[3])", "unknown_cell_type@7"},
      {"tensor<half>(x[3])", "unknown_cell_type@7"},
      {"tensor<>(x[3])", "unknown_cell_type@7"},
      {"tensor<float(x[3])", "bad_type@12"},
      {"tensor<float>()", "scalar_cell_type@7"},
      {"tensor(x[3],)", "bad_dimension@12"},
      {"tensor(,x[3])", "bad_dimension@7"},
      {"tensor(x[3],,y[2])", "bad_dimension@12"},
      {"tensor(x[3] y[2])", "bad_type@12"},
      {"tensor(0x[3])", "bad_dimension@7"},
      {"tensor([3])", "bad_dimension@7"},
      {"tensor({})", "bad_dimension@7"},
      {"tensor(a-b[3])", "bad_dimension@8"},
      {"tensor(a.b[3])", "bad_dimension@8"},
      {"tensor($a[3])", "bad_dimension@7"},
      {"tensor(\xc3\xa9[3])", "bad_dimension@7"},
      {"tensor(x[2147483648])", "bad_size@9"},
      {"tensor(x[4294967297])", "bad_size@9"},
      {"tensor(x[4294967295])", "bad_size@9"},
      {"tensor(x[99999999999999999999999999999])", "bad_size@9"},
      {"tensor(x[+3])", "bad_size@9"},
      {"tensor(x[-1])", "bad_size@9"},
      {"tensor(x[3.0])", "bad_size@9"},
      {"tensor(x[0])", "bad_size@9"},
      {"tensor(x{10})", "bad_dimension@9"},
      {"tensor(x[])", "unbound_dimension@9"},
      {"tensor(x[ ])", "unbound_dimension@10"},
      {"tensor(x{},x[2])", "repeated_dimension@11"},
      {"tensor(x[2], x[2])", "repeated_dimension@13"},
      {"double x", "bad_type@0"},
      {"tensor(a[2147483647],b[2147483647],c[2])", "too_large@0"},
      {"tensor<int8>(a[2147483647],b[2147483647],c[2],d[2])", "too_large@7"},
  };
  for (const auto& [text, wanted] : all) BOOST_TEST(read(text) == wanted, text << ": " << read(text));
  BOOST_CHECK_THROW(tensor_type::parse("tensor("), tgmap::error);
}

BOOST_AUTO_TEST_CASE(truncated_and_changed_types) {
  const std::string text = "tensor<bfloat16>(abc{},x[12],yy[3])";
  for (std::size_t n = 0; n < text.size(); ++n) BOOST_TEST(read(text.substr(0, n)).find('@') != std::string::npos);
  // A changed byte gives a type or an error within the text.
  for (std::size_t at = 0; at < text.size(); ++at)
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = text;
      changed[at] = static_cast<char>(byte);
      tgmap::failure why;
      const tensor_type type = tensor_type::parse(changed, why);
      if (why)
        BOOST_TEST(why.offset <= text.size());
      else
        BOOST_TEST((tensor_type::parse(type.text()) == type));
    }
}

BOOST_AUTO_TEST_CASE(too_many_dimensions_are_an_error) {
  std::string text = "tensor(";
  for (std::size_t i = 0; i + 1 < tgmap::max_rank; ++i) text += (i > 0 ? ",d" : "d") + std::to_string(i) + "{}";
  BOOST_TEST(tensor_type::parse(text + ")").mapped_count() == tgmap::max_rank - 1);
  tgmap::failure why;
  tensor_type::parse(text + ",e{})", why);
  BOOST_TEST((why.code == tgmap::errc::too_many_dimensions));
}

BOOST_AUTO_TEST_CASE(kinds_and_sizes) {
  const tensor_type dense = tensor_type::parse("tensor<float>(x[3],y[4])");
  BOOST_TEST((dense.is_dense() && !dense.is_sparse() && !dense.is_mixed() && !dense.is_scalar()));
  BOOST_TEST(dense.block_cells() == 12u);
  BOOST_TEST(dense.block_bytes() == 48u);
  const tensor_type sparse = tensor_type::parse("tensor(a{},b{})");
  BOOST_TEST((sparse.is_sparse() && !sparse.is_dense() && !sparse.is_mixed()));
  BOOST_TEST(sparse.mapped_count() == 2u);
  BOOST_TEST(sparse.block_cells() == 1u);
  const tensor_type mixed = tensor_type::parse("tensor<int8>(a{},b[5])");
  BOOST_TEST((mixed.is_mixed() && !mixed.is_dense() && !mixed.is_sparse()));
  BOOST_TEST(mixed.indexed_count() == 1u);
  BOOST_TEST(mixed.block_bytes() == 5u);
  BOOST_TEST((tensor_type().is_scalar() && tensor_type() == tensor_type::parse("tensor()")));
  BOOST_TEST((mixed.find("b") == 1u && mixed.find("a") == 0u && !mixed.find("c") && !mixed.find("")));
}

BOOST_AUTO_TEST_CASE(names_of_cell_types) {
  for (const char* each : {"double", "float", "bfloat16", "int8"})
    BOOST_TEST(cell_type_name(cell_type_from_name(each).value()) == each);
  BOOST_TEST(!cell_type_from_name("float32").has_value());
  BOOST_TEST(cell_type_name(tgmap::dtype::int16).empty());
  tgmap::failure why;
  tensor_type::make(tgmap::dtype::int16, {{"x", 2}}, why);
  BOOST_TEST((why.code == errc::unknown_cell_type));
  tensor_type::make(tgmap::dtype::float32, {{"x", 2}, {"x", 0}}, why);
  BOOST_TEST((why.code == errc::repeated_dimension));
  tensor_type::make(tgmap::dtype::float32, {{"x y", 2}}, why);
  BOOST_TEST((why.code == errc::bad_dimension));
  tensor_type::make(tgmap::dtype::float32, {{"x", std::uint64_t{1} << 31}}, why);
  BOOST_TEST((why.code == errc::bad_size));
  BOOST_TEST(tensor_type::make(tgmap::dtype::float32, {{"y", 2}, {"x", 0}}).text() == "tensor<float>(x{},y[2])");
}

BOOST_AUTO_TEST_SUITE_END()
