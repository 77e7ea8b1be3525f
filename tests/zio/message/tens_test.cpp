// SPDX-License-Identifier: Apache-2.0
#include <tgmap/zio/tens.hpp>

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <support/failures.hpp>
#include <support/shared_data.hpp>
#include <tgmap/adapters/mdspan.hpp>
#include <tgmap/adapters/multi_array.hpp>
#include <tgmap/zio/frame.hpp>
#include <vector>

#include "fixtures/frames.hpp"

using namespace tgmap;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(tens_test)

namespace {

/// A message with a label and parts of these sizes.
struct sample {
  std::vector<std::vector<std::byte>> memory{};
  zio::message message{};

  explicit sample(std::string label, std::vector<std::size_t> sizes, zio::form form = zio::tens_form) {
    message.form = form;
    message.label = std::move(label);
    for (const std::size_t size : sizes) memory.emplace_back(size);
    for (const auto& part : memory) message.payload.push_back({part, {}});
  }
  /// Makes a message of one tensor with these attributes.
  static sample of(const std::string& attributes, std::vector<std::size_t> sizes) {
    return sample(R"({"TENS":{"tensors":[{)" + attributes + "}]}}", std::move(sizes));
  }
};

std::error_code fault_of(const sample& s) {
  const zio::tens read = zio::tens::of(s.message);
  BOOST_TEST_REQUIRE(read.tensors().size() == 1u);
  return read.tensors()[0].fault.code;
}

std::error_code label_fault_of(const std::string& label, zio::form form = zio::tens_form) {
  failure why;
  const sample s(label, {1, 2, 3}, form);
  const zio::tens read = zio::tens::of(s.message, why);
  if (why) BOOST_TEST((read.tensors().empty() && !read.is_present()));
  return why.code;
}

const std::error_code no_error{};
const std::string u4 = R"("dtype":"u","word":1,"shape":[4])";

}  // namespace

BOOST_AUTO_TEST_CASE(a_tensor_is_a_view_of_its_part) {
  const auto s = sample::of(R"("dtype":"f","part":1,"shape":[2,3],"word":4)", {7, 24});
  const zio::tens read = zio::tens::of(s.message);
  BOOST_TEST(read.is_present());
  BOOST_TEST((read.metadata().kind() == cbor_kind::null));
  const zio::tensor_view& t = read.tensors()[0];
  BOOST_TEST(!t.fault);
  BOOST_TEST(t.kind == "f");
  BOOST_TEST(t.word == 4u);
  BOOST_TEST(t.part == 1u);
  BOOST_TEST(!t.is_reordered);
  BOOST_TEST((t.dtype() == dtype::float32));
  BOOST_TEST((std::vector(t.shape().begin(), t.shape().end()) == std::vector<std::uint64_t>{2, 3}));
  BOOST_TEST((std::vector(t.strides().begin(), t.strides().end()) == std::vector<std::int64_t>{3, 1}));
  const auto view = t.view<float>();
  BOOST_TEST(static_cast<const void*>(view.data()) == static_cast<const void*>(s.memory[1].data()));
  BOOST_TEST(view.is_contiguous());
  failure why;
  t.view<double>(why);
  BOOST_TEST(why.code == errc::dtype_mismatch);
  BOOST_CHECK_THROW(t.view<std::int32_t>(), error);
}

BOOST_AUTO_TEST_CASE(a_misaligned_part_is_an_error) {
  auto s = sample::of(R"("dtype":"f","part":0,"shape":[1],"word":4)", {5});
  s.message.payload[0].bytes = std::span(s.memory[0]).subspan(1);
  failure why;
  zio::tens::of(s.message).tensors()[0].view<float>(why);
  BOOST_TEST(why.code == errc::misaligned);
  BOOST_TEST(why.expected == 4u);
}

