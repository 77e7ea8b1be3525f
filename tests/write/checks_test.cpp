// SPDX-License-Identifier: Apache-2.0
// Checks of stored objects: objects of the reference implementation pass, inconsistent descriptors do not.
#include <boost/test/unit_test.hpp>
#include <functional>
#include <support/failures.hpp>
#include <support/shared_data.hpp>
#include <tgmap/tgmap.hpp>

#include "write/rewritten_message.hpp"

using namespace tgmap_test;
using tgmap::cbor_value;
using tgmap::errc;
using tgmap::failure;
using tgmap::new_object;
using tgmap::stored_object;

BOOST_AUTO_TEST_SUITE(checks_test)

namespace {

/// A stored object whose descriptor and bytes can be changed.
class changed_object {
 public:
  explicit changed_object(const new_object& object, int version = 3)
      : version_(version), bytes_(tgmap::to_bytes({.objects = {object}}, {.version = version})) {
    const auto from = tgmap::archive::from_memory(bytes_);
    object_.descriptor = cbor_value::copy(from[0][0].descriptor().entries);
    const auto stored = from[0][0].payload_and_masks();
    payload_.assign(stored.begin(), stored.end());
  }

  changed_object& set(std::string_view key, const cbor_value& value) {
    object_.descriptor.set(key, value);
    return *this;
  }
  changed_object& erase(std::string_view key) {
    object_.descriptor.erase(key);
    return *this;
  }
  changed_object& resize(std::size_t bytes) {
    payload_.resize(bytes);
    return *this;
  }

  std::vector<std::byte> write(failure& why, bool hashes = true) {
    object_.payload_and_masks = payload_;
    tgmap::memory_sink sink;
    tgmap::writer(sink, {.version = version_, .hashes = hashes}).write({.objects = {object_}}, why);
    return sink.release();
  }
  failure why() {
    failure out;
    const bool wrote_nothing = write(out).empty();
    BOOST_TEST(wrote_nothing == static_cast<bool>(out));
    return out;
  }

