// SPDX-License-Identifier: Apache-2.0
// Descriptors, specification §6.1 and §6.2: every key missing, wrong, repeated, and out of bounds.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/guarded.hpp>

#include "cbor/structure/descriptor.hpp"
#include "reference.hpp"

using namespace tgmap_test;
using tgmap::descriptor;
using tgmap::errc;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(descriptor_test)

namespace {

using pairs = std::vector<cbor::pair>;

pairs sound_keys() {
  return {cbor::key("ndim", cbor::integer(2)),         cbor::key("type", cbor::text("ntensor")),
          cbor::key("dtype", cbor::text("float32")),   cbor::key("shape", cbor::numbers({3, 4})),
          cbor::key("filter", cbor::text("none")),     cbor::key("strides", cbor::numbers({4, 1})),
          cbor::key("encoding", cbor::text("none")),   cbor::key("byte_order", cbor::text("big")),
          cbor::key("compression", cbor::text("none"))};
}

/// Returns a valid descriptor with another value of `key`.
bytes with(std::string_view key, const bytes& item) {
  pairs keys = sound_keys();
  const auto at = std::find_if(keys.begin(), keys.end(), [&](const auto& p) { return p.first == cbor::text(key); });
  if (at == keys.end())
    keys.push_back(cbor::key(key, item));
  else
    at->second = item;
  return cbor::map(keys);
}

failure read(const bytes& data, descriptor& out, std::uint64_t region = 1000) {
  failure why;
  out = tgmap::cbor::read_descriptor(span_of(data), region, 256, why);
  return why;
}
failure read(const bytes& data, std::uint64_t region = 1000) {
  descriptor out;
  return read(data, out, region);
}

bytes mask_of(std::uint64_t offset, std::uint64_t length, const std::string& method = "rle") {
  return cbor::map({cbor::key("length", cbor::unsigned_integer(length)), cbor::key("method", cbor::text(method)),
                    cbor::key("offset", cbor::unsigned_integer(offset))});
}

const std::vector<std::string> required{"ndim",   "type",    "dtype",    "shape",
                                        "filter", "strides", "encoding", "compression"};

}  // namespace

BOOST_AUTO_TEST_CASE(a_sound_descriptor_is_read_whole) {
  descriptor d;
  const bytes data = cbor::map(sound_keys()) + "behind";
  TGMAP_SUCCEEDED(read(data, d));
  BOOST_TEST(d.dtype == tgmap::dtype::float32);
  BOOST_TEST(d.byte_order == tgmap::byte_order::big);
  BOOST_TEST(d.has_byte_order);
  BOOST_TEST(d.ndim == 2u);
  BOOST_TEST(d.element_count == 12u);
  BOOST_TEST((std::vector<std::uint64_t>(d.shape().begin(), d.shape().end()) == std::vector<std::uint64_t>{3, 4}));
  BOOST_TEST((std::vector<std::uint64_t>(d.strides().begin(), d.strides().end()) == std::vector<std::uint64_t>{4, 1}));
  BOOST_TEST((d.encoding == tgmap::encoding::none));
  BOOST_TEST((d.filter == tgmap::filter::none));
  BOOST_TEST((d.compression == tgmap::compression::none));
  BOOST_TEST(d.is_plain());
  BOOST_TEST(d.type.text() == "ntensor");
  BOOST_TEST(d.entries.size() == 9u);
  BOOST_TEST(d.masks().empty());
}

BOOST_AUTO_TEST_CASE(every_required_key_is_required) {
  for (const auto& name : required) {
    pairs keys = sound_keys();
    std::erase_if(keys, [&](const auto& p) { return p.first == cbor::text(name); });
    BOOST_REQUIRE(keys.size() == 8u);
    TGMAP_FAILED(read(cbor::map(keys)), errc::bad_descriptor);
    keys.push_back(cbor::key(std::string(name) + "s", cbor::integer(1)));
    TGMAP_FAILED(read(cbor::map(keys)), errc::bad_descriptor);
    keys.back() = {cbor::blob(name), cbor::integer(1)};  // a byte string instead of text
    TGMAP_FAILED(read(cbor::map(keys)), errc::bad_cbor);
  }
}