BOOST_AUTO_TEST_CASE(each_fault_has_its_error) {
  const auto check = [](const std::string& attributes, std::error_code expected) {
    BOOST_TEST((fault_of(sample::of(attributes, {4})) == expected), attributes);
  };
  check(u4, no_error);
  check(u4 + R"(,"part":0)", no_error);
  check(u4 + R"(,"part":null)", no_error);
  check(u4 + R"(,"packing":"dense")", no_error);
  check(u4 + R"(,"packing":null,"pointer":null)", no_error);
  check(u4 + R"(,"order":[0],"ascend":[true])", no_error);
  check(u4 + R"(,"order":null,"ascend":null)", no_error);
  check(u4 + R"(,"vendor":{"shape":[9],"word":[]},"metadata":7)", no_error);
  check(R"("dtype":"u","word":1.0,"shape":[4.0],"part":0.0)", no_error);
  check(R"("dtype":"u","word":1,"shape":[9],"shape":[4])", no_error);
  check(R"("dtype":"?","word":4,"shape":[1])", no_error);
  check(R"("dtype":"","word":4,"shape":[])", no_error);
  check("", zio::errc::bad_tens);
  check(R"("word":1,"shape":[4])", zio::errc::bad_tens);
  check(R"("dtype":"u","shape":[4])", zio::errc::bad_tens);
  check(R"("dtype":"u","word":1)", zio::errc::bad_tens);
  check(R"("dtype":7,"word":1,"shape":[4])", zio::errc::bad_tens);
  check(R"("dtype":"u","word":"1","shape":[4])", zio::errc::bad_tens);
  check(R"("dtype":"u","word":0,"shape":[4])", zio::errc::bad_tens);
  check(R"("dtype":"u","word":-1,"shape":[4])", zio::errc::bad_tens);
  check(R"("dtype":"u","word":1.5,"shape":[4])", zio::errc::bad_tens);
  check(R"("dtype":"u","word":null,"shape":[4])", zio::errc::bad_tens);
  check(R"("dtype":"u","word":1,"shape":4)", zio::errc::bad_tens);
  check(R"("dtype":"u","word":1,"shape":{"0":4})", zio::errc::bad_tens);
  check(R"("dtype":"u","word":1,"shape":null)", zio::errc::bad_tens);
  check(R"("dtype":"u","word":1,"shape":[-4])", zio::errc::bad_tens);
  check(R"("dtype":"u","word":1,"shape":["4"])", zio::errc::bad_tens);
  check(R"("dtype":"u","word":1,"shape":[4,null])", zio::errc::bad_tens);
  check(R"("dtype":"u","word":1,"shape":[[4]])", zio::errc::bad_tens);
  check(u4 + R"(,"part":-1)", zio::errc::bad_tens);
  check(u4 + R"(,"part":"0")", zio::errc::bad_tens);
  check(u4 + R"(,"part":[0])", zio::errc::bad_tens);
  check(u4 + R"(,"part":1)", zio::errc::part_missing);
  check(u4 + R"(,"part":18446744073709551615)", zio::errc::part_missing);
  check(R"("dtype":"u","word":1,"shape":[3])", zio::errc::part_size);
  check(R"("dtype":"u","word":1,"shape":[5])", zio::errc::part_size);
  check(R"("dtype":"f","word":4,"shape":[4])", zio::errc::part_size);
  check(R"("dtype":"u","word":1,"shape":[0,4])", zio::errc::part_size);
  check(R"("dtype":"u","word":1,"shape":[4294967296,4294967296,4])", errc::shape_overflow);
  check(R"("dtype":"u","word":18446744073709551615,"shape":[4])", errc::shape_overflow);
  check(u4 + R"(,"packing":"sparse")", zio::errc::bad_packing);
  check(u4 + R"(,"packing":1)", zio::errc::bad_packing);
  check(u4 + R"(,"pointer":4096)", zio::errc::bad_packing);
  check(u4 + R"(,"order":[])", zio::errc::bad_order);
  check(u4 + R"(,"order":[1])", zio::errc::bad_order);
  check(u4 + R"(,"order":0)", zio::errc::bad_order);
  check(u4 + R"(,"order":[0,0])", zio::errc::bad_order);
  check(R"("dtype":"u","word":1,"shape":[2,2],"order":[0,0])", zio::errc::bad_order);
  check(u4 + R"(,"ascend":[])", zio::errc::bad_order);
  check(u4 + R"(,"ascend":[1])", zio::errc::bad_order);
  check(u4 + R"(,"ascend":[true,true])", zio::errc::bad_order);
  check(u4 + R"(,"ascend":true)", zio::errc::bad_order);
}

