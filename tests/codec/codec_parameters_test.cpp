// SPDX-License-Identifier: Apache-2.0
#include "codec/codec_parameters.hpp"

#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>

#include "cbor/structure/descriptor.hpp"

using namespace tgmap_test;
using namespace tgmap::codec;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(codec_parameters_test)

namespace {

using pairs = std::vector<cbor::pair>;

struct read {
  tgmap::failure why;
  codec_parameters found;
};

read parameters_of(const object_spec& what, bool legacy = false) {
  const bytes body = descriptor_of(what, 3);
  tgmap::failure why;
  const auto descriptor = tgmap::cbor::read_descriptor(span_of(body), 1 << 20, 64, why);
  BOOST_TEST_REQUIRE(!why);
  read out;
  out.why = read_codec_parameters(descriptor, legacy, out.found);
  return out;
}

object_spec object(std::string compression, std::string dtype, pairs more = {}) {
  return {.dtype = std::move(dtype), .shape = {8}, .compression = std::move(compression), .more = std::move(more)};
}

pairs szip_keys(std::int64_t rsi = 128, std::int64_t block = 16, std::int64_t flags = 8) {
  return {cbor::key("szip_rsi", cbor::integer(rsi)), cbor::key("szip_block_size", cbor::integer(block)),
          cbor::key("szip_flags", cbor::integer(flags))};
}

object_spec packed(std::uint64_t bits, const char* key = "sp_bits_per_value") {
  auto out = object("szip", "float64", szip_keys());
  out.encoding = "simple_packing";
  out.more.push_back(cbor::key(key, cbor::unsigned_integer(bits)));
  return out;
}

void is_szip(const read& found, std::uint64_t bits, std::uint32_t flags, std::size_t sample) {
  BOOST_TEST(!found.why);
  BOOST_TEST(found.found.szip.rsi == 128);
  BOOST_TEST(found.found.szip.block_size == 16);
  BOOST_TEST(found.found.szip.bits == bits);
  BOOST_TEST(found.found.szip.flags == flags);
  BOOST_TEST(found.found.szip.sample_size == sample);
}

}  // namespace

BOOST_AUTO_TEST_CASE(bits_of_a_sample_follow_from_the_stages_before) {
  is_szip(parameters_of(object("szip", "uint8", szip_keys())), 8, 8, 1);
  is_szip(parameters_of(object("szip", "float16", szip_keys())), 16, 8, 2);
  is_szip(parameters_of(object("szip", "float32", szip_keys())), 32, 8, 4);
  is_szip(parameters_of(object("szip", "complex128", szip_keys())), 128, 8, 0);
  is_szip(parameters_of(object("szip", "bitmask", szip_keys())), 0, 8, 0);
  auto shuffled = object("szip", "float64", szip_keys());
  shuffled.filter = "shuffle";
  is_szip(parameters_of(shuffled), 8, 8, 1);
}

BOOST_AUTO_TEST_CASE(packed_values_are_big_endian_and_take_three_bytes) {
  is_szip(parameters_of(packed(8)), 8, 12, 1);
  is_szip(parameters_of(packed(12)), 12, 12, 2);
  is_szip(parameters_of(packed(16)), 16, 12, 2);
  is_szip(parameters_of(packed(17)), 17, 14, 3);
  is_szip(parameters_of(packed(24)), 24, 14, 3);
  is_szip(parameters_of(packed(25)), 25, 12, 4);
  is_szip(parameters_of(packed(0)), 0, 12, 0);
  is_szip(parameters_of(packed(64)), 64, 12, 0);
  is_szip(parameters_of(packed(24, "bits_per_value")), 24, 14, 3);
  auto shuffled = packed(24);
  shuffled.filter = "shuffle";  // makes no difference
  is_szip(parameters_of(shuffled), 24, 14, 3);
}

BOOST_AUTO_TEST_CASE(older_encoders_used_the_flags_as_stored) {
  is_szip(parameters_of(packed(16), true), 16, 8, 2);
  is_szip(parameters_of(packed(24), true), 24, 8, 4);
}

