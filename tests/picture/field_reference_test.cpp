// SPDX-License-Identifier: Apache-2.0
// Compares the samples with the reference implementation: number, min and max of the elements, masked elements.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <support/shared_data.hpp>
#include <tgmap/tgmap.hpp>

#include "picture/field.hpp"
#include "statistics/accumulator.hpp"

using namespace tgmap::picture;
using namespace tgmap::grids;

BOOST_AUTO_TEST_SUITE(field_reference_test)

namespace {

using json = nlohmann::json;

void compare(const tgmap::object& object, const tgmap::descriptor& descriptor, const json& expected) {
  tgmap::statistics::accumulator found;
  load_field(object, full_slice(descriptor.shape()), {.strides = tgmap::stride_policy::ignore},
             [&](std::uint64_t, std::span<const double> numbers) { found.add(numbers); });
  json decoded = expected["decoded"];
  if (descriptor.dtype != tgmap::dtype::bitmask) BOOST_TEST(found.count() == decoded["count"]);
  const bool complex = descriptor.dtype == tgmap::dtype::complex64 || descriptor.dtype == tgmap::dtype::complex128;
  const auto same = [&](double is, const char* key) {
    if (complex || decoded[key].is_null()) return;
    BOOST_TEST(is == std::stod(decoded[key].get<std::string>()), boost::test_tools::tolerance(1e-6));
  };
  same(found.min(), "min");
  same(found.max(), "max");
  const json masks = expected.value("masks", json::object());
  for (const auto& [kind, mask] : masks.items()) {
    if (complex) continue;  // pictures show magnitudes, which are not negative
    const auto set = mask["set"].get<std::uint64_t>();
    BOOST_TEST(set == (kind == "nan"    ? found.nan_count()
                       : kind == "inf+" ? found.positive_infinities()
                                        : found.negative_infinities()));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(samples_have_the_numbers_of_the_reference) {
  std::ifstream file(tgmap_test::test_data() / "MANIFEST.json");
  std::size_t compared = 0, masked = 0;
  for (const json& sample : json::parse(file)) {
    const std::string name = sample["file"];
    const tgmap::archive archive(tgmap_test::test_data() / name, {.damage = tgmap::on_damage::skip});
    for (const json& message : sample["messages"])
      for (std::size_t j = 0; j < message["objects"].size(); ++j) {
        const tgmap::object object = archive.at_offset(message["offset"].get<std::uint64_t>())[j];
        const tgmap::descriptor descriptor = object.descriptor();
        tgmap::failure why;
        object.decode({}, why);
        if (why.code == tgmap::errc::codec_absent) continue;
        BOOST_TEST_CONTEXT(name << " at " << message["offset"] << ", object " << j) {
          compare(object, descriptor, message["objects"][j]);
        }
        ++compared;
        masked += descriptor.mask_count != 0 ? 1 : 0;
      }
  }
  BOOST_TEST(compared > 100u);
  BOOST_TEST(masked > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
