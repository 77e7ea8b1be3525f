// SPDX-License-Identifier: Apache-2.0
// Statistics of every object that the reference implementation wrote, held against what it reads.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>
#include <support/shared_data.hpp>
#include <tgmap/archive.hpp>

#include "../golden/manifest_file.hpp"
#include "statistics/elements.hpp"

using namespace tgmap_test;
using nlohmann::json;
using tgmap::dtype;

BOOST_AUTO_TEST_SUITE(reference)

namespace {

struct tally {
  std::size_t objects = 0, encoded = 0, masked = 0, without = 0;
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

void hold(const tgmap::object& object, const json& wanted, tally& count) {
  const tgmap::descriptor what = object.descriptor();
  tgmap::failure why;
  const tgmap::tensor elements = object.decode({.strides = tgmap::stride_policy::ignore}, why);
  // Streams with padded intervals are lost: libaec itself cannot read what it wrote, or reads other values (§7.4).
  const bool lost = (wanted.at("params").value("szip_flags", 0) & 32) != 0;
  if (lost || why.code == tgmap::errc::codec_absent) {
    ++count.without;
    return;
  }
  BOOST_TEST_REQUIRE(!why, why.text());
  const auto found = tgmap::statistics::statistics_of(elements, nullptr, why);
  BOOST_TEST_REQUIRE(!why, why.text());
  const json& decoded = wanted.at("decoded");
  if (what.dtype != dtype::bitmask) BOOST_TEST(found.elements == decoded.at("count").get<std::uint64_t>());
  if (what.dtype != dtype::complex64 && what.dtype != dtype::complex128 && what.dtype != dtype::bitmask) {
    const auto same = [&](double is, const char* key) {
      if (decoded.contains(key) && !decoded[key].is_null())
        BOOST_TEST(is == std::strtod(decoded[key].get<std::string>().c_str(), nullptr),
                   boost::test_tools::tolerance(1e-6));
    };
    same(as_double(found.least), "min");
    same(as_double(found.greatest), "max");
  }
  const json masks = wanted.value("masks", json::object());
  for (const auto& [kind, mask] : masks.items()) {
    const auto set = mask.at("set").get<std::uint64_t>();
    BOOST_TEST(set == (kind == "nan"    ? found.nan
                       : kind == "inf+" ? found.positive_infinities
                                        : found.negative_infinities));
  }
  ++count.objects;
  count.masked += what.mask_count != 0 ? 1 : 0;
  count.encoded += what.is_plain() ? 0 : 1;
}

tally hold_all(const std::filesystem::path& directory) {
  tally out;
  for (const json& one : manifest_of(directory)) {
    const std::string name = one.at("file");
    const tgmap::archive archive(directory / name, {.damage = tgmap::on_damage::skip});
    for (const json& message : one.at("messages"))
      for (std::size_t j = 0; j < message.at("objects").size(); ++j) {
        if (!message["objects"][j].contains("decoded")) continue;
        BOOST_TEST_CONTEXT(name << " at " << message["offset"] << ", object " << j) {
          hold(archive.at_offset(message["offset"].get<std::uint64_t>())[j], message["objects"][j], out);
        }
      }
  }
  BOOST_TEST_MESSAGE(out.objects << " objects, " << out.encoded << " of them encoded, " << out.masked << " with masks; "
                                 << out.without << " that this build cannot decode");
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(samples) {
  const tally seen = hold_all(test_data());
  BOOST_TEST(seen.objects > 100u);
  BOOST_TEST(seen.masked > 0u);
}

BOOST_AUTO_TEST_CASE(all_shared_reference_files) {
  const auto shared = shared_data_or_skip("statistics of the reference's own files");
  if (!shared) return;
  const tally seen = hold_all(*shared / "data" / "tgm" / "reference");
  BOOST_TEST(seen.objects > 1500u);
  BOOST_TEST(seen.encoded > 500u);
  BOOST_TEST(seen.masked > 20u);
}

BOOST_AUTO_TEST_SUITE_END()