BOOST_AUTO_TEST_CASE(the_order_of_keys_does_not_matter) {
  std::mt19937 random(1);
  pairs keys = sound_keys();
  for (unsigned round = 0; round < 100; ++round) {
    std::shuffle(keys.begin(), keys.end(), random);
    descriptor d;
    TGMAP_SUCCEEDED(read(round % 2 ? cbor::map(keys) : cbor::map_until_break(keys), d));
    BOOST_TEST(d.element_count == 12u);
  }
}

BOOST_AUTO_TEST_CASE(every_key_has_its_kind_of_value) {
  for (const auto* name : {"type", "dtype", "filter", "encoding", "byte_order", "compression"})
    for (const bytes& wrong : {cbor::integer(1), cbor::null(), cbor::blob("none"), cbor::array({}), cbor::map({}),
                               cbor::boolean(true), cbor::tag(1, cbor::text("none"))})
      TGMAP_FAILED(read(with(name, wrong)), errc::bad_descriptor);
  for (const auto* name : {"shape", "strides"})
    for (const bytes& wrong :
         {cbor::integer(1), cbor::text("4"), cbor::null(), cbor::map({}), cbor::array({cbor::integer(-1)}),
          cbor::array({cbor::real(4)}), cbor::array({cbor::null()}), cbor::tag(1, cbor::numbers({4}))})
      TGMAP_FAILED(read(with(name, wrong)), errc::bad_descriptor);
  for (const bytes& wrong : {cbor::integer(-1), cbor::text("2"), cbor::real(2), cbor::null(), cbor::array({}),
                             cbor::tag(1, cbor::integer(2))})
    TGMAP_FAILED(read(with("ndim", wrong)), errc::bad_descriptor);
  for (const bytes& wrong : {cbor::integer(1), cbor::text("x"), cbor::array({}), cbor::boolean(false)})
    TGMAP_FAILED(read(with("masks", wrong)), errc::bad_descriptor);
}

BOOST_AUTO_TEST_CASE(a_descriptor_is_a_map) {
  for (const bytes& data :
       {cbor::integer(1), cbor::array({}), cbor::map({}), cbor::tag(1, cbor::map(sound_keys())), cbor::null()})
    TGMAP_FAILED(read(data), errc::bad_descriptor);
  TGMAP_FAILED(read(bytes()), errc::bad_cbor);
}

BOOST_AUTO_TEST_CASE(every_truncation_of_a_descriptor_is_refused) {
  const bytes data = with("masks", cbor::map({cbor::key("nan", mask_of(3, 4)), cbor::key("inf+", mask_of(7, 9))}));
  guarded_bytes memory(data.size());
  failure why;
  for (std::size_t size = 0; size < data.size(); ++size) {
    static_cast<void>(tgmap::cbor::read_descriptor(memory.hold(data.substr(0, size)), 1000, 256, why));
    BOOST_TEST(static_cast<bool>(why), "cut to " << size);
  }
  static_cast<void>(tgmap::cbor::read_descriptor(memory.hold(data), 1000, 256, why));
  TGMAP_SUCCEEDED(why);
}

BOOST_AUTO_TEST_CASE(every_dtype_is_known_and_no_other) {
  for (unsigned i = 0; i < tgmap::dtype_count; ++i) {
    const auto type = static_cast<tgmap::dtype>(i);
    descriptor d;
    const bytes data = with("dtype", cbor::text(to_string_view(type)));
    TGMAP_SUCCEEDED(read(data, d));
    BOOST_TEST(d.dtype == type);
  }
  for (const std::string& other : {std::string("float"), std::string("Float32"), std::string(), std::string("float32 "),
                                   std::string(31, 'x'), std::string(32, 'x'), std::string(1000, 'x')})
    TGMAP_FAILED(read(with("dtype", cbor::text(other))), errc::unknown_dtype);
}

