// SPDX-License-Identifier: Apache-2.0
// Objects that somebody else has encoded: what can be told of them is checked, and what the reference wrote passes.
#include <boost/test/unit_test.hpp>
#include <functional>
#include <support/failures.hpp>
#include <support/shared_data.hpp>
#include <tgmap/tgmap.hpp>

#include "remake.hpp"

using namespace tgmap_test;
using tgmap::cbor_value;
using tgmap::errc;
using tgmap::failure;
using tgmap::new_object;
using tgmap::stored_object;

BOOST_AUTO_TEST_SUITE(stored_check_test)

namespace {

/// An object encoded by us, and then changed.
class changed {
 public:
  explicit changed(const new_object& what, int version = 3)
      : version_(version), bytes_(tgmap::to_bytes({.objects = {what}}, {.version = version})) {
    const auto from = tgmap::archive::from_memory(bytes_);
    object_.descriptor = cbor_value::copy(from[0][0].descriptor().entries);
    const auto region = from[0][0].payload_and_masks();
    region_.assign(region.begin(), region.end());
  }

  changed& set(std::string_view key, const cbor_value& to) {
    object_.descriptor.set(key, to);
    return *this;
  }
  changed& erase(std::string_view key) {
    object_.descriptor.erase(key);
    return *this;
  }
  changed& resize(std::size_t bytes) {
    region_.resize(bytes);
    return *this;
  }

  std::vector<std::byte> written(failure& why, bool hashes = true) {
    object_.payload_and_masks = region_;
    tgmap::memory_sink to;
    tgmap::writer(to, {.version = version_, .hashes = hashes}).write({.objects = {object_}}, why);
    return to.release();
  }
  failure why() {
    failure out;
    const bool nothing = written(out).empty();
    BOOST_TEST(nothing == static_cast<bool>(out));
    return out;
  }

 private:
  int version_;
  std::vector<std::byte> bytes_, region_{};
  stored_object object_{};
};

const float four[] = {1, 2, 3, 4};
const double doubles[] = {1, 2, 3, 4};

new_object plain() { return new_object::of(std::span<const float>(four), {2, 2}); }

new_object packed(unsigned bits = 16) {
  auto out = new_object::of(std::span<const double>(doubles));
  out.pipeline.encoding = tgmap::encoding::simple_packing;
  out.pipeline.packing.bits = bits;
  return out;
}

new_object shuffled() {
  auto out = plain();
  out.pipeline.filter = tgmap::filter::shuffle;
  return out;
}

void refuses(changed& what, errc expected, std::uint64_t found) {
  const failure why = what.why();
  TGMAP_FAILED(why, expected);
  BOOST_TEST(why.found == found);
}

cbor_value no_numbers() { return cbor_value::array(std::span<const cbor_value>()); }

}  // namespace

BOOST_AUTO_TEST_CASE(as_it_was_encoded) {
  for (const int version : {2, 3})
    for (const auto& each : {plain(), packed(), packed(7), packed(64), shuffled()})
      TGMAP_SUCCEEDED(changed(each, version).why());
}

BOOST_AUTO_TEST_CASE(numbers_of_dimensions) {
  for (const int version : {2, 3}) {
    refuses(changed(plain(), version).set("ndim", 3), errc::bad_descriptor, 3);
    refuses(changed(plain(), version).set("strides", no_numbers()), errc::bad_descriptor, 0);
    refuses(changed(plain(), version).set("strides", cbor_value::array({1, 2, 3})), errc::bad_descriptor, 3);
    TGMAP_SUCCEEDED(changed(plain(), version).set("strides", cbor_value::array({7, 7})).why());  // nobody goes by them
  }
}

BOOST_AUTO_TEST_CASE(sizes) {
  for (const int version : {2, 3}) {
    for (const std::size_t bytes : {0U, 15U, 17U})
      refuses(changed(plain(), version).resize(bytes), errc::payload_size_mismatch, bytes);
    for (const std::size_t bytes : {0U, 6U, 8U})
      refuses(changed(packed(13), version).resize(bytes), errc::payload_size_mismatch, bytes);
    TGMAP_SUCCEEDED(changed(packed(13), version).resize(7).why());
    for (const std::size_t bytes : {12U, 20U})
      refuses(changed(shuffled(), version).resize(bytes), errc::payload_size_mismatch, bytes);
  }
}

BOOST_AUTO_TEST_CASE(parameters_of_packing) {
  constexpr std::string_view names[] = {"reference_value", "binary_scale_factor", "decimal_scale_factor",
                                        "bits_per_value"};
  for (const int version : {2, 3})
    for (const std::string_view name : names) {
      const std::string prefixed = "sp_" + std::string(name);
      const std::string_view own = version == 2 ? name : std::string_view(prefixed),
                             other = version == 2 ? std::string_view(prefixed) : name;
      refuses(changed(packed(), version).erase(own), errc::bad_parameter, 0);
      refuses(changed(packed(), version).erase(own).set(other, 8), errc::bad_parameter, 0);
      refuses(changed(packed(), version).set(own, "8"), errc::bad_parameter, 0);
    }
  refuses(changed(packed()).set("sp_bits_per_value", 65), errc::bad_parameter, 65);
  TGMAP_SUCCEEDED(changed(packed()).set("bits_per_value", 8).why());  // a key like any other
  refuses(changed(packed(), 2).set("sp_bits_per_value", 8), errc::payload_size_mismatch,
          8);  // readers of today take this one
}

