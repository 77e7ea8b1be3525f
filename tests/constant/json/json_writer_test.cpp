// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <support/rounds.hpp>
#include <tgmap/constant/builder.hpp>
#include <tgmap/constant/write.hpp>
#include <tgmap/options.hpp>
#include <vector>

#include "../cases.hpp"

namespace constant = tgmap::constant;
using constant::block_order;
using constant::form;
using constant::number_style;
using constant::tensor_constant;
using nlohmann::json;
using tgmap_test::constant_of;

namespace {

constexpr form all_forms[] = {form::long_form,   form::short_form, form::long_value,
                              form::short_value, form::hex,        form::hex_value};

std::string text_of(const tensor_constant& constant, form wanted, number_style style = number_style::shortest) {
  return to_json(constant, {.form = wanted, .style = style});
}

/// Makes blocks with these labels and the cells 1, 2, 3 ...
tensor_constant blocks_of(const char* type, const std::vector<std::vector<std::string_view>>& labels) {
  constant::builder make(constant::tensor_type::parse(type));
  float next = 0;
  for (const auto& each : labels) {
    const auto cells = make.cells(make.find_or_add(each).block);
    for (std::size_t at = 0; at < cells.size(); at += sizeof next) {
      ++next;
      std::memcpy(cells.data() + at, &next, sizeof next);
    }
  }
  return make.finish();
}

/// A sink that fails after a number of bytes.
class narrow_sink final : public tgmap::sink {
 public:
  using sink::write;
  explicit narrow_sink(std::size_t room) : room_(room) {}
  tgmap::failure write(std::span<const std::span<const std::byte>> pieces) noexcept override {
    ++calls;
    for (const auto piece : pieces) {
      largest = std::max(largest, piece.size());
      if (piece.size() > room_) return {.code = std::make_error_code(std::errc::no_space_on_device)};
      room_ -= piece.size();
      taken += piece.size();
    }
    return {};
  }
  std::size_t calls = 0, largest = 0, taken = 0;

