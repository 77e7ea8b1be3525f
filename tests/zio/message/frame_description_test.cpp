// SPDX-License-Identifier: Apache-2.0
#include <tgmap/zio/frame_description.hpp>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <tgmap/zio/frame.hpp>
#include <tgmap/zio/label.hpp>

#include "zio/bridge/import_memory.hpp"
#include "zio/message/frame_json.hpp"

using namespace tgmap;

BOOST_AUTO_TEST_SUITE(frame_descriptions)

namespace {

/// A message in a frame, and its description.
struct described {
  std::vector<std::byte> frame;
  zio::message message;
  zio::frame_description all;

  described(std::string label, const std::vector<std::size_t>& sizes)
      : frame(encoded(std::move(label), sizes)), message(zio::decode(frame)), all(describe_frame(message, frame)) {}

  static std::vector<std::byte> encoded(std::string label, const std::vector<std::size_t>& sizes) {
    const std::vector<std::byte> memory(64);
    zio::message out{.form = zio::tens_form, .label = std::move(label)};
    for (const std::size_t size : sizes) out.payload.push_back({std::span(memory).first(size), {}});
    return zio::encode(out);
  }
  std::string json() const {
    std::string out;
    core::text_builder text(out);
    json_text::writer<> to(text, json_text::ascii_style);
    to.begin_object();
    zio::put_frame_members(to, message, all);
    to.end_object();
    return out;
  }
};

std::string label_of(const std::string& tensors) { return R"({"TENS":{"tensors":[)" + tensors + "]}}"; }

const std::string u4 = R"({"dtype":"u","word":1,"shape":[4],"part":0})";

}  // namespace

BOOST_AUTO_TEST_CASE(tensors_and_parts_refer_to_each_other) {
  const described one(label_of(u4 + "," + u4 + R"(,{"dtype":"u","word":1,"shape":[2],"part":2,"order":[0]})"),
                      {4, 3, 2});
  BOOST_TEST(one.all.faults.empty());
  BOOST_TEST_REQUIRE(one.all.parts.size() == 3u);
  BOOST_TEST(one.all.parts[0].tensors == (std::vector<std::size_t>{0, 1}), boost::test_tools::per_element());
  BOOST_TEST(one.all.parts[1].tensors.empty());
  BOOST_TEST(one.all.parts[1].bytes.size() == 3u);
  BOOST_TEST(one.all.part_of(one.all.tensors.tensors()[2])->size() == 2u);
  BOOST_TEST(!one.all.orders[0].is_stated());
  BOOST_TEST(zio::write_label(one.all.orders[2].order) == "[0]");
}

BOOST_AUTO_TEST_CASE(faults_have_positions_in_the_frame) {
  // 1 byte of length and 8 of the prefix before the label; the coordinates are 25 bytes with their length.
  const std::string label = label_of(u4 + R"(,{"dtype":"u","word":1,"shape":[4],"part":7})");
  const described tensors(label, {3});
  BOOST_TEST_REQUIRE(tensors.all.faults.size() == 2u);
  BOOST_TEST((tensors.all.faults[0].why.code == zio::errc::part_size));
  BOOST_TEST(*tensors.all.faults[0].tensor == 0u);
  BOOST_TEST(tensors.all.faults[0].why.offset == 9 + label.size() + 25 + 1);
  BOOST_TEST((tensors.all.faults[1].why.code == zio::errc::part_missing));
  BOOST_TEST(tensors.all.faults[1].why.offset == 9u);
  BOOST_TEST(!tensors.all.part_of(tensors.all.tensors.tensors()[1]));
  BOOST_TEST(tensors.json().find(R"("part":7,"nbytes":null,"xxh3":null)") != std::string::npos, tensors.json());

  const described broken(R"({"TENS":)", {});
  BOOST_TEST_REQUIRE(broken.all.faults.size() == 1u);
  BOOST_TEST(!broken.all.faults[0].tensor);
  BOOST_TEST(broken.all.faults[0].why.offset >= 9u);
  BOOST_TEST(broken.json().find(R"("payload":[],"fault":")") != std::string::npos, broken.json());
}

BOOST_AUTO_TEST_CASE(json_has_all_members) {
  BOOST_TEST(
      described(label_of(u4), {4}).json() ==
      R"j({"level":0,"form":"TENS","label":"{\"TENS\":{\"tensors\":[{\"dtype\":\"u\",\"word\":1,\"shape\":[4],)j"
      R"j(\"part\":0}]}}","origin":0,"granule":0,"seqno":0,"tensors":[{"shape":[4],"word":1,"dtype":"u","part":0,)j"
      R"j("nbytes":4,"xxh3":"48b2c92616fc193d"}],"metadata":null,)j"
      R"j("payload":[{"nbytes":4,"xxh3":"48b2c92616fc193d","tensors":[0]}]})j");
}

BOOST_AUTO_TEST_CASE(the_memory_of_an_import_grows_with_the_label) {
  const auto memory_of = [](std::initializer_list<unsigned char> begin, std::size_t size) {
    std::vector<std::byte> frame(size);
    std::transform(begin.begin(), begin.end(), frame.begin(), [](unsigned char c) { return std::byte{c}; });
    return zio::import_memory(frame) - (std::uint64_t{1} << 18);
  };
  BOOST_TEST(memory_of({}, 0) == 0u);
  BOOST_TEST(memory_of({10}, 100) == 16 * 100 + 160 * 10);
  BOOST_TEST(memory_of({200}, 100) == 16 * 100 + 160 * 100);
  BOOST_TEST(memory_of({0xff, 0, 0, 1, 0}, 1000) == 16 * 1000 + 160 * 256);
  BOOST_TEST(memory_of({0xff, 0, 0}, 3) == 16 * 3 + 160 * 3);
}

BOOST_AUTO_TEST_SUITE_END()