 private:
  int version_;
  std::vector<std::byte> bytes_, payload_{};
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

void check_refused(changed_object& what, errc expected, std::uint64_t found) {
  const failure why = what.why();
  TGMAP_FAILED(why, expected);
  BOOST_TEST(why.found == found);
}

cbor_value empty_array() { return cbor_value::array(std::span<const cbor_value>()); }

}  // namespace

BOOST_AUTO_TEST_CASE(unchanged_objects) {
  for (const int version : {2, 3})
    for (const auto& each : {plain(), packed(), packed(7), packed(64), shuffled()})
      TGMAP_SUCCEEDED(changed_object(each, version).why());
}

BOOST_AUTO_TEST_CASE(numbers_of_dimensions) {
  for (const int version : {2, 3}) {
    check_refused(changed_object(plain(), version).set("ndim", 3), errc::bad_descriptor, 3);
    check_refused(changed_object(plain(), version).set("strides", empty_array()), errc::bad_descriptor, 0);
    check_refused(changed_object(plain(), version).set("strides", cbor_value::array({1, 2, 3})), errc::bad_descriptor,
                  3);
    TGMAP_SUCCEEDED(changed_object(plain(), version)
                        .set("strides", cbor_value::array({7, 7}))
                        .why());  // readers ignore the values of strides
  }
}

BOOST_AUTO_TEST_CASE(payload_sizes) {
  for (const int version : {2, 3}) {
    for (const std::size_t bytes : {0U, 15U, 17U})
      check_refused(changed_object(plain(), version).resize(bytes), errc::payload_size_mismatch, bytes);
    for (const std::size_t bytes : {0U, 6U, 8U})
      check_refused(changed_object(packed(13), version).resize(bytes), errc::payload_size_mismatch, bytes);
    TGMAP_SUCCEEDED(changed_object(packed(13), version).resize(7).why());
    for (const std::size_t bytes : {12U, 20U})
      check_refused(changed_object(shuffled(), version).resize(bytes), errc::payload_size_mismatch, bytes);
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
      check_refused(changed_object(packed(), version).erase(own), errc::bad_parameter, 0);
      check_refused(changed_object(packed(), version).erase(own).set(other, 8), errc::bad_parameter, 0);
      check_refused(changed_object(packed(), version).set(own, "8"), errc::bad_parameter, 0);
    }
  check_refused(changed_object(packed()).set("sp_bits_per_value", 65), errc::bad_parameter, 65);
  TGMAP_SUCCEEDED(changed_object(packed()).set("bits_per_value", 8).why());  // in version 3 not a parameter
  check_refused(changed_object(packed(), 2).set("sp_bits_per_value", 8), errc::payload_size_mismatch,
                8);  // readers prefer the name with sp_
}

BOOST_AUTO_TEST_CASE(shuffle_element_sizes) {
  for (const int version : {2, 3}) {
    check_refused(changed_object(shuffled(), version).erase("shuffle_element_size"), errc::bad_parameter, 0);
    for (const std::uint64_t size : {0U, 3U, 32U})
      check_refused(changed_object(shuffled(), version).set("shuffle_element_size", size), errc::bad_parameter, size);
    for (const std::uint64_t size : {1U, 2U, 16U})
      TGMAP_SUCCEEDED(changed_object(shuffled(), version).set("shuffle_element_size", size).why());
  }
}

BOOST_AUTO_TEST_CASE(methods_of_masks) {
  const auto masks = [](const char* method) {
    return cbor_value::map({{"nan", cbor_value::map({{"length", 1}, {"method", method}, {"offset", 16}})}});
  };
  for (const char* method : {"none", "rle", "roaring", "lz4", "zstd", "blosc2"})
    TGMAP_SUCCEEDED(changed_object(plain()).set("masks", masks(method)).resize(17).why());
  check_refused(changed_object(plain()).set("masks", masks("foo")).resize(17), errc::unknown_codec, 0);
  check_refused(changed_object(plain(), 2).set("masks", masks("none")).resize(17), errc::unsupported_wire_version, 2);
}

BOOST_AUTO_TEST_CASE(unknown_stages_are_accepted) {
  TGMAP_SUCCEEDED(changed_object(plain()).set("encoding", "unknown").resize(5).why());
  TGMAP_SUCCEEDED(changed_object(plain()).set("filter", "unknown").resize(5).why());
  TGMAP_SUCCEEDED(changed_object(plain()).set("compression", "unknown").resize(5).why());
}

BOOST_AUTO_TEST_CASE(a_hash_stated_in_version_2_is_listed) {
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
  const std::string right = listed(changed_object(plain(), 2).write(why));
  BOOST_TEST(right.size() == 16U);
  BOOST_TEST(listed(changed_object(plain(), 2).erase("hash").write(why)) == right);

  const auto wrong = changed_object(plain(), 2).set("hash.value", "0123456789abcdef").write(why);
  BOOST_TEST(listed(wrong) == "0123456789abcdef");
  BOOST_TEST(state(wrong) == tgmap::hash_result::mismatch);
  const auto unknown = changed_object(plain(), 2).set("hash.type", "sha1").write(why);
  BOOST_TEST(listed(unknown) == "no list");
  BOOST_TEST(state(unknown) == tgmap::hash_result::unsupported);
  BOOST_TEST(listed(changed_object(plain(), 2).write(why, false)) == "no list");
}

namespace {

/// Returns true for files with wrong numbers of dimensions, which no release writes.
bool has_wrong_dimensions(const std::filesystem::path& file) {
  return file.filename() == "descriptor_ndim_wrong.tgm" || file.filename() == "descriptor_strides_short.tgm";
}

struct tally {
  std::size_t passed = 0, refused = 0;
};

/// Replaces the source by its descriptor and bytes, which are then checked.
void replace_source(const tgmap::object& from, stored_object& object) {
  object.source.reset();
  object.descriptor = cbor_value::copy(from.descriptor().entries);
  object.payload_and_masks = from.payload_and_masks();
}

void check_objects(const std::filesystem::path& file, const tgmap::message& m, int version, tally& count) {
  for (std::size_t j = 0; j < m.size(); ++j) {
    failure why;
    auto one = stored_object::of(m, j, version, why);
    if (why.code == errc::unsupported_upgrade) continue;  // legacy szip
    TGMAP_SUCCEEDED(why);
    for (const bool is_checked : {false, true}) {
      if (is_checked) replace_source(m[j], one);
      if (is_checked && version != m.version()) continue;
      tgmap::memory_sink sink;
      const auto reserved = cbor_value::copy(m.provenance());
      tgmap::writer(sink, {.version = version}).write({.objects = {one}, .provenance = reserved}, why);
      ++(why ? count.refused : count.passed);
      const bool masked = version == 2 && m[j].descriptor().mask_count != 0;
      const bool expected = is_checked && (has_wrong_dimensions(file) || masked);
      BOOST_TEST(static_cast<bool>(why) == expected, file.filename() << ", object " << j << ": " << why.text());
    }
  }
}

tally check_archives(const std::filesystem::path& folder) {
  tally count;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".tgm") continue;
    const tgmap::archive archive(entry.path(), {.damage = tgmap::on_damage::skip});
    for (const tgmap::message& m : archive) {
      failure why;
      (void)m.size(why);
      if (why || m.is_incomplete() || m.version() < 2) continue;
      for (int version = m.version(); version <= 3; ++version) check_objects(entry.path(), m, version, count);
    }
  }
  return count;
}

}  // namespace

BOOST_AUTO_TEST_CASE(objects_of_archives_pass) {
  const tally here = check_archives(test_data());
  BOOST_TEST(here.passed > 200U);
  BOOST_TEST(here.refused == 6U);
  if (const auto shared = shared_data_or_skip("descriptors of 581 reference files"))
    BOOST_TEST(check_archives(*shared / "data" / "tgm").passed > 5000U);
}

BOOST_AUTO_TEST_SUITE_END()
