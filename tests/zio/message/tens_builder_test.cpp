// SPDX-License-Identifier: Apache-2.0
#include <tgmap/zio/tens_builder.hpp>

#include <boost/multi_array.hpp>
#include <boost/test/unit_test.hpp>
#include <complex>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <support/shared_data.hpp>
#include <tgmap/zio/frame.hpp>
#include <tgmap/zio/label.hpp>
#include <tgmap/zio/tens.hpp>
#include <vector>

#include "fixtures/frames.hpp"

using namespace tgmap;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(tens_builder_test)

namespace {

using shape = std::vector<std::uint64_t>;

template <class T>
void check_kind(char letter, std::uint64_t word) {
  BOOST_TEST(zio::kind_of<T> == letter);
  BOOST_TEST(sizeof(T) == word);
  BOOST_TEST(zio::kind_of<const T> == letter);
}

}  // namespace

BOOST_AUTO_TEST_CASE(kinds_are_those_of_zio) {
  check_kind<float>('f', 4);
  check_kind<double>('f', 8);
  check_kind<long double>('f', 16);
  check_kind<float16>('f', 2);
  check_kind<char>('i', 1);
  check_kind<signed char>('i', 1);
  check_kind<unsigned char>('u', 1);
  check_kind<short>('i', 2);
  check_kind<unsigned short>('u', 2);
  check_kind<int>('i', 4);
  check_kind<unsigned>('u', 4);
  check_kind<long>('i', 8);
  check_kind<long long>('i', 8);
  check_kind<std::size_t>('u', 8);
  check_kind<bool>('b', 1);
  check_kind<std::complex<float>>('c', 8);
  check_kind<std::complex<double>>('c', 16);
  check_kind<std::complex<long double>>('c', 32);
  check_kind<std::complex<int>>('?', 8);
  check_kind<char16_t>('?', 2);
  check_kind<char32_t>('?', 4);
  check_kind<wchar_t>('?', 4);
  check_kind<std::byte>('?', 1);
  __extension__ using wide = __int128;
  check_kind<wide>('?', 16);
}

BOOST_AUTO_TEST_CASE(a_message_is_made_byte_for_byte) {
  const std::vector<float> values{1, 2, 3, 4};
  zio::tens_builder build;
  build.append(std::span(values), shape{4});
  zio::message m = build.message();
  m.origin = 1;
  m.granule = 2;
  m.seqno = 3;
  BOOST_TEST(m.form.text() == "TENS");
  BOOST_TEST(m.label == R"({"TENS":{"tensors":[{"dtype":"f","part":0,"shape":[4],"word":4}]}})");
  BOOST_TEST(static_cast<const void*>(m.payload.at(0).bytes.data()) == static_cast<const void*>(values.data()));
  if (const auto root = shared_data_or_skip("a made message beside the original"))
    BOOST_TEST((zio::encode(m) == bytes_of_file(*root / "data/tens/tens/f4_1d.frame")));
}

BOOST_AUTO_TEST_CASE(the_fixture_of_many_types_is_made_byte_for_byte) {
  const auto root = shared_data_or_skip("a made message of Wire-Cell's kind");
  if (!root) return;
  std::vector<float> values(24);
  std::iota(values.begin(), values.end(), 0.0f);
  zio::tens_builder build;
  build.add({}).append(std::span(std::as_const(values)), shape{2, 3, 4}, cbor_value::map({{"extra", "hello world"}}));
  build.set_tens("metadata", cbor_value::map({{"key", "value"}, {"answer", 42}}));
  const auto frame = bytes_of_file(*root / "data/tens/tens/wctlike_i4.frame");
  zio::message expected = zio::decode(frame);
  std::string label = expected.label;
  label.replace(label.find(R"("dtype":"i")"), 11, R"("dtype":"f")");
  BOOST_TEST(build.label() == label);
}

BOOST_AUTO_TEST_CASE(keys_are_in_the_order_of_their_bytes) {
  zio::tens_builder build;
  BOOST_TEST(build.label() == R"({"TENS":{"tensors":[]}})");
  build.set("abc", cbor_value::array({1.0, 2}))
      .set("Ab", 1)
      .set_tens("zz", true)
      .set_tens("metadata", cbor_value::map());
  BOOST_TEST(build.label() == R"({"Ab":1,"TENS":{"metadata":{},"tensors":[],"zz":true},"abc":[1.0,2]})");
  BOOST_CHECK_THROW(build.set("TENS", 1), error);
  BOOST_CHECK_THROW(build.set_tens("tensors", 1), error);
  BOOST_CHECK_THROW(build.set("x", cbor_value::bytes({})), error);
  build.clear();
  BOOST_TEST(build.label() == R"({"TENS":{"tensors":[]}})");
}