BOOST_AUTO_TEST_CASE(szip_parameters_are_needed_and_32_bits) {
  for (std::size_t missing = 0; missing < 3; ++missing) {
    auto keys = szip_keys();
    keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(missing));
    BOOST_TEST((parameters_of(object("szip", "uint8", keys)).why.code == errc::bad_parameter));
  }
  const auto large = parameters_of(object("szip", "uint8", szip_keys(std::int64_t{1} << 32)));
  BOOST_TEST((large.why.code == errc::bad_parameter));
  BOOST_TEST(large.why.found == std::uint64_t{1} << 32);
  BOOST_TEST((parameters_of(object("szip", "uint8", szip_keys(-1))).why.code == errc::bad_parameter));
  auto text = szip_keys();
  text[0].second = cbor::text("128");
  BOOST_TEST((parameters_of(object("szip", "uint8", text)).why.code == errc::bad_parameter));
  BOOST_TEST((parameters_of(packed(65)).why.code == errc::bad_parameter));
  auto unsaid = packed(8);
  unsaid.more.pop_back();
  BOOST_TEST((parameters_of(unsaid).why.code == errc::bad_parameter));
}

BOOST_AUTO_TEST_CASE(zfp_modes) {
  const auto zfp = [](std::string_view mode, std::string_view key, bytes value) {
    return parameters_of(
        object("zfp", "float64", {cbor::key("zfp_mode", cbor::text(mode)), cbor::key(key, std::move(value))}));
  };
  const auto rate = zfp("fixed_rate", "zfp_rate", cbor::real(12.5));
  BOOST_TEST(!rate.why);
  BOOST_TEST((rate.found.zfp.mode == zfp_method::fixed_rate));
  BOOST_TEST(rate.found.zfp.rate == 12.5);
  const auto whole = zfp("fixed_rate", "zfp_rate", cbor::integer(16));
  BOOST_TEST(whole.found.zfp.rate == 16);
  const auto precision = zfp("fixed_precision", "zfp_precision", cbor::integer(65));
  BOOST_TEST(!precision.why);
  BOOST_TEST((precision.found.zfp.mode == zfp_method::fixed_precision));
  BOOST_TEST(precision.found.zfp.precision == 65);
  const auto accuracy = zfp("fixed_accuracy", "zfp_tolerance", cbor::half(0x3800));
  BOOST_TEST(!accuracy.why);
  BOOST_TEST((accuracy.found.zfp.mode == zfp_method::fixed_accuracy));
  BOOST_TEST(accuracy.found.zfp.tolerance == 0.5);

  for (const auto& bad : {cbor::real(0), cbor::real(-4), cbor::half(0x7e00), cbor::half(0x7c00), cbor::text("16")}) {
    BOOST_TEST((zfp("fixed_rate", "zfp_rate", bad).why.code == errc::bad_parameter));
    BOOST_TEST((zfp("fixed_accuracy", "zfp_tolerance", bad).why.code == errc::bad_parameter));
  }
  BOOST_TEST((zfp("fixed_rate", "zfp_tolerance", cbor::real(1)).why.code == errc::bad_parameter));
  BOOST_TEST((zfp("reversible", "zfp_rate", cbor::real(1)).why.code == errc::bad_parameter));
  BOOST_TEST((parameters_of(object("zfp", "float64")).why.code == errc::bad_parameter));
}

BOOST_AUTO_TEST_CASE(incompatible_stages) {
  for (const char* const lossy : {"zfp", "sz3"}) {
    BOOST_TEST((parameters_of(object(lossy, "float32")).why.code == errc::bad_combination));
    auto shuffled = object(lossy, "float64");
    shuffled.filter = "shuffle";
    BOOST_TEST((parameters_of(shuffled).why.code == errc::bad_combination));
    auto twice = object(lossy, "float64");
    twice.encoding = "simple_packing";
    BOOST_TEST((parameters_of(twice).why.code == errc::bad_combination));
  }
  for (const char* const bits : {"rle", "roaring"}) {
    BOOST_TEST((parameters_of(object(bits, "uint8")).why.code == errc::bad_combination));
    BOOST_TEST(!parameters_of(object(bits, "bitmask")).why);
  }
  BOOST_TEST(!parameters_of(object("sz3", "float64")).why);
  for (const char* const any : {"none", "zstd", "lz4", "blosc2"}) BOOST_TEST(!parameters_of(object(any, "int16")).why);
}

BOOST_AUTO_TEST_SUITE_END()