BOOST_AUTO_TEST_CASE(unknown_codecs_keep_their_names) {
  const auto compression_of = [](const bytes& data) {
    descriptor d;
    TGMAP_SUCCEEDED(read(data, d));
    return d;
  };
  const char* known[] = {"none", "szip", "zstd", "lz4", "blosc2", "zfp", "sz3", "rle", "roaring"};
  for (unsigned i = 0; i < std::size(known); ++i) {
    const auto d = compression_of(with("compression", cbor::text(known[i])));
    BOOST_TEST(static_cast<unsigned>(d.compression) == i);
    BOOST_TEST(d.compression_name.view() == known[i]);
    BOOST_TEST(d.is_plain() == (i == 0));
  }
  for (const std::string& name :
       {std::string("gzip"), std::string(), std::string("None"), std::string(tgmap::short_name::capacity, 'n')}) {
    const auto c = compression_of(with("compression", cbor::text(name)));
    BOOST_TEST((c.compression == tgmap::compression::other));
    BOOST_TEST(c.compression_name.view() == name);
    const auto f = compression_of(with("filter", cbor::text(name)));
    BOOST_TEST((f.filter == tgmap::filter::other));
    BOOST_TEST(f.filter_name.view() == name);
    const auto e = compression_of(with("encoding", cbor::text(name)));
    BOOST_TEST((e.encoding == tgmap::encoding::other));
    BOOST_TEST(e.encoding_name.view() == name);
    BOOST_TEST((!c.is_plain() && !f.is_plain() && !e.is_plain()));
  }
  BOOST_TEST((compression_of(with("filter", cbor::text("shuffle"))).filter == tgmap::filter::shuffle));
  BOOST_TEST(
      (compression_of(with("encoding", cbor::text("simple_packing"))).encoding == tgmap::encoding::simple_packing));
}

BOOST_AUTO_TEST_CASE(longer_names_are_truncated_and_unknown) {
  constexpr std::size_t capacity = tgmap::short_name::capacity;
  for (const std::size_t size : {capacity + 1, capacity + 2, std::size_t{256}, std::size_t{100000}})
    for (const bytes& name :
         {cbor::text(std::string(size, 'x')),
          cbor::text_in_pieces({std::string(capacity, 'x'), std::string(size - capacity, 'x')}),
          cbor::text_in_pieces({std::string(capacity - 1, 'x'), std::string(size - capacity + 1, 'x')})}) {
      descriptor d;
      TGMAP_SUCCEEDED(read(with("filter", name), d));
      BOOST_TEST((d.filter == tgmap::filter::other));
      BOOST_TEST(d.filter_name.view() == std::string(capacity, 'x'));
      TGMAP_SUCCEEDED(read(with("encoding", name), d));
      BOOST_TEST((d.encoding == tgmap::encoding::other));
      TGMAP_SUCCEEDED(read(with("compression", name), d));
      BOOST_TEST((d.compression == tgmap::compression::other));
      TGMAP_FAILED(read(with("dtype", name)), errc::unknown_dtype);
      TGMAP_FAILED(read(with("byte_order", name)), errc::bad_descriptor);
    }
}

BOOST_AUTO_TEST_CASE(a_type_is_any_text_but_none) {
  for (const bytes& type : {cbor::text("x"), cbor::text(std::string(1000, 'x')), cbor::text_in_pieces({"", "x"})})
    TGMAP_SUCCEEDED(read(with("type", type)));
  for (const bytes& none : {cbor::text(""), cbor::text_in_pieces({}), cbor::text_in_pieces({"", ""})})
    TGMAP_FAILED(read(with("type", none)), errc::bad_descriptor);
}

BOOST_AUTO_TEST_CASE(names_in_pieces_are_names) {
  pairs keys = sound_keys();
  for (auto& [key, item] : keys) {
    if (static_cast<unsigned char>(item[0]) >> 5 == 3) {
      const std::string_view text = std::string_view(item).substr(1);
      item = cbor::text_in_pieces({text.substr(0, 2), "", text.substr(2)});
    }
    const std::string_view name = std::string_view(key).substr(1);
    key = cbor::text_in_pieces({name.substr(0, 1), name.substr(1)});
  }
  descriptor d;
  const bytes data = cbor::map(keys);
  TGMAP_SUCCEEDED(read(data, d));
  BOOST_TEST(d.dtype == tgmap::dtype::float32);
  BOOST_TEST(d.byte_order == tgmap::byte_order::big);
  BOOST_TEST(d.compression_name.view() == "none");
  BOOST_TEST(d.type.text() == "ntensor");
}

