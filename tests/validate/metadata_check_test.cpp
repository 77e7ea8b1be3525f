// SPDX-License-Identifier: Apache-2.0
// Metadata, indexes, hash lists and descriptors, compared with the specification and with the frames.
#include <boost/test/unit_test.hpp>
#include <support/samples.hpp>

#include "recorded_findings.hpp"

using namespace tgmap_test;
using tgmap::finding_code;

BOOST_AUTO_TEST_SUITE(metadata_check)

namespace {

message_spec two_objects_spec() {
  message_spec spec;
  spec.objects = {bytes_object("abc"), bytes_object("defgh")};
  return spec;
}

code_set codes_of(const message_spec& spec) { return check(message(spec)).codes(); }

/// Returns the findings of a message whose second object has a descriptor with `name` changed to `item`.
code_set codes_of_descriptor(const char* name, bytes item) {
  message_spec spec = two_objects_spec();
  std::vector<cbor::pair> keys{
      cbor::key("ndim", cbor::integer(1)),          cbor::key("type", cbor::text("ntensor")),
      cbor::key("dtype", cbor::text("uint8")),      cbor::key("shape", cbor::numbers({5})),
      cbor::key("filter", cbor::text("none")),      cbor::key("strides", cbor::numbers({1})),
      cbor::key("encoding", cbor::text("none")),    cbor::key("byte_order", cbor::text("little")),
      cbor::key("compression", cbor::text("none")),
  };
  for (auto& [key, value] : keys)
    if (key == cbor::text(name)) value = item;
  std::erase_if(keys, [](const cbor::pair& each) { return each.second.empty(); });
  spec.objects[1].descriptor = cbor::map(keys);
  return codes_of(spec);
}

}  // namespace