BOOST_AUTO_TEST_CASE(a_fault_of_one_tensor_does_not_affect_others) {
  const sample s(R"({"TENS":{"tensors":[null,7,[1],{},{)" + u4 + R"(},{)" + u4 + R"(,"part":1}]}})", {9, 4, 0, 0, 4});
  const zio::tens read = zio::tens::of(s.message);
  BOOST_TEST_REQUIRE(read.tensors().size() == 6u);
  for (std::size_t i = 0; i < 4; ++i) {
    BOOST_TEST(read.tensors()[i].fault.code == zio::errc::bad_tens);
    BOOST_TEST(read.tensors()[i].fault.object == static_cast<std::int64_t>(i));
  }
  BOOST_TEST(!read.tensors()[4].fault);
  BOOST_TEST(read.tensors()[4].part == 4u);  // without the attribute, its own index
  BOOST_TEST(!read.tensors()[5].fault);
}

BOOST_AUTO_TEST_CASE(invalid_labels_are_errors_in_forms_that_need_one) {
  const std::map<std::string, std::error_code> labels{
      {"", no_error},
      {"null\n", no_error},
      {"{}", no_error},
      {R"({"TENS":null})", no_error},
      {R"({"TENS":{}})", no_error},
      {R"({"TENS":{"tensors":null}})", no_error},
      {R"({"tens":[]})", no_error},
      {"hello", zio::errc::bad_label},
      {"[1,2]", zio::errc::bad_label},
      {"7", zio::errc::bad_label},
      {R"({"TENS":{"tensors":[)", zio::errc::bad_label},
      {R"({"TENS":[]})", zio::errc::bad_tens},
      {R"({"TENS":"x"})", zio::errc::bad_tens},
      {R"({"TENS":7})", zio::errc::bad_tens},
      {R"({"TENS":{"tensors":{}}})", zio::errc::bad_tens},
      {R"({"TENS":{"tensors":0}})", zio::errc::bad_tens},
      {R"({"TENS":[],"TENS":{}})", no_error},
      {R"({"TENS":{},"TENS":[]})", zio::errc::bad_tens},
      {std::string(200, '[') + std::string(200, ']'), zio::errc::label_too_deep}};
  for (const auto& [label, expected] : labels) {
    BOOST_TEST((label_fault_of(label) == expected), label);
    BOOST_TEST((label_fault_of(label, zio::flow_form) == expected), label);
    BOOST_TEST((label_fault_of(label, "TEXT") == no_error), label);
  }
}

BOOST_AUTO_TEST_CASE(tensors_are_read_in_any_form) {
  const sample s(R"({"TENS":{"tensors":[{)" + u4 + R"(}]},"flow":"DAT"})", {4}, "HEY!");
  BOOST_TEST(zio::tens::of(s.message).tensors().size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_last_of_duplicate_keys_counts) {
  const sample s(R"({"TENS":{"metadata":1,"tensors":[{},{}]},"TENS":{"tensors":[{}],"tensors":[{)" + u4 + R"(}]}})",
                 {4});
  const zio::tens read = zio::tens::of(s.message);
  BOOST_TEST(read.tensors().size() == 1u);
  BOOST_TEST(!read.tensors()[0].fault);
  BOOST_TEST((read.metadata().kind() == cbor_kind::null));
}

BOOST_AUTO_TEST_CASE(metadata_is_unchanged) {
  const sample s(R"({"TENS":{"tensors":[{)" + u4 + R"(,"metadata":{"tensors":[1],"n":null,"x":1.5}}],"metadata":)" +
                     R"({"a":{"b":[1,{}]},"metadata":{"TENS":3}}},"metadata":"not this"})",
                 {4});
  const zio::tens read = zio::tens::of(s.message);
  BOOST_TEST(!read.tensors()[0].fault);
  BOOST_TEST((read.tensors()[0].metadata ==
              cbor_value::map({{"tensors", cbor_value::array({1})}, {"n", nullptr}, {"x", 1.5}})));
  BOOST_TEST(
      (read.metadata() == cbor_value::map({{"a", cbor_value::map({{"b", cbor_value::array({1, cbor_value::map()})}})},
                                           {"metadata", cbor_value::map({{"TENS", 3}})}})));
}

BOOST_AUTO_TEST_CASE(order_and_ascend_are_honoured) {
  // The elements are stored as 0 to 5. "order" names the fastest dimension first.
  const std::map<std::string, std::vector<int>> cases{{"", {0, 1, 2, 3, 4, 5}},
                                                      {R"(,"order":[1,0])", {0, 1, 2, 3, 4, 5}},
                                                      {R"(,"order":[0,1])", {0, 2, 4, 1, 3, 5}},
                                                      {R"(,"ascend":[true,true])", {0, 1, 2, 3, 4, 5}},
                                                      {R"(,"ascend":[false,true])", {3, 4, 5, 0, 1, 2}},
                                                      {R"(,"ascend":[true,false])", {2, 1, 0, 5, 4, 3}},
                                                      {R"(,"ascend":[false,false])", {5, 4, 3, 2, 1, 0}},
                                                      {R"(,"order":[0,1],"ascend":[false,true])", {1, 3, 5, 0, 2, 4}}};
  for (const auto& [attributes, expected] : cases) {
    auto s = sample::of(R"("dtype":"i","word":4,"shape":[2,3])" + attributes, {24});
    for (int i = 0; i < 6; ++i) std::memcpy(s.memory[0].data() + 4 * i, &i, 4);
    const zio::tens read = zio::tens::of(s.message);
    BOOST_TEST_REQUIRE(!read.tensors()[0].fault, attributes);
    BOOST_TEST(read.tensors()[0].is_reordered == (expected != std::vector<int>{0, 1, 2, 3, 4, 5}), attributes);
    const auto view = read.tensors()[0].view<std::int32_t>();
    const auto boost_view = as_multi_array<2>(view);
    const strided_span<std::int32_t, 2> span_view(view);  // some strides are negative
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) {
        BOOST_TEST(view(i, j) == expected[3 * i + j], attributes);
        BOOST_TEST(boost_view[i][j] == expected[3 * i + j], attributes);
        BOOST_TEST(span_view(i, j) == expected[3 * i + j], attributes);
      }
  }
}