 private:
  std::size_t room_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(writing)

BOOST_AUTO_TEST_CASE(upstream_style_is_that_of_vespa) {
  const auto cases = tgmap_test::shared_cases("write_cases.json");
  if (!cases) return;
  for (const json& each : *cases) {
    const tensor_constant constant = constant_of(each.at("type"), each.at("cells"));
    const std::string of = each.at("name");
    BOOST_TEST(each.at("upstream_output").size() == std::size(all_forms));
    for (const form wanted : all_forms)
      BOOST_TEST(text_of(constant, wanted, number_style::upstream) ==
                     each.at("upstream_output").at(std::string(to_string_view(wanted))).get<std::string>(),
                 of);
  }
}

BOOST_AUTO_TEST_CASE(every_form_of_every_kind_of_type) {
  const auto texts = [](const tensor_constant& source) {
    std::vector<std::string> out;
    for (const form wanted : all_forms) out.push_back(text_of(source, wanted));
    return out;
  };
  const auto same = [&](const tensor_constant& constant, const std::vector<std::string>& wanted) {
    const auto are = texts(constant);
    BOOST_TEST(are == wanted, boost::test_tools::per_element());
  };
  same(
      blocks_of("tensor<float>(x[2],y[1],z[2])", {{}}),
      {R"~({"type":"tensor<float>(x[2],y[1],z[2])","cells":[)~"
       R"~({"address":{"x":"0","y":"0","z":"0"},"value":1},{"address":{"x":"0","y":"0","z":"1"},"value":2},)~"
       R"~({"address":{"x":"1","y":"0","z":"0"},"value":3},{"address":{"x":"1","y":"0","z":"1"},"value":4}]})~",
       R"~({"type":"tensor<float>(x[2],y[1],z[2])","values":[[[1,2]],[[3,4]]]})~",
       R"~([{"address":{"x":"0","y":"0","z":"0"},"value":1},{"address":{"x":"0","y":"0","z":"1"},"value":2},)~"
       R"~({"address":{"x":"1","y":"0","z":"0"},"value":3},{"address":{"x":"1","y":"0","z":"1"},"value":4}])~",
       "[[[1,2]],[[3,4]]]", R"~({"type":"tensor<float>(x[2],y[1],z[2])","values":"3F800000400000004040000040800000"})~",
       R"~("3F800000400000004040000040800000")~"});
  same(blocks_of("tensor<float>(k{})", {{"b"}, {"a"}}),
       {R"~({"type":"tensor<float>(k{})","cells":[{"address":{"k":"b"},"value":1},{"address":{"k":"a"},"value":2}]})~",
        R"~({"type":"tensor<float>(k{})","cells":{"b":1,"a":2}})~",
        R"~([{"address":{"k":"b"},"value":1},{"address":{"k":"a"},"value":2}])~", R"~({"b":1,"a":2})~",
        R"~({"type":"tensor<float>(k{})","cells":{"b":1,"a":2}})~", R"~({"b":1,"a":2})~"});
  const std::string several = R"~([{"address":{"j":"b","k":"x"},"value":1},{"address":{"j":"a","k":"y"},"value":2}])~";
  const std::string wrapped = R"~({"type":"tensor<float>(j{},k{})","cells":)~" + several + '}';
  same(blocks_of("tensor<float>(k{},j{})", {{"b", "x"}, {"a", "y"}}),
       {wrapped, wrapped, several, several, wrapped, several});
  same(blocks_of("tensor<float>(k{},a[1],x[2])", {{"b"}, {"a"}}),
       {R"~({"type":"tensor<float>(a[1],k{},x[2])","cells":[)~"
        R"~({"address":{"a":"0","k":"b","x":"0"},"value":1},{"address":{"a":"0","k":"b","x":"1"},"value":2},)~"
        R"~({"address":{"a":"0","k":"a","x":"0"},"value":3},{"address":{"a":"0","k":"a","x":"1"},"value":4}]})~",
        R"~({"type":"tensor<float>(a[1],k{},x[2])","blocks":{"b":[[1,2]],"a":[[3,4]]}})~",
        R"~([{"address":{"a":"0","k":"b","x":"0"},"value":1},{"address":{"a":"0","k":"b","x":"1"},"value":2},)~"
        R"~({"address":{"a":"0","k":"a","x":"0"},"value":3},{"address":{"a":"0","k":"a","x":"1"},"value":4}])~",
        R"~({"b":[[1,2]],"a":[[3,4]]})~",
        R"~({"type":"tensor<float>(a[1],k{},x[2])","blocks":{"b":"3F80000040000000","a":"4040000040800000"}})~",
        R"~({"b":"3F80000040000000","a":"4040000040800000"})~"});
  same(
      blocks_of("tensor<float>(k{},m[2],z{})", {{"b", "c"}, {"b", "d"}}),
      {R"~({"type":"tensor<float>(k{},m[2],z{})","cells":[)~"
       R"~({"address":{"k":"b","m":"0","z":"c"},"value":1},{"address":{"k":"b","m":"1","z":"c"},"value":2},)~"
       R"~({"address":{"k":"b","m":"0","z":"d"},"value":3},{"address":{"k":"b","m":"1","z":"d"},"value":4}]})~",
       R"~({"type":"tensor<float>(k{},m[2],z{})","blocks":[{"address":{"k":"b","z":"c"},"values":[1,2]},)~"
       R"~({"address":{"k":"b","z":"d"},"values":[3,4]}]})~",
       R"~([{"address":{"k":"b","m":"0","z":"c"},"value":1},{"address":{"k":"b","m":"1","z":"c"},"value":2},)~"
       R"~({"address":{"k":"b","m":"0","z":"d"},"value":3},{"address":{"k":"b","m":"1","z":"d"},"value":4}])~",
       R"~([{"address":{"k":"b","z":"c"},"values":[1,2]},{"address":{"k":"b","z":"d"},"values":[3,4]}])~",
       R"~({"type":"tensor<float>(k{},m[2],z{})","blocks":[{"address":{"k":"b","z":"c"},"values":"3F80000040000000"},)~"
       R"~({"address":{"k":"b","z":"d"},"values":"4040000040800000"}]})~",
       R"~([{"address":{"k":"b","z":"c"},"values":"3F80000040000000"},)~"
       R"~({"address":{"k":"b","z":"d"},"values":"4040000040800000"}])~"});
  constant::builder scalar{constant::tensor_type()};
  const double half = 0.5;
  std::memcpy(scalar.cells(0).data(), &half, sizeof half);
  same(scalar.finish(), {R"~({"type":"tensor()","cells":[{"address":{},"value":0.5}]})~",
                         R"~({"type":"tensor()","values":[0.5]})~", R"~([{"address":{},"value":0.5}])~", "[0.5]",
                         R"~({"type":"tensor()","values":"3FE0000000000000"})~", R"~("3FE0000000000000")~"});
  for (const char* type : {"tensor<float>(k{})", "tensor<float>(k{},x[2])"})
    BOOST_TEST(text_of(blocks_of(type, {}), form::short_value) == "{}");
  for (const char* type : {"tensor<float>(j{},k{})", "tensor<float>(j{},k{},x[2])"})
    BOOST_TEST(text_of(blocks_of(type, {}), form::short_value) == "[]");
}

BOOST_AUTO_TEST_CASE(nested_arrays_open_and_close_at_every_level) {
  BOOST_TEST(text_of(blocks_of("tensor<float>(a[2],b[2],c[2],d[2])", {{}}), form::short_value) ==
             "[[[[1,2],[3,4]],[[5,6],[7,8]]],[[[9,10],[11,12]],[[13,14],[15,16]]]]");
  BOOST_TEST(text_of(blocks_of("tensor<float>(a[3],b[1],c[1])", {{}}), form::short_value) == "[[[1]],[[2]],[[3]]]");
  BOOST_TEST(text_of(blocks_of("tensor<float>(a[1],b[1],c[3])", {{}}), form::short_value) == "[[[1,2,3]]]");
  // the largest number of dimensions
  std::string type = "tensor<float>(", open, close;
  for (std::size_t d = 0; d + 1 < tgmap::max_rank; ++d) {
    type += (d > 0 ? ",d" : "d") + std::to_string(d) + "[1]";
    open += '[';
    close += ']';
  }
  BOOST_TEST(text_of(blocks_of((type + ')').c_str(), {{}}), form::short_value) == open + '1' + close);
}

BOOST_AUTO_TEST_CASE(labels_are_escaped) {
  const std::string label("\"\\/\b\f\n\r\t\0\x01\x0b\x1f\x7f", 13);
  const auto text = [](std::string_view one, form wanted) {
    return text_of(blocks_of("tensor<float>(k{})", {{one}}), wanted);
  };
  const std::string escaped = R"~("\"\\/\b\f\n\r\t\u0000\u0001\u000B\u001F\u007f")~";
  BOOST_TEST(text(label, form::short_value) == '{' + escaped + ":1}");
  BOOST_TEST(text(label, form::long_value) == R"~([{"address":{"k":)~" + escaped + R"~(},"value":1}])~");
  BOOST_TEST(text("", form::short_value) == R"~({"":1})~");
  BOOST_TEST(text("caf\xc3\xa9 \xe2\x98\x83 \xf0\x9f\x98\x80", form::short_value) ==
             "{\"caf\xc3\xa9 \xe2\x98\x83 \xf0\x9f\x98\x80\":1}");
  // A terminal would obey these, or show other text.
  BOOST_TEST(text("\u009b31m\u202egpj\u200b \U000e0041", form::short_value) ==
             R"~({"\u009b31m\u202egpj\u200b \udb40\udc41":1})~");
  BOOST_TEST(text("caf\u00e9\u009b", form::long_value) == R"~([{"address":{"k":"caf)~"
                                                          "\u00e9"
                                                          R"~(\u009b"},"value":1}])~");
  for (int c = 0; c < 128; ++c) {  // another parser reads the text
    const char one = static_cast<char>(c);
    const json read = json::parse(text({&one, 1}, form::short_value));
    BOOST_TEST(read.begin().key() == std::string(1, one));
  }
}