BOOST_AUTO_TEST_CASE(byte_orders_are_big_and_little) {
  descriptor d;
  TGMAP_SUCCEEDED(read(with("byte_order", cbor::text("little")), d));
  BOOST_TEST(d.byte_order == tgmap::byte_order::little);
  for (const auto* other : {"", "native", "Big", "LITTLE", "bigger"})
    TGMAP_FAILED(read(with("byte_order", cbor::text(other))), errc::bad_descriptor);
}

BOOST_AUTO_TEST_CASE(shapes_are_counted_without_overflow) {
  using extents = std::vector<std::uint64_t>;
  const auto elements = [](const extents& shape) -> std::optional<std::uint64_t> {
    descriptor d;
    const failure why = read(with("shape", cbor::numbers(shape)), d);
    if (why) BOOST_TEST((why.code == errc::shape_overflow), why.text());
    return why ? std::nullopt : std::optional(d.element_count);
  };
  constexpr std::uint64_t most = UINT64_MAX, half = std::uint64_t{1} << 32;
  BOOST_TEST((elements({}) == std::uint64_t{1}));
  BOOST_TEST((elements({0}) == std::uint64_t{0}));
  BOOST_TEST((elements({7}) == std::uint64_t{7}));
  BOOST_TEST((elements({most}) == most));
  BOOST_TEST((elements({most, 1, 1}) == most));
  BOOST_TEST((elements({half, half - 1}) == half * (half - 1)));
  BOOST_TEST((elements({3, 5, 17, 257, 65537, half / 2 + half / 2 + 1}) == most));  // its prime factors
  BOOST_TEST(!elements({half, half}));
  BOOST_TEST(!elements({most, 2}));
  BOOST_TEST(!elements({most, most, most}));
  BOOST_TEST((elements({most, most, 0}) == std::uint64_t{0}));
  BOOST_TEST((elements({0, most, most}) == std::uint64_t{0}));
}