BOOST_AUTO_TEST_CASE(size_of_what_is_shuffled) {
  for (const int version : {2, 3}) {
    refuses(changed(shuffled(), version).erase("shuffle_element_size"), errc::bad_parameter, 0);
    for (const std::uint64_t size : {0U, 3U, 32U})
      refuses(changed(shuffled(), version).set("shuffle_element_size", size), errc::bad_parameter, size);
    for (const std::uint64_t size : {1U, 2U, 16U})
      TGMAP_SUCCEEDED(changed(shuffled(), version).set("shuffle_element_size", size).why());
  }
}

BOOST_AUTO_TEST_CASE(methods_of_masks) {
  const auto masks = [](const char* method) {
    return cbor_value::map({{"nan", cbor_value::map({{"length", 1}, {"method", method}, {"offset", 16}})}});
  };
  for (const char* method : {"none", "rle", "roaring", "lz4", "zstd", "blosc2"})
    TGMAP_SUCCEEDED(changed(plain()).set("masks", masks(method)).resize(17).why());
  refuses(changed(plain()).set("masks", masks("foo")).resize(17), errc::unknown_codec, 0);
  refuses(changed(plain(), 2).set("masks", masks("none")).resize(17), errc::unsupported_wire_version, 2);
}

BOOST_AUTO_TEST_CASE(what_others_invented_is_their_affair) {
  TGMAP_SUCCEEDED(changed(plain()).set("encoding", "of mine").resize(5).why());
  TGMAP_SUCCEEDED(changed(plain()).set("filter", "of mine").resize(5).why());
  TGMAP_SUCCEEDED(changed(plain()).set("compression", "of mine").resize(5).why());
}

BOOST_AUTO_TEST_CASE(a_digest_that_version_2_states_is_the_one_that_is_listed) {
  const auto listed = [](const std::vector<std::byte>& bytes) {
    const auto from = tgmap::archive::from_memory(bytes);
    for (const tgmap::frame& f : from[0].frames())
      if (f.type() == tgmap::frame_type::header_hash) return tgmap::cbor_view(f.body()).at_path("hashes[0]")->text();
    return std::string("no list");
  };
  const auto state = [](const std::vector<std::byte>& bytes) {
    const auto from = tgmap::archive::from_memory(bytes);
    return from[0][0].verify();
  };
  failure why;
  const std::string right = listed(changed(plain(), 2).written(why));
  BOOST_TEST(right.size() == 16U);
  BOOST_TEST(listed(changed(plain(), 2).erase("hash").written(why)) == right);

  const auto wrong = changed(plain(), 2).set("hash.value", "0123456789abcdef").written(why);
  BOOST_TEST(listed(wrong) == "0123456789abcdef");
  BOOST_TEST(state(wrong) == tgmap::hash_result::mismatch);
  const auto unknown = changed(plain(), 2).set("hash.type", "sha1").written(why);
  BOOST_TEST(listed(unknown) == "no list");
  BOOST_TEST(state(unknown) == tgmap::hash_result::unsupported);
  BOOST_TEST(listed(changed(plain(), 2).written(why, false)) == "no list");
}

namespace {

/// Of wrong numbers of dimensions, which no release writes.
bool is_made_up(const std::filesystem::path& file) {
  return file.filename() == "descriptor_ndim_wrong.tgm" || file.filename() == "descriptor_strides_short.tgm";
}

struct tally {
  std::size_t passed = 0, refused = 0;
};

/// Takes its frame apart, so that nothing is trusted.
void open_frame(const tgmap::object& from, stored_object& to) {
  to.source.reset();
  to.descriptor = cbor_value::copy(from.descriptor().entries);
  to.payload_and_masks = from.payload_and_masks();
}

void check_objects(const std::filesystem::path& file, const tgmap::message& m, int version, tally& count) {
  for (std::size_t j = 0; j < m.size(); ++j) {
    failure why;
    auto one = stored_object::of(m, j, version, why);
    if (why.code == errc::unsupported_upgrade) continue;  // szip of old
    TGMAP_SUCCEEDED(why);
    for (const bool opened : {false, true}) {
      if (opened) open_frame(m[j], one);
      if (opened && version != m.version()) continue;
      tgmap::memory_sink to;
      const auto reserved = cbor_value::copy(m.provenance());
      tgmap::writer(to, {.version = version}).write({.objects = {one}, .provenance = reserved}, why);
      ++(why ? count.refused : count.passed);
      const bool masked = version == 2 && m[j].descriptor().mask_count != 0;
      const bool expected = opened && (is_made_up(file) || masked);
      BOOST_TEST(static_cast<bool>(why) == expected, file.filename() << ", object " << j << ": " << why.text());
    }
  }
}

tally check_archives(const std::filesystem::path& folder) {
  tally count;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".tgm") continue;
    const tgmap::archive from(entry.path(), {.damage = tgmap::on_damage::skip});
    for (const tgmap::message& m : from) {
      failure why;
      (void)m.size(why);
      if (why || m.is_incomplete() || m.version() < 2) continue;
      for (int version = m.version(); version <= 3; ++version) check_objects(entry.path(), m, version, count);
    }
  }
  return count;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_in_archives_passes) {
  const tally here = check_archives(test_data());
  BOOST_TEST(here.passed > 200U);
  BOOST_TEST(here.refused == 6U);
  if (const auto shared = shared_data_or_skip("objects of 581 reference files, taken apart"))
    BOOST_TEST(check_archives(*shared / "data" / "tgm").passed > 5000U);
}

BOOST_AUTO_TEST_SUITE_END()
