// SPDX-License-Identifier: Apache-2.0
// Compares the statistics of objects of the reference implementation with the values that it reads.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>
#include <support/shared_data.hpp>
#include <tgmap/archive.hpp>

#include <support/manifest_file.hpp>
#include "statistics/element_statistics.hpp"

using namespace tgmap_test;
using nlohmann::json;
using tgmap::dtype;

BOOST_AUTO_TEST_SUITE(reference)

namespace {

struct object_counts {
  std::size_t objects = 0, encoded = 0, masked = 0, undecoded = 0;
};

double as_double(const tgmap::statistics::exact_number& number) {
  return std::visit(
      [](auto x) {
        if constexpr (std::is_same_v<decltype(x), std::monostate>)
          return std::nan("");
        else
          return static_cast<double>(x);
      },
      number);
}

void check(const tgmap::object& object, const json& wanted, object_counts& count) {
  const tgmap::descriptor descriptor = object.descriptor();
  tgmap::failure why;
  const tgmap::tensor elements = object.decode({.strides = tgmap::stride_policy::ignore}, why);
  // libaec cannot read its own streams with padded intervals, or reads other values (§7.4).
  const bool unreadable = (wanted.at("params").value("szip_flags", 0) & 32) != 0;
  if (unreadable || why.code == tgmap::errc::codec_absent) {
    ++count.undecoded;
    return;
  }
  BOOST_TEST_REQUIRE(!why, why.text());
  const auto found = tgmap::statistics::compute_statistics(elements, nullptr, why);
  BOOST_TEST_REQUIRE(!why, why.text());
  const json& decoded = wanted.at("decoded");
  if (descriptor.dtype != dtype::bitmask) BOOST_TEST(found.elements == decoded.at("count").get<std::uint64_t>());
  if (descriptor.dtype != dtype::complex64 && descriptor.dtype != dtype::complex128 &&
      descriptor.dtype != dtype::bitmask) {
    const auto same = [&](double is, const char* key) {
      if (decoded.contains(key) && !decoded[key].is_null())
        BOOST_TEST(is == std::strtod(decoded[key].get<std::string>().c_str(), nullptr),
                   boost::test_tools::tolerance(1e-6));
    };
    same(as_double(found.min), "min");
    same(as_double(found.max), "max");
  }
  const json masks = wanted.value("masks", json::object());
  for (const auto& [kind, mask] : masks.items()) {
    const auto set = mask.at("set").get<std::uint64_t>();
    BOOST_TEST(set == (kind == "nan"    ? found.nan
                       : kind == "inf+" ? found.positive_infinities
                                        : found.negative_infinities));
  }
  ++count.objects;
  count.masked += descriptor.mask_count != 0 ? 1 : 0;
  count.encoded += descriptor.is_plain() ? 0 : 1;
}

object_counts check_all(const std::filesystem::path& directory) {
  object_counts out;
  for (const json& one : manifest_of(directory)) {
    const std::string name = one.at("file");
    const tgmap::archive archive(directory / name, {.damage = tgmap::on_damage::skip});
    for (const json& message : one.at("messages"))
      for (std::size_t j = 0; j < message.at("objects").size(); ++j) {
        if (!message["objects"][j].contains("decoded")) continue;
        BOOST_TEST_CONTEXT(name << " at " << message["offset"] << ", object " << j) {
          check(archive.at_offset(message["offset"].get<std::uint64_t>())[j], message["objects"][j], out);
        }
      }
  }
  BOOST_TEST_MESSAGE(out.objects << " objects, " << out.encoded << " of them encoded, " << out.masked << " with masks; "
                                 << out.undecoded << " that this build cannot decode");
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(samples) {
  const object_counts seen = check_all(test_data());
  BOOST_TEST(seen.objects > 100u);
  BOOST_TEST(seen.masked > 0u);
}

BOOST_AUTO_TEST_CASE(shared_reference_files) {
  const auto shared = shared_data_or_skip("statistics of the shared reference files");
  if (!shared) return;
  const object_counts seen = check_all(*shared / "data" / "tgm" / "reference");
  BOOST_TEST(seen.objects > 1500u);
  BOOST_TEST(seen.encoded > 500u);
  BOOST_TEST(seen.masked > 20u);
}

BOOST_AUTO_TEST_SUITE_END()