BOOST_AUTO_TEST_CASE(dimensions_end_at_the_limit) {
  for (std::size_t rank = 0; rank <= tgmap::max_rank + 2; ++rank) {
    const bytes ones = cbor::numbers(std::vector<std::uint64_t>(rank, 1));
    for (const auto* key : {"shape", "strides"}) {
      descriptor d;
      const failure why = read(with(key, ones), d);
      if (rank <= tgmap::max_rank) {
        TGMAP_SUCCEEDED(why);
        BOOST_TEST((std::string_view(key) == "shape" ? d.shape().size() : d.strides().size()) == rank);
      } else {
        TGMAP_FAILED(why, errc::too_many_dimensions);
        BOOST_TEST(why.expected == tgmap::max_rank);
        BOOST_TEST(why.found == rank);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(strides_are_signed_and_end_at_the_largest_number) {
  constexpr std::uint64_t most = INT64_MAX;
  for (const auto& given : {cbor::numbers({0, most, most + 1, UINT64_MAX}),
                            cbor::array({cbor::integer(0), cbor::wide_head(0, most, 8), cbor::wide_head(0, most + 1, 8),
                                         cbor::wide_head(0, UINT64_MAX, 8)})}) {
    descriptor d;
    TGMAP_SUCCEEDED(read(with("strides", given), d));
    BOOST_TEST((std::vector(d.strides().begin(), d.strides().end()) ==
                std::vector<std::int64_t>{0, INT64_MAX, INT64_MAX, INT64_MAX}));
  }
  TGMAP_FAILED(read(with("strides", cbor::array({cbor::integer(-1)}))), errc::bad_descriptor);
}

BOOST_AUTO_TEST_CASE(ndim_and_the_number_of_strides_may_be_wrong) {
  descriptor d;
  TGMAP_SUCCEEDED(read(with("ndim", cbor::integer(7)), d));
  BOOST_TEST(d.ndim == 7u);
  BOOST_TEST(d.shape().size() == 2u);
  TGMAP_SUCCEEDED(read(with("strides", cbor::numbers({1, 2, 3})), d));
  BOOST_TEST(d.strides().size() == 3u);
}

BOOST_AUTO_TEST_CASE(masks_are_read_in_the_order_of_their_kinds) {
  const bytes masks = cbor::map({cbor::key("inf-", mask_of(30, 5, "zstd")), cbor::key("nan", mask_of(10, 20, "none")),
                                 cbor::key("other", cbor::integer(1)), cbor::key("inf+", mask_of(30, 0, "lz4"))});
  descriptor d;
  TGMAP_SUCCEEDED(read(with("masks", masks), d));
  BOOST_REQUIRE(d.masks().size() == 3u);
  BOOST_TEST((d.masks()[0].kind == tgmap::mask_kind::nan));
  BOOST_TEST(d.masks()[0].method.view() == "none");
  BOOST_TEST(d.masks()[0].offset == 10u);
  BOOST_TEST(d.masks()[0].length == 20u);
  BOOST_TEST((d.masks()[1].kind == tgmap::mask_kind::positive_infinity));
  BOOST_TEST(d.masks()[1].length == 0u);
  BOOST_TEST((d.masks()[2].kind == tgmap::mask_kind::negative_infinity));
  BOOST_TEST(d.masks()[2].method.view() == "zstd");
  BOOST_TEST(!d.is_plain());
}

BOOST_AUTO_TEST_CASE(masks_are_within_the_payload_region) {
  const auto masked = [](std::uint64_t offset, std::uint64_t length, std::uint64_t region) {
    return read(with("masks", cbor::map({cbor::key("nan", mask_of(offset, length))})), region);
  };
  TGMAP_SUCCEEDED(masked(0, 100, 100));
  TGMAP_SUCCEEDED(masked(100, 0, 100));
  TGMAP_SUCCEEDED(masked(0, 0, 0));
  TGMAP_SUCCEEDED(masked(UINT64_MAX, 0, UINT64_MAX));
  for (const auto& [offset, length] : {std::pair<std::uint64_t, std::uint64_t>{0, 101}, {1, 100}, {101, 0}, {100, 1}}) {
    const failure why = masked(offset, length, 100);
    TGMAP_FAILED(why, errc::mask_out_of_range);
    BOOST_TEST(why.expected == 100u);
    BOOST_TEST(why.found == offset + length);
  }
  for (const auto& [offset, length] :
       {std::pair<std::uint64_t, std::uint64_t>{UINT64_MAX, 2}, {2, UINT64_MAX}, {UINT64_MAX, UINT64_MAX}}) {
    const failure why = masked(offset, length, 100);
    TGMAP_FAILED(why, errc::mask_out_of_range);
    BOOST_TEST(why.found == UINT64_MAX);
  }
}

BOOST_AUTO_TEST_CASE(a_mask_has_method_offset_and_length) {
  for (const auto* missing : {"length", "method", "offset"}) {
    pairs keys{cbor::key("length", cbor::integer(1)), cbor::key("method", cbor::text("rle")),
               cbor::key("offset", cbor::integer(1))};
    std::erase_if(keys, [&](const auto& p) { return p.first == cbor::text(missing); });
    TGMAP_FAILED(read(with("masks", cbor::map({cbor::key("nan", cbor::map(keys))}))), errc::bad_descriptor);
    keys.push_back(cbor::key(missing, cbor::real(1)));
    TGMAP_FAILED(read(with("masks", cbor::map({cbor::key("nan", cbor::map(keys))}))), errc::bad_descriptor);
  }
  for (const bytes& wrong : {cbor::integer(1), cbor::null(), cbor::array({}), cbor::text("rle")})
    TGMAP_FAILED(read(with("masks", cbor::map({cbor::key("inf+", wrong)}))), errc::bad_descriptor);
}

BOOST_AUTO_TEST_CASE(every_encoding_of_no_masks) {
  for (const bytes& none : {cbor::null(), cbor::undefined(), cbor::map({}), cbor::map_until_break({})}) {
    descriptor d;
    TGMAP_SUCCEEDED(read(with("masks", none), d));
    BOOST_TEST(d.mask_count == 0u);
    BOOST_TEST(d.is_plain());
  }
}

namespace {

/// Returns the same text in all CBOR encodings: shortest, with a longer head, in pieces.
std::vector<bytes> spellings(std::string_view text) {
  return {cbor::text(text), cbor::wide_head(3, text.size(), 4) + bytes(text),
          cbor::text_in_pieces({text.substr(0, 1), text.substr(1)})};
}

/// Keys that decide how bytes are read, beside the required ones.
const std::vector<std::string> optional_keys{"byte_order",
                                             "hash",
                                             "sp_reference_value",
                                             "sp_binary_scale_factor",
                                             "sp_decimal_scale_factor",
                                             "sp_bits_per_value",
                                             "reference_value",
                                             "binary_scale_factor",
                                             "decimal_scale_factor",
                                             "bits_per_value",
                                             "shuffle_element_size",
                                             "szip_rsi",
                                             "szip_block_size",
                                             "szip_flags",
                                             "szip_block_offsets",
                                             "zfp_mode",
                                             "zfp_rate",
                                             "zfp_precision",
                                             "zfp_tolerance"};

}  // namespace

BOOST_AUTO_TEST_CASE(keys_that_determine_the_layout_are_unique) {
  std::vector<std::string> names = required;
  names.insert(names.end(), optional_keys.begin(), optional_keys.end());
  for (const std::string& name : names)
    for (const bytes& again : spellings(name)) BOOST_TEST_CONTEXT(name) {
        pairs keys = sound_keys();
        const auto first =
            std::find_if(keys.begin(), keys.end(), [&](const auto& p) { return p.first == cbor::text(name); });
        const bytes value = first == keys.end() ? cbor::integer(1) : first->second;
        if (first == keys.end()) keys.push_back(cbor::key(name, value));
        TGMAP_SUCCEEDED(read(cbor::map(keys)));
        const std::uint64_t place = cbor::map(keys).size();
        keys.push_back({again, value});
        const failure why = read(cbor::map(keys));
        TGMAP_FAILED(why, errc::duplicate_key);
        BOOST_TEST(why.found == place);
        TGMAP_FAILED(read(cbor::map_until_break(keys)), errc::duplicate_key);
        std::reverse(keys.begin(), keys.end());
        TGMAP_FAILED(read(cbor::map(keys)), errc::duplicate_key);
      }
}

BOOST_AUTO_TEST_CASE(other_keys_may_be_repeated) {
  pairs keys = sound_keys();
  keys.push_back(cbor::key("zstd_level", cbor::integer(1)));
  keys.push_back(cbor::key("zstd_level", cbor::integer(2)));
  keys.push_back(cbor::key("sp_bits_per_value", cbor::integer(2)));
  keys.push_back(cbor::key("bits_per_value", cbor::integer(3)));  // another key, of older releases
  descriptor d;
  const bytes data = cbor::map(keys);
  TGMAP_SUCCEEDED(read(data, d));
  BOOST_TEST((d.entries.find("zstd_level")->get<std::int64_t>() == 2));
}

BOOST_AUTO_TEST_CASE(keys_of_masks_are_unique) {
  const auto payload_length = [](const bytes& data) {
    std::uint64_t out = 0;
    return tgmap::cbor::read_payload_length(span_of(data), 1000, out);
  };
  const bytes one = mask_of(1, 1);
  const auto refused = [&](const bytes& data, std::string_view key) {
    const failure why = read(data), other = payload_length(data);
    TGMAP_FAILED(why, errc::duplicate_key);
    TGMAP_FAILED(other, errc::duplicate_key);
    BOOST_TEST(why.found == other.found);
    BOOST_TEST(data.compare(static_cast<std::size_t>(why.found), key.size(), key) == 0);
  };
  for (const char* const kind : {"nan", "inf+", "inf-"})
    for (const bytes& again : spellings(kind))
      refused(with("masks", cbor::map({cbor::key(kind, one), {again, one}})), again);
  for (const char* const name : {"method", "offset", "length"})
    for (const bytes& again : spellings(name)) {
      pairs keys{cbor::key("length", cbor::integer(1)),
                 cbor::key("method", cbor::text("rle")),
                 cbor::key("offset", cbor::integer(1)),
                 {again, cbor::integer(1)}};
      refused(with("masks", cbor::map({cbor::key("inf+", one), cbor::key("inf-", cbor::map(keys))})), again);
    }
  pairs keys = sound_keys();
  keys.push_back(cbor::key("masks", cbor::null()));
  keys.push_back(cbor::key("masks", cbor::map({cbor::key("nan", one)})));
  refused(cbor::map(keys), cbor::text("masks"));
}

BOOST_AUTO_TEST_CASE(values_of_unknown_keys_and_masks_are_checked) {
  const bytes tagged = cbor::tag(1, cbor::integer(1)), simple = "\xe0", cut = "\x82\x01";
  for (const bytes& wrong : {tagged, cbor::array({tagged}), simple, cbor::map({cbor::key("a", simple)})})
    for (const auto* name : {"masks", "szip_rsi"}) {
      pairs keys = sound_keys();
      keys.push_back(cbor::key(name, wrong));
      keys.push_back(cbor::key("behind", cbor::null()));
      const failure why = read(cbor::map(keys));
      TGMAP_FAILED(why, errc::bad_cbor);
      BOOST_TEST(why.found > cbor::map(sound_keys()).size());
    }
  TGMAP_FAILED(read(with("szip_rsi", cut)), errc::bad_cbor);
  TGMAP_FAILED(read(with("deep", cbor::nested(256, cbor::null()))), errc::cbor_too_deep);
  TGMAP_SUCCEEDED(read(with("deep", cbor::nested(255, cbor::null()))));
}

BOOST_AUTO_TEST_CASE(unknown_keys_are_kept_and_all_keys_are_text) {
  pairs keys = sound_keys();
  for (const bytes& no_text : {cbor::integer(1), cbor::blob("x"), cbor::array({})}) {
    pairs wrong = keys;
    wrong.push_back({no_text, cbor::null()});
    TGMAP_FAILED(read(cbor::map(wrong)), errc::bad_cbor);
  }
  keys.push_back(cbor::key("zstd_level", cbor::integer(3)));
  keys.push_back(cbor::key("a key much longer than any that means something", cbor::array({cbor::null()})));
  descriptor d;
  const bytes data = cbor::map(keys);
  TGMAP_SUCCEEDED(read(data, d));
  BOOST_TEST((d.entries.find("zstd_level")->get<std::int64_t>() == 3));
  BOOST_TEST(d.ndim == 2u);
}

BOOST_AUTO_TEST_CASE(the_payload_ends_where_the_first_mask_begins) {
  const auto length = [](const bytes& data, std::uint64_t region) {
    std::uint64_t out = 12345;
    TGMAP_SUCCEEDED(tgmap::cbor::read_payload_length(span_of(data), region, out));
    return out;
  };
  BOOST_TEST(length(cbor::map(sound_keys()), 77) == 77u);
  BOOST_TEST(length(with("masks", cbor::null()), 77) == 77u);
  const bytes masks = cbor::map(
      {cbor::key("nan", mask_of(60, 10)), cbor::key("inf+", mask_of(48, 12)), cbor::key("inf-", mask_of(70, 0))});
  BOOST_TEST(length(with("masks", masks), 77) == 48u);
  BOOST_TEST(length(cbor::map({cbor::key("masks", masks)}), 77) == 48u, "nothing else is looked at");

  std::uint64_t out = 0;
  const bytes beyond = with("masks", cbor::map({cbor::key("nan", mask_of(70, 8))}));
  TGMAP_FAILED(tgmap::cbor::read_payload_length(span_of(beyond), 77, out), errc::mask_out_of_range);
  TGMAP_FAILED(tgmap::cbor::read_payload_length(span_of("\x80"), 77, out), errc::bad_descriptor);
  TGMAP_FAILED(tgmap::cbor::read_payload_length(span_of("\xa1\x61"), 77, out), errc::bad_cbor);
}

BOOST_AUTO_TEST_SUITE_END()
