// SPDX-License-Identifier: Apache-2.0
// The fast path for items in their common form agrees with the general one, or returns nothing.
#include "cbor/head.hpp"

#include <boost/test/unit_test.hpp>
#include <support/cbor.hpp>
#include <support/guarded.hpp>
#include <tuple>

#include "cbor/prescan.hpp"
#include "cbor/structure/descriptor.hpp"
#include "cbor/structure/descriptor_entry.hpp"
#include "cbor/text.hpp"

using namespace tgmap_test;
using tgmap::descriptor;
using tgmap::failure;
namespace inner = tgmap::cbor;

BOOST_AUTO_TEST_SUITE(flat_entry_test)

namespace {

const bytes sound = cbor::map({cbor::key("type", cbor::text("ntensor")), cbor::key("ndim", cbor::integer(2)),
                               cbor::key("shape", cbor::numbers({3, 70000})), cbor::key("strides", cbor::numbers({1})),
                               cbor::key("dtype", cbor::text("int8")), cbor::key("encoding", cbor::text("none")),
                               cbor::key("filter", cbor::text("none")), cbor::key("compression", cbor::text("zfp")),
                               cbor::key("byte_order", cbor::text("big")), cbor::key("level", cbor::integer(-3))});

/// Reads a descriptor entry by entry by the general path.
descriptor slowly(std::span<const std::byte> data, failure& why) {
  descriptor out;
  tgmap::cbor_view::cursor s;
  unsigned seen = 0;
  why = inner::unusable();
  if (!inner::first(data, s) || !s.has_key) return out;
  while (inner::next(s)) {
    why = {.code = tgmap::errc::bad_cbor};
    if (s.key.kind() != tgmap::cbor_kind::text) return out;
    const auto which = inner::key_of(s.key.bytes_to_end());
    why = {.code = tgmap::errc::duplicate_key};
    if (which != inner::descriptor_key::other && (seen & inner::bit(which)) != 0) return out;
    if (which >= inner::descriptor_key::masks)
      if ((why = inner::prescan(s.value.bytes_to_end(), 255, inner::rules::untagged))) return out;
    if ((why = inner::read_entry(which, s.value, 1000, out))) return out;
    seen |= inner::bit(which);
  }
  why = s.is_malformed ? failure{.code = tgmap::errc::bad_cbor} : failure{};
  if (!why && (seen & inner::required_keys) != inner::required_keys) why = inner::unusable();
  return out;
}

/// Returns what was read, except the number of elements and the places of text.
auto contents(const descriptor& d) {
  const auto shape = d.shape();
  const auto strides = d.strides();
  return std::tuple(d.dtype, d.byte_order, d.has_byte_order, d.encoding, d.filter, d.compression,
                    std::string(d.encoding_name.view()), std::string(d.filter_name.view()),
                    std::string(d.compression_name.view()), d.ndim, d.mask_count, d.type.text(),
                    std::vector(shape.begin(), shape.end()), std::vector(strides.begin(), strides.end()));
}

}  // namespace

BOOST_AUTO_TEST_CASE(fast_and_general_reader_agree_on_changed_descriptors) {
  guarded_bytes memory(sound.size());
  std::size_t read = 0;
  for (std::size_t at = 0; at < sound.size(); ++at)
    for (unsigned byte = 0; byte < 256; ++byte) {
      bytes data = sound;
      data[at] = static_cast<char>(byte);
      const auto item_bytes = memory.hold(data);
      failure quick_failure, slow_failure;
      const descriptor quick = inner::read_descriptor(item_bytes, 1000, 256, quick_failure);
      const descriptor slow = slowly(item_bytes, slow_failure);
      if (quick_failure.code == tgmap::make_error_code(tgmap::errc::shape_overflow)) continue;
      BOOST_REQUIRE_MESSAGE(quick_failure.code == slow_failure.code,
                            "byte " << at << " as " << byte << ": " << quick_failure.code << ", " << slow_failure.code);
      if (quick_failure) continue;
      BOOST_REQUIRE_MESSAGE(contents(quick) == contents(slow), "byte " << at << " as " << byte);
      ++read;
    }
  BOOST_TEST(read > 1000u);
}

BOOST_AUTO_TEST_CASE(written_descriptors_take_the_fast_path) {
  tgmap::cbor_view::cursor s;
  BOOST_REQUIRE(inner::first(span_of(sound), s));
  descriptor out;
  unsigned seen = 0, read = 0;
  while (inner::read_flat_entry(s, out, seen)) ++read;
  BOOST_TEST(read == 9u);
  BOOST_TEST(s.remaining == 1u, "the key that means nothing here is left");
  BOOST_TEST((seen & inner::required_keys) == inner::required_keys);
}

BOOST_AUTO_TEST_CASE(incomplete_text_and_numbers_are_not_read) {
  const auto text_of = [](const bytes& data) {
    const auto item_bytes = span_of(data);
    const std::byte* at = item_bytes.data();
    const auto text = inner::read_flat_text(at, item_bytes.data() + item_bytes.size());
    BOOST_TEST(at - item_bytes.data() == (text ? static_cast<std::ptrdiff_t>(data.size()) : 0));
    return text ? std::string(*text) : "nothing";
  };
  BOOST_TEST(text_of(cbor::text("")) == "");
  BOOST_TEST(text_of(cbor::text("dtype")) == "dtype");
  BOOST_TEST(text_of(cbor::text("dtype").substr(0, 5)) == "nothing");
  BOOST_TEST(text_of(cbor::text_in_pieces({"dtype"})) == "nothing");
  BOOST_TEST(text_of(cbor::blob("dtype")) == "nothing");
  BOOST_TEST(text_of({}) == "nothing");

  const auto number_of = [](const bytes& data) {
    const auto item_bytes = span_of(data);
    const std::byte* at = item_bytes.data();
    std::uint64_t out = 99;
    return inner::read_unsigned(at, item_bytes.data() + item_bytes.size(), out) ? out : 77;
  };
  BOOST_TEST(number_of(cbor::unsigned_integer(UINT64_MAX)) == UINT64_MAX);
  BOOST_TEST(number_of(cbor::integer(23)) == 23u);
  BOOST_TEST(number_of(cbor::integer(-1)) == 77u);
  BOOST_TEST(number_of(cbor::text("1")) == 77u);
  BOOST_TEST(number_of(cbor::unsigned_integer(70000).substr(0, 4)) == 77u);
}

BOOST_AUTO_TEST_SUITE_END()