BOOST_AUTO_TEST_CASE(rank_is_limited_and_empty_tensors_have_no_elements) {
  std::string ones = "1";
  for (std::size_t d = 1; d < max_rank; ++d) ones += ",1";
  BOOST_TEST((fault_of(sample::of(R"("dtype":"u","word":1,"shape":[)" + ones + "]", {1})) == no_error));
  BOOST_TEST(
      (fault_of(sample::of(R"("dtype":"u","word":1,"shape":[1,)" + ones + "]", {1})) == errc::too_many_dimensions));
  const auto empty = sample::of(
      R"("dtype":"u","word":8,"shape":[18446744073709551615,0,18446744073709551615],"ascend":[false,false,false])",
      {0});
  const zio::tens read = zio::tens::of(empty.message);
  BOOST_TEST(!read.tensors()[0].fault);
  BOOST_TEST(read.tensors()[0].data_offset == 0u);
}

BOOST_AUTO_TEST_CASE(the_number_of_tensors_is_limited) {
  std::string list = "{}";
  for (std::size_t i = 1; i < zio::max_tensors; ++i) list += ",{}";
  failure why;
  zio::tens::of(sample(R"({"TENS":{"tensors":[)" + list + "]}}", {}).message, why);
  BOOST_TEST(!why);
  zio::tens::of(sample(R"({"TENS":{"tensors":[)" + list + ",{}]}}", {}).message, why);
  BOOST_TEST(why.code == errc::object_limit);
}

BOOST_AUTO_TEST_CASE(damaged_labels_are_read_or_refused) {
  const std::string label =
      R"({"TENS":{"metadata":{"a":[1,null]},"tensors":[{"dtype":"i","metadata":{"b":"c"},"order":[1,0],)"
      R"("part":0,"shape":[2,2],"word":1,"ascend":[true,false]}]},"flow":"DAT"})";
  const auto look = [](const std::string& text) {
    const sample s(text, {4});
    failure why;
    const zio::tens read = zio::tens::of(s.message, why);
    for (const auto& t : read.tensors()) {
      failure fault;
      const auto view = t.view<std::int8_t>(fault);
      // All elements that the strides reach are in the part.
      std::int64_t min_offset = 0, max_offset = 0;
      for (std::size_t d = 0; d < view.rank() && view.size() != 0; ++d) {
        const auto reach = view.strides()[d] * static_cast<std::int64_t>(view.shape()[d] - 1);
        (reach < 0 ? min_offset : max_offset) += reach;
      }
      if (!fault && view.size() != 0) {
        BOOST_TEST(static_cast<std::int64_t>(t.data_offset) + min_offset >= 0);
        BOOST_TEST(static_cast<std::int64_t>(t.data_offset) + max_offset < static_cast<std::int64_t>(t.bytes.size()));
      }
    }
  };
  for (std::size_t size = 0; size <= label.size(); ++size) look(label.substr(0, size));
  for (std::size_t at = 0; at < label.size(); ++at)
    for (const char other : {'0', '9', '-', '"', '{', '}', '[', ']', ',', ':', 'e', '.', ' ', '\0', '\xff'}) {
      std::string changed = label;
      changed[at] = other;
      look(changed);
    }
}