BOOST_AUTO_TEST_CASE(errors_change_nothing) {
  const std::vector<float> values(6);
  zio::tens_builder build;
  build.append(std::span(values), shape{2, 3});
  const std::string before = build.label();
  failure why;
  const zio::part data{.bytes = std::as_bytes(std::span(values)), .owner = {}};
  build.append(data, "f", 4, shape{7}, {}, why);
  BOOST_TEST(why.code == zio::errc::part_size);
  BOOST_TEST(why.expected == 28u);
  BOOST_TEST(why.found == 24u);
  build.append(data, "f", 4, shape{1ull << 62, 1ull << 62}, {}, why);
  BOOST_TEST(why.code == errc::shape_overflow);
  build.append(data, "f", 4, shape{6}, cbor_value::map({{"a", cbor_value::bytes({})}}), why);
  BOOST_TEST(why.code == zio::errc::bad_label);
  build.append(data, "\xff", 4, shape{6}, {}, why);
  BOOST_TEST(why.code == zio::errc::bad_label);
  BOOST_TEST(build.label() == before);
  BOOST_TEST(build.message().payload.size() == 1u);
  BOOST_TEST(build.tensors() == 1u);
  build.append({}, "f", 4, shape{1ull << 62, 1ull << 62, 0}, {}, why);
  BOOST_TEST(!why);
}

BOOST_AUTO_TEST_CASE(boost_multi_arrays_are_appended) {
  boost::multi_array<double, 2> array(boost::extents[2][3]);
  zio::tens_builder build;
  build.append(array);
  BOOST_TEST(build.label() == R"({"TENS":{"tensors":[{"dtype":"f","part":0,"shape":[2,3],"word":8}]}})");
  const boost::multi_array<double, 2> fortran(boost::extents[2][3], boost::fortran_storage_order());
  BOOST_CHECK_EXCEPTION(build.append(fortran), error,
                        [](const error& e) { return e.code() == errc::unsupported_strides; });
}

BOOST_AUTO_TEST_CASE(tensors_are_appended_to_a_message_as_in_zio) {
  const auto root = shared_data_or_skip("appending as the original does");
  if (!root) return;
  std::ifstream in(*root / "data/tens/api_verdicts.json");
  const std::vector<float> values(6);
  std::size_t seen = 0;
  const auto cases = nlohmann::json::parse(in);
  for (const auto& row : cases["append_cases"]) {
    const std::string name = row["name"];
    zio::message start;
    start.form = "TENS";
    if (name == "label-extra") start.label = R"({"abc":[1.0,2],"zed":1,"TENS":{"metadata":{"k":1}}})";
    if (name == "label-nonjson") start.label = "hello";
    if (name == "label-array") start.label = "[1]";
    if (name == "label-tens-array") start.label = R"({"TENS":[]})";
    if (name == "label-tensors-object") start.label = R"({"TENS":{"tensors":{}}})";
    cbor_value metadata;
    if (name == "withmd") metadata = cbor_value::map({{"unit", "mV"}, {"gain", 1.5}});
    if (name == "md-empty-object") metadata = cbor_value::map();
    if (name == "md-array") metadata = cbor_value::array({1, 2});
    if (name == "two" || name == "scalar" || name == "zerodim" || name == "generic-mismatch" || name == "null-typename")
      continue;  // the fixtures have other shapes
    failure why;
    zio::tens_builder build(start, why);
    BOOST_TEST(static_cast<bool>(why) == row.contains("exception"), name << ": " << why.text());
    if (why) continue;
    build.append(std::span(values), shape{2, 3}, metadata);
    BOOST_TEST(build.label() == row["label_after"].get<std::string>(), name);
    ++seen;
  }
  BOOST_TEST(seen == 5u);
}

BOOST_AUTO_TEST_CASE(recorded_messages_are_rebuilt) {
  for (const auto& file : shared_frames("tens")) {
    const auto frame = bytes_of_file(file);
    const zio::message m = zio::decode(frame);
    const std::string name = file.stem();
    if (m.form != zio::tens_form || m.label.empty() || name == "null_label") continue;
    BOOST_TEST(zio::tens_builder(m).label() == nlohmann::json::parse(m.label).dump(), file);
    // A label with only tensors and metadata can also be built from those.
    const zio::tens read = zio::tens::of(m);
    zio::tens_builder build;
    for (const auto& t : read.tensors()) {
      while (build.message().payload.size() < t.part) build.add(m.payload[build.message().payload.size()]);
      if (build.message().payload.size() != t.part) break;
      build.append(m.payload[t.part], t.kind, t.word, t.shape(), t.metadata);
    }
    if (read.metadata().kind() != cbor_kind::null) build.set_tens("metadata", read.metadata());
    const bool more = name == "shared_part" || name == "order_ascend" || name == "extensions" ||
                      name == "doc_part_permutation" || name.starts_with("prefix_size") || name == "part_omitted" ||
                      name == "label_extra_attrs";
    if (!more) BOOST_TEST(build.label() == m.label, file);
  }
}

BOOST_AUTO_TEST_SUITE_END()