BOOST_AUTO_TEST_CASE(labels_that_are_not_utf8_cannot_be_written) {
  for (const std::string_view label : {"\xff", "a\x80", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                       "12345678\xe2\x98", "1234567\xe2\x98\x83\xf5"})
    for (const char* type : {"tensor<float>(k{})", "tensor<float>(k{},x[2])"}) {
      const tensor_constant constant = blocks_of(type, {{"good"}, {label}});
      tgmap::failure why;
      for (const form wanted : all_forms) {
        BOOST_TEST(to_json(constant, {.form = wanted}, why).empty());
        BOOST_TEST((why.code == constant::errc::bad_constant && why.found == 1));
      }
      tgmap::memory_sink sink;
      write_typed_binary(constant, {}, sink, why);
      BOOST_TEST((why.code == constant::errc::bad_constant && why.found == 1));
      BOOST_CHECK_THROW(to_json(constant), tgmap::error);
      BOOST_CHECK_THROW(write_json(constant, {}, sink), tgmap::error);
      BOOST_CHECK_THROW(write_typed_binary(constant, {}, sink), tgmap::error);
    }
  const tensor_constant several = blocks_of("tensor<float>(j{},k{},x[2])", {{"a", "\xff"}});
  tgmap::failure why;
  BOOST_TEST(to_json(several, {}, why).empty());
  BOOST_TEST((why.code == constant::errc::bad_constant));
}