BOOST_AUTO_TEST_CASE(malformed_metadata) {
  message_spec spec = two_objects_spec();
  spec.header_metadata = "\xff";
  BOOST_TEST(codes_of(spec) == code_set{"error: metadata_cbor_parse_failed"}, boost::test_tools::per_element());
  for (const bytes& wrong :
       {cbor::array({}), cbor::map({{cbor::integer(1), cbor::integer(1)}}),
        cbor::map({cbor::key("base", cbor::integer(1))}),
        cbor::map({cbor::key("base", cbor::array({cbor::integer(1)}))}),
        cbor::map({cbor::key("_extra_", cbor::null())}),
        cbor::map({cbor::key("_extra_", cbor::map({cbor::key("a", cbor::null())})), cbor::key("a", cbor::null())}),
        cbor::map({cbor::key("a", cbor::text("\xc0\x80"))}), cbor::nested(300, cbor::null())}) {
    spec.header_metadata = wrong;
    BOOST_TEST(codes_of(spec) == code_set{"error: metadata_cbor_parse_failed"}, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(entries_of_base) {
  message_spec spec = two_objects_spec();
  spec.base = {cbor::map({}), cbor::map({}), cbor::map({})};
  BOOST_TEST(codes_of(spec) == code_set{"error: base_count_exceeds_objects"}, boost::test_tools::per_element());
  spec.base = {cbor::map({cbor::key("_reserved_", cbor::integer(1))}),
               cbor::map({cbor::key("_reserved_", cbor::map({}))})};
  const auto found = check(message(spec));
  BOOST_TEST(found.only(finding_code::reserved_not_a_map).object == 0);
  BOOST_TEST(found.only(finding_code::reserved_missing_tensor).object == 1);
}

BOOST_AUTO_TEST_CASE(index_is_compared_with_frames) {
  message_spec spec = two_objects_spec();
  spec.lie = [](index_spec& index) { index.offsets[1] += 8; };
  BOOST_TEST(check(message(spec)).only(finding_code::index_offset_mismatch).object == 1);
  spec.lie = [](index_spec& index) { index.lengths[0] += 1; };
  BOOST_TEST(check(message(spec)).only(finding_code::index_length_mismatch).object == 0);
  spec.lie = [](index_spec& index) { index.offsets.pop_back(), index.lengths.pop_back(); };
  BOOST_TEST(codes_of(spec) == code_set{"error: index_count_mismatch"}, boost::test_tools::per_element());
  spec.lie = [](index_spec& index) { index.lengths.pop_back(); };
  BOOST_TEST(codes_of(spec) == code_set{"error: index_cbor_parse_failed"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(hash_frames) {
  message_spec spec = two_objects_spec();
  spec.hash_frames = false;
  spec.header_frames = {
      {.type = 3,
       .body = cbor::map({cbor::key("hashes", cbor::array({})), cbor::key("algorithm", cbor::text("xxh3"))})}};
  BOOST_TEST(codes_of(spec).contains("error: hash_frame_count_mismatch"));
  spec.header_frames[0].body = cbor::map({cbor::key("hashes", cbor::integer(1))});
  BOOST_TEST(codes_of(spec).contains("error: hash_frame_cbor_parse_failed"));
}

BOOST_AUTO_TEST_CASE(preceders) {
  message_spec spec = two_objects_spec();
  spec.frames_before[1] = {{.type = 8, .body = cbor::map({cbor::key("base", cbor::array({}))})}};
  BOOST_TEST(codes_of(spec).contains("error: preceder_base_count_wrong"));
  spec.frames_before[1][0].body = cbor::integer(1);
  BOOST_TEST(codes_of(spec).contains("error: preceder_cbor_parse_failed"));
}

BOOST_AUTO_TEST_CASE(descriptors) {
  BOOST_TEST(codes_of_descriptor("", "") == code_set{}, boost::test_tools::per_element());
  BOOST_TEST(codes_of_descriptor("byte_order", "") == code_set{}, boost::test_tools::per_element());
  const code_set failed{"error: descriptor_cbor_parse_failed"};
  for (const char* const needed : {"ndim", "type", "dtype", "shape", "filter", "strides", "encoding", "compression"}) {
    BOOST_TEST_CONTEXT(needed) {
      BOOST_TEST(codes_of_descriptor(needed, "") == failed, boost::test_tools::per_element());
      BOOST_TEST(codes_of_descriptor(needed, cbor::null()) == failed, boost::test_tools::per_element());
    }
  }
  BOOST_TEST(codes_of_descriptor("dtype", cbor::text("float12")) == failed, boost::test_tools::per_element());
  BOOST_TEST(codes_of_descriptor("byte_order", cbor::text("odd")) == failed, boost::test_tools::per_element());
  BOOST_TEST(codes_of_descriptor("type", cbor::tag(1, cbor::text("a"))) == failed, boost::test_tools::per_element());

  const auto one = [](const char* name, const bytes& item, const char* code) {
    BOOST_TEST(codes_of_descriptor(name, item) == code_set{std::string("error: ") + code},
               boost::test_tools::per_element());
  };
  one("ndim", cbor::integer(2), "ndim_shape_mismatch");
  one("strides", cbor::numbers({}), "strides_shape_mismatch");
  one("encoding", cbor::text("odd"), "unknown_encoding");
  one("filter", cbor::text("odd"), "unknown_filter");
  one("compression", cbor::text("odd"), "unknown_compression");
  one("type", cbor::text(""), "empty_obj_type");
  BOOST_TEST(codes_of_descriptor("shape", cbor::numbers({UINT64_MAX, 2})).contains("error: shape_overflow"));
}

BOOST_AUTO_TEST_CASE(masks_outside_the_payload_region) {
  message_spec spec = two_objects_spec();
  spec.objects[0].more = {cbor::key(
      "masks", cbor::map({cbor::key(
                   "nan", cbor::map({cbor::key("length", cbor::integer(9)), cbor::key("method", cbor::text("none")),
                                     cbor::key("offset", cbor::integer(1))}))}))};
  BOOST_TEST(codes_of(spec).contains("error: mask_out_of_range"));
}

BOOST_AUTO_TEST_CASE(canonical_form_on_request) {
  message_spec spec = two_objects_spec();
  spec.header_metadata = cbor::map({cbor::key("b", cbor::integer(1)), cbor::key("a", cbor::integer(1))});
  spec.objects[1].more = {cbor::key("a", cbor::integer(1))};
  const bytes data = message(spec);
  const auto archive = tgmap::archive::from_memory(span_of(data));
  BOOST_TEST(check(archive).codes() == code_set{}, boost::test_tools::per_element());
  const code_set expected{"warning: descriptor_cbor_non_canonical", "warning: metadata_cbor_non_canonical"};
  BOOST_TEST(check(archive, {.check_canonical = true}).codes() == expected, boost::test_tools::per_element());
  BOOST_TEST(check(archive, {.mode = tgmap::validation_mode::checksum, .check_canonical = true}).codes() == expected,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(bodies_beyond_a_limit_are_reported) {
  message_spec spec = two_objects_spec();
  spec.extra = {cbor::key("long", cbor::text(bytes(1000, 'x')))};
  const bytes data = message(spec);
  const auto archive = tgmap::archive::from_memory(span_of(data), {.max_metadata_bytes = 500});
  BOOST_TEST(check(archive).codes() == code_set{"error: limit_exceeded"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(strides_in_bytes_are_a_warning) {
  message_spec spec = two_objects_spec();
  spec.objects[1] = {.dtype = "float32", .shape = {2, 3}, .payload = bytes(24, 'x'), .strides = {{12, 4}}};
  for (const auto mode : {tgmap::validation_mode::standard, tgmap::validation_mode::full}) {
    const auto found = check(message(spec), mode);
    BOOST_TEST(found.codes() == code_set{"warning: strides_in_bytes"}, boost::test_tools::per_element());
    const auto& finding = found.only(finding_code::strides_in_bytes);
    BOOST_TEST(finding.object == 1);
    BOOST_TEST(finding.text == "strides [12, 4] count bytes, not elements of 4 bytes; they are divided");
    BOOST_TEST(found.result.is_sound());
  }
  using strides = std::vector<std::uint64_t>;
  for (const strides& in_elements : {strides{3, 1}, {1, 2}}) {
    spec.objects[1].strides = in_elements;
    BOOST_TEST(codes_of(spec) == code_set{}, boost::test_tools::per_element());
  }
  for (const strides& neither : {strides{12, 1}, {0, 0}, {UINT64_MAX, 4}}) {
    spec.objects[1].strides = neither;
    BOOST_TEST(!codes_of(spec).contains("warning: strides_in_bytes"));
  }
  spec.objects[1] = {.dtype = "float32", .shape = {1}, .payload = bytes(4, 'x'), .strides = {{4}}};
  BOOST_TEST(codes_of(spec) == code_set{}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