BOOST_AUTO_TEST_CASE(recorded_tensors_are_read_as_in_zio) {
  const auto root = shared_data_or_skip("TENS as the original reads it");
  if (!root) return;
  for (const char* folder : {"tens", "py"}) {
    std::ifstream in(*root / "data/tens" / folder / "manifest.json");
    for (const auto& row : nlohmann::json::parse(in)) {
      const auto frame = bytes_of_file(*root / "data/tens" / folder / (row["name"].get<std::string>() + ".frame"));
      if (frame.empty()) continue;
      const zio::message m = zio::decode(frame);
      const zio::tens read = zio::tens::of(m);
      if (!row.contains("tensors_as_read_by_upstream_at")) continue;
      for (const auto& tensor : row["tensors_as_read_by_upstream_at"]) {
        const auto& decoded = read.tensors()[tensor["index"].get<std::size_t>()];
        BOOST_TEST(!decoded.fault, row["name"] << ": " << decoded.fault.text());
        BOOST_TEST(decoded.bytes.size() == tensor["nbytes"].get<std::size_t>());
        if (!tensor.contains("hex")) continue;
        std::string hex;
        for (const std::byte b : decoded.bytes) {
          hex += "0123456789abcdef"[std::to_integer<int>(b) >> 4];
          hex += "0123456789abcdef"[std::to_integer<int>(b) & 15];
        }
        BOOST_TEST(hex == tensor["hex"].get<std::string>(), row["name"]);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(recorded_faults_are_reported) {
  const std::map<std::string, std::error_code> of_tensors{{"part_out_of_range", zio::errc::part_missing},
                                                          {"part_negative", zio::errc::bad_tens},
                                                          {"size_short", zio::errc::part_size},
                                                          {"size_long", zio::errc::part_size},
                                                          {"shape_overflow", errc::shape_overflow},
                                                          {"shape_negative", zio::errc::bad_tens},
                                                          {"shape_missing", zio::errc::bad_tens},
                                                          {"word_zero", zio::errc::bad_tens},
                                                          {"word_missing", zio::errc::bad_tens},
                                                          {"dtype_missing", zio::errc::bad_tens},
                                                          {"packing_sparse", zio::errc::bad_packing},
                                                          {"pointer", zio::errc::bad_packing},
                                                          {"order_bad_rank", zio::errc::bad_order},
                                                          {"order_not_perm", zio::errc::bad_order},
                                                          {"trunc_after_coord", zio::errc::part_missing},
                                                          {"good", no_error},
                                                          {"packing_dense", no_error},
                                                          {"word_three", zio::errc::part_size},
                                                          {"dtype_unknown", no_error},
                                                          {"dtype_long", no_error},
                                                          {"label_nul", no_error},
                                                          {"label_bom", no_error},
                                                          {"form_nul", no_error},
                                                          {"noncanonical_lengths", no_error},
                                                          {"extra_zero", no_error},
                                                          {"extra_long_zero", no_error}};
  const std::map<std::string, std::error_code> of_labels{
      {"label_not_json", zio::errc::bad_label}, {"label_truncated_json", zio::errc::bad_label},
      {"label_array", zio::errc::bad_label},    {"label_bad_utf8", zio::errc::bad_label},
      {"tens_array", zio::errc::bad_tens},      {"tensors_object", zio::errc::bad_tens},
      {"deep_json", zio::errc::label_too_deep}, {"prefix_8_bytes", no_error}};
  for (const auto& file : shared_frames("neg")) {
    failure why;
    const auto frame = bytes_of_file(file);
    const zio::message m = zio::decode(frame, {}, nullptr, why);
    if (why) continue;
    const std::string name = file.stem();
    const zio::tens read = zio::tens::of(m, why);
    if (const auto row = of_labels.find(name); row != of_labels.end()) {
      BOOST_TEST(why.code == row->second, name << ": " << why.text());
    } else if (const auto tensor = of_tensors.find(name); tensor != of_tensors.end()) {
      BOOST_TEST_REQUIRE(read.tensors().size() == 1u);
      const failure& fault = read.tensors()[0].fault;
      if (name != "word_three") BOOST_TEST((fault.code == tensor->second), name << ": " << fault.text());
    } else {
      BOOST_TEST(false, name << " is not in the tables of this test");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