BOOST_AUTO_TEST_CASE(a_constant_without_its_block_cannot_be_written) {
  tgmap::failure why;
  for (const form wanted : all_forms) {
    to_json(tensor_constant(), {.form = wanted}, why);
    BOOST_TEST((why.code == constant::errc::bad_constant && why.expected == 1 && why.found == 0));
  }
  tgmap::memory_sink sink;
  write_typed_binary(tensor_constant(), {}, sink, why);
  BOOST_TEST((why.code == constant::errc::bad_constant));
  BOOST_TEST(sink.bytes_written() == 0u);
}

BOOST_AUTO_TEST_CASE(blocks_are_written_as_stored_or_sorted) {
  const auto texts = [](const tensor_constant& constant) {
    return std::pair(to_json(constant, {.form = form::short_value}),
                     to_json(constant, {.form = form::short_value, .order = block_order::sorted}));
  };
  const auto [stored, sorted] =
      texts(blocks_of("tensor<float>(k{})", {{"b"}, {"\xc3\xa9"}, {""}, {"a"}, {"ab"}, {"B"}, {"a\x01"}}));
  BOOST_TEST(stored == "{\"b\":1,\"\xc3\xa9\":2,\"\":3,\"a\":4,\"ab\":5,\"B\":6,\"a\\u0001\":7}");
  BOOST_TEST(sorted == "{\"\":3,\"B\":6,\"a\":4,\"a\\u0001\":7,\"ab\":5,\"b\":1,\"\xc3\xa9\":2}");
  // Labels are compared by dimension, not concatenated.
  const auto [stored2, sorted2] = texts(blocks_of("tensor<float>(j{},k{})", {{"ab", "a"}, {"a", "c"}, {"a", "b"}}));
  BOOST_TEST(sorted2 == R"~([{"address":{"j":"a","k":"b"},"value":3},{"address":{"j":"a","k":"c"},"value":2},)~"
                        R"~({"address":{"j":"ab","k":"a"},"value":1}])~");
  // A constant with its blocks in another order has the same text.
  BOOST_TEST(to_json(blocks_of("tensor<float>(k{},x[1])", {{"a"}, {"b"}}), {.order = block_order::sorted}) ==
             to_json(blocks_of("tensor<float>(k{},x[1])", {{"a"}, {"b"}}), {}));
  tgmap::memory_sink one, other;
  write_typed_binary(blocks_of("tensor<float>(k{})", {{"b"}, {"a"}}), {.order = block_order::sorted}, one);
  BOOST_TEST(std::string(reinterpret_cast<const char*>(one.bytes().data()), one.bytes().size()) ==
             std::string("\x05\x01\x01\x01k\x02\x01"
                         "a\x40\0\0\0\x01"
                         "b\x3f\x80\0\0",
                         18));
}

