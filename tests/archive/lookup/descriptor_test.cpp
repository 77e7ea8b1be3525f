// SPDX-License-Identifier: Apache-2.0
// The contents of descriptors, required and optional ones.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(descriptor_test)

namespace {

std::vector<cbor::pair> required_keys() {
  return {cbor::key("ndim", cbor::integer(1)),         cbor::key("type", cbor::text("ntensor")),
          cbor::key("dtype", cbor::text("uint8")),     cbor::key("shape", cbor::numbers({4})),
          cbor::key("filter", cbor::text("none")),     cbor::key("strides", cbor::numbers({1})),
          cbor::key("encoding", cbor::text("none")),   cbor::key("byte_order", cbor::text("little")),
          cbor::key("compression", cbor::text("none"))};
}

std::vector<cbor::pair> required_keys_with(std::string_view key, const bytes& value) {
  auto keys = required_keys();
  for (auto& [name, item] : keys)
    if (name == cbor::text(key)) item = value;
  return keys;
}

bytes message_with_descriptor(const bytes& descriptor, int version = 3) {
  message_spec spec;
  spec.version = version;
  spec.objects = {bytes_object("1234")};
  spec.objects[0].descriptor = descriptor;
  return message(spec);
}

tgmap::failure failure_of(const bytes& descriptor, int version = 3) {
  tgmap::failure last;
  in_every_mode(message_with_descriptor(descriptor, version), [&](const tgmap::archive& archive) {
    BOOST_TEST(archive[0].size() == 1u);
    tgmap::failure why;
    const auto object = archive[0].at(0, why);
    if (!why) (void)object.descriptor(why);
    last = why;
    if (why) {
      BOOST_TEST(why.object == 0);
      BOOST_TEST(static_cast<bool>(object.why_not_in_place(tgmap::dtype::uint8)));
    }
  });
  return last;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_required_key_is_required) {
  for (const int version : {2, 3}) {
    TGMAP_SUCCEEDED(failure_of(cbor::map(required_keys()), version));
    for (std::size_t i = 0; i < required_keys().size(); ++i) {
      auto keys = required_keys();
      const auto name = keys[i].first.substr(1);
      keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(i));
      const auto why = failure_of(cbor::map(keys), version);
      BOOST_TEST_CONTEXT("version " << version << " without " << name) {
        if (name == "byte_order" && version == 3)
          TGMAP_SUCCEEDED(why);
        else if (name == "byte_order")
          continue;  // writers of version 2 must write it; readers do not need it
        else
          TGMAP_FAILED(why, errc::bad_descriptor);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(keys_of_the_wrong_kind_are_refused) {
  for (const auto* key :
       {"ndim", "type", "dtype", "shape", "filter", "strides", "encoding", "compression", "byte_order"})
    for (const auto& wrong : {cbor::null(), cbor::boolean(true), cbor::map({}), cbor::real(1.5)})
      BOOST_TEST_CONTEXT(key) {
        TGMAP_FAILED(failure_of(cbor::map(required_keys_with(key, wrong))), errc::bad_descriptor);
      }
  TGMAP_FAILED(failure_of(cbor::map(required_keys_with("shape", cbor::array({cbor::integer(-1)})))),
               errc::bad_descriptor);
  TGMAP_FAILED(failure_of(cbor::map(required_keys_with("shape", cbor::array({cbor::text("4")})))),
               errc::bad_descriptor);
  TGMAP_FAILED(failure_of(cbor::map(required_keys_with("byte_order", cbor::text("middle")))), errc::bad_descriptor);
  TGMAP_FAILED(failure_of(cbor::map(required_keys_with("type", cbor::text("")))), errc::bad_descriptor);
}

BOOST_AUTO_TEST_CASE(an_unknown_dtype_is_reported) {
  for (const auto* name : {"float128", "", "Float32", "uint8 "})
    TGMAP_FAILED(failure_of(cbor::map(required_keys_with("dtype", cbor::text(name)))), errc::unknown_dtype);
}

BOOST_AUTO_TEST_CASE(element_counts_must_fit) {
  const std::uint64_t big = std::uint64_t{1} << 33;
  TGMAP_FAILED(failure_of(cbor::map(required_keys_with("shape", cbor::numbers({big, big})))), errc::shape_overflow);
  TGMAP_SUCCEEDED(failure_of(cbor::map(required_keys_with("shape", cbor::numbers({big, big / 8})))));
  // The size in bytes may overflow although the number of elements does not. Then no view is possible.
  const bytes data =
      message_with_descriptor(cbor::map(required_keys_with("shape", cbor::numbers({~std::uint64_t{0}}))));
  const auto archive = open(data);
  BOOST_TEST(archive[0][0].descriptor().element_count == ~std::uint64_t{0});
  TGMAP_FAILED(archive[0][0].why_not_in_place(tgmap::dtype::uint8), errc::payload_size_mismatch);
}

BOOST_AUTO_TEST_CASE(overflow_is_found_despite_a_zero_extent) {
  const std::uint64_t big = std::uint64_t{1} << 63;
  const bytes data = message_with_descriptor(cbor::map(required_keys_with("shape", cbor::numbers({big, 0, big, big}))));
  const auto archive = open(data);
  tgmap::failure why;
  const auto d = archive[0][0].descriptor(why);
  if (!why)
    BOOST_TEST(d.element_count == 0u);
  else
    TGMAP_FAILED(why, errc::shape_overflow);
}

BOOST_AUTO_TEST_CASE(dimensions_up_to_the_limit) {
  const std::vector<std::uint64_t> ones(tgmap::max_rank, 1), more(tgmap::max_rank + 1, 1);
  TGMAP_SUCCEEDED(failure_of(cbor::map(required_keys_with("shape", cbor::numbers(ones)))));
  const auto why = failure_of(cbor::map(required_keys_with("shape", cbor::numbers(more))));
  TGMAP_FAILED(why, errc::too_many_dimensions);
  BOOST_TEST(why.expected == tgmap::max_rank);
  BOOST_TEST(why.found == tgmap::max_rank + 1);
}

BOOST_AUTO_TEST_CASE(a_tag_anywhere_in_a_descriptor_is_refused) {
  auto keys = required_keys();
  keys.push_back(cbor::key("when", cbor::tag(1, cbor::integer(0))));
  TGMAP_FAILED(failure_of(cbor::map(keys)), errc::bad_cbor);
  keys.back() = cbor::key("deep", cbor::array({cbor::map({cbor::key("x", cbor::tag(0, cbor::text("t")))})}));
  TGMAP_FAILED(failure_of(cbor::map(keys)), errc::bad_cbor);
}

BOOST_AUTO_TEST_CASE(a_descriptor_is_a_map) {
  for (const auto& wrong :
       {cbor::array({}), cbor::integer(1), cbor::text("map"), bytes("\xff"), bytes("\xf8\x20", 2)}) {
    const auto why = failure_of(wrong);
    BOOST_TEST((why.code == tgmap::make_error_code(errc::bad_descriptor) ||
                why.code == tgmap::make_error_code(errc::bad_cbor)),
               why.text());
  }
  for (const auto& wrong : {bytes("\xbf"), bytes("\xa1"), bytes("\xa1\x61x\xf8\x20", 5)})
    TGMAP_FAILED(failure_of(wrong), errc::bad_cbor);
}

BOOST_AUTO_TEST_CASE(unknown_codecs_are_kept_by_name) {
  const bytes data = message_with_descriptor(cbor::map(required_keys_with("compression", cbor::text("future_codec"))));
  const auto archive = open(data);
  const auto d = archive[0][0].descriptor();
  BOOST_TEST(d.compression_name.view() == "future_codec");
  BOOST_TEST((d.compression == tgmap::compression::other));
  BOOST_TEST(!d.is_plain());
  TGMAP_FAILED(archive[0][0].why_not_in_place(tgmap::dtype::uint8), errc::compressed);
}

BOOST_AUTO_TEST_CASE(long_codec_names_are_truncated) {
  const bytes data = message_with_descriptor(cbor::map(required_keys_with("encoding", cbor::text(bytes(100, 'n')))));
  const auto archive = open(data);
  const auto d = archive[0][0].descriptor();
  BOOST_TEST(d.encoding_name.view() == bytes(tgmap::short_name::capacity, 'n'));
  BOOST_TEST((d.encoding == tgmap::encoding::other));
}

BOOST_AUTO_TEST_CASE(parameters_are_unchanged) {
  auto keys = required_keys();
  keys.push_back(cbor::key("zstd_level", cbor::integer(3)));
  keys.push_back(cbor::key("sp_reference_value", cbor::half(0x4900)));
  keys.push_back(cbor::key("odd", cbor::map({{cbor::integer(7), cbor::text("odd key")}})));
  const bytes data = message_with_descriptor(cbor::map_until_break(keys) + "trailing bytes");
  const auto archive = open(data);
  const auto d = archive[0][0].descriptor();
  BOOST_TEST((d.entries.find("zstd_level")->get<std::int64_t>() == 3));
  BOOST_TEST((d.entries.find("sp_reference_value")->get<double>() == 10.0));
  BOOST_TEST(d.entries.size() == 12u);
  BOOST_TEST(d.ndim == 1u);
}

BOOST_AUTO_TEST_CASE(masks_must_be_in_the_region) {
  const auto mask = [](std::uint64_t offset, std::uint64_t length) {
    auto keys = required_keys();
    keys.push_back(cbor::key(
        "masks", cbor::map({cbor::key("nan", cbor::map({cbor::key("method", cbor::text("none")),
                                                        cbor::key("offset", cbor::unsigned_integer(offset)),
                                                        cbor::key("length", cbor::unsigned_integer(length))}))})));
    return cbor::map(keys);
  };
  TGMAP_SUCCEEDED(failure_of(mask(3, 1)));
  TGMAP_SUCCEEDED(failure_of(mask(4, 0)));
  for (const auto& [offset, length] : {std::pair<std::uint64_t, std::uint64_t>{4, 1},
                                       {5, 0},
                                       {0, 5},
                                       {~std::uint64_t{0}, 2},
                                       {1, ~std::uint64_t{0}}}) {
    const auto why = failure_of(mask(offset, length));
    TGMAP_FAILED(why, errc::mask_out_of_range);
    BOOST_TEST(why.expected == 4u);
  }
}

BOOST_AUTO_TEST_CASE(masks_in_order_of_kind_with_any_number_of_them) {
  object_spec object = numbers_object("float32", {1.0f, 2.0f});
  object.masks = {{.kind = "inf-", .method = "rle", .blob = "abc"},
                  {.kind = "nan", .blob = "\x40"},
                  {.kind = "inf+", .method = "zstd", .blob = "zz"}};
  for (const bool first : {false, true}) {
    object.cbor_first = first;
    message_spec spec;
    spec.objects = {object};
    in_every_mode(message(spec), [](const tgmap::archive& archive) {
      const auto o = archive[0][0];
      const auto d = o.descriptor();
      BOOST_TEST(d.masks().size() == 3u);
      BOOST_TEST(o.payload_size() == 8u);
      BOOST_TEST(o.payload_and_masks_size() == 14u);
      BOOST_TEST(view_of(o.payload_and_masks()).substr(8) == "abc\x40zz");
      for (const auto& mask : d.masks()) {
        const auto blob = view_of(o.payload_and_masks()).substr(mask.offset, mask.length);
        if (mask.kind == tgmap::mask_kind::nan) BOOST_TEST(blob == "\x40");
        if (mask.kind == tgmap::mask_kind::positive_infinity) BOOST_TEST(blob == "zz");
        if (mask.kind == tgmap::mask_kind::negative_infinity) BOOST_TEST(blob == "abc");
      }
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