BOOST_AUTO_TEST_CASE(large_texts_are_written_in_pieces_until_the_sink_fails) {
  tgmap_test::case_sampler cases(5);
  const tensor_constant dense = blocks_of("tensor<float>(x[700],y[700])", {{}});
  const tensor_constant thin = blocks_of("tensor<float>(x[100000],y[1])", {{}});
  const std::string long_label(1'500'000, '\n');
  const tensor_constant labelled = blocks_of("tensor<float>(k{},x[2])", {{"a"}, {long_label}, {"b"}});
  for (const tensor_constant& from : {dense, thin, labelled})
    for (const form wanted : all_forms) {
      if (!cases.takes_next()) continue;
      const std::string whole = text_of(from, wanted);
      narrow_sink wide(whole.size());
      write_json(from, {.form = wanted}, wide);
      BOOST_TEST(wide.taken == whole.size());
      BOOST_TEST(wide.largest <= std::size_t{1} << 20);
      BOOST_TEST(json::accept(whole));
      for (const std::size_t room : {std::size_t{0}, whole.size() / 2, whole.size() - 1}) {
        narrow_sink narrow(room);
        tgmap::failure why;
        write_json(from, {.form = wanted}, narrow, why);
        BOOST_TEST((why.code == std::errc::no_space_on_device));
        BOOST_TEST(narrow.calls <= wide.calls);
      }
    }
  tgmap::memory_sink bytes;
  write_typed_binary(dense, {}, bytes);
  narrow_sink wide(bytes.bytes().size()), narrow(bytes.bytes().size() - 1);
  tgmap::failure why;
  write_typed_binary(dense, {}, wide, why);
  BOOST_TEST((!why && wide.largest <= std::size_t{1} << 20));
  write_typed_binary(dense, {}, narrow, why);
  BOOST_TEST((why.code == std::errc::no_space_on_device));
  BOOST_CHECK_THROW(write_typed_binary(dense, {}, narrow), tgmap::error);
}

BOOST_AUTO_TEST_CASE(forms_have_the_names_of_vespa) {
  const char* names[] = {"long", "short", "long-value", "short-value", "hex", "hex-value"};
  for (std::size_t i = 0; i < std::size(names); ++i) {
    BOOST_TEST(to_string_view(all_forms[i]) == names[i]);
    BOOST_TEST((constant::form_from_name(names[i]) == all_forms[i]));
  }
  for (const char* none : {"", "Long", "long_value", "tbf"}) BOOST_TEST(!constant::form_from_name(none).has_value());
  BOOST_TEST(to_string_view(static_cast<form>(99)) == "unknown");
}

BOOST_AUTO_TEST_CASE(typed_binary_is_that_of_vespa) {
  const auto cases = tgmap_test::shared_cases("write_cases.json");
  if (!cases) return;
  for (const json& each : *cases) {
    tgmap::memory_sink sink;
    write_typed_binary(constant_of(each.at("type"), each.at("cells")), {}, sink);
    std::string hex;
    for (const std::byte byte : sink.bytes()) {
      constexpr char digits[] = "0123456789ABCDEF";
      hex += digits[std::to_integer<unsigned>(byte) >> 4];
      hex += digits[std::to_integer<unsigned>(byte) & 15];
    }
    BOOST_TEST(hex == each.at("upstream_tbf_hex").get<std::string>(), each.at("name"));
  }
}

BOOST_AUTO_TEST_SUITE_END()
