// SPDX-License-Identifier: Apache-2.0
// Objects of no elements, with every pipeline.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <support/failures.hpp>
#include <tgmap/decode/codecs.hpp>
#include <tgmap/tools/validate.hpp>
#include <vector>

#include "write/rewritten_message.hpp"

using namespace tgmap_test;
using tgmap::compression;

BOOST_AUTO_TEST_SUITE(empty_objects_test)

namespace {

/// Keeps the first finding.
struct first_finding final : tgmap::validation_visitor {
  void message(const tgmap::message_report& report) override {
    if (!report.findings.empty() && text.empty()) text = report.findings[0].text;
  }
  std::string text{};
};

std::vector<tgmap::pipeline> all_pipelines() {
  std::vector<tgmap::pipeline> out;
  for (const auto encoding : {tgmap::encoding::none, tgmap::encoding::simple_packing})
    for (const auto filter : {tgmap::filter::none, tgmap::filter::shuffle})
      for (int by = 0; by < static_cast<int>(compression::other); ++by)
        for (const bool masked : {false, true}) {
          tgmap::pipeline how{.encoding = encoding, .filter = filter, .compression = static_cast<compression>(by)};
          how.zfp = {.mode = tgmap::zfp_mode::fixed_accuracy, .tolerance = 0.1};
          how.sz3 = {.bound = 0.1};
          how.missing = {.allow_nan = masked, .allow_infinity = masked};
          out.push_back(how);
        }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_pipeline_stores_no_elements) {
  std::size_t written = 0;
  std::vector<compression> used;
  for (std::size_t type = 0; type < tgmap::dtype_count; ++type)
    for (const tgmap::pipeline& how : all_pipelines()) {
      tgmap::new_object object;
      object.dtype = static_cast<tgmap::dtype>(type);
      object.shape = type % 2 == 0 ? std::vector<std::uint64_t>{0} : std::vector<std::uint64_t>{3, 0, 2};
      object.pipeline = how;
      if (tgmap::validate_pipeline(how, object.dtype)) continue;  // also for objects with elements
      tgmap::new_message message;
      message.objects.emplace_back(object);
      const std::string name =
          std::string(to_string_view(object.dtype)) + " " + std::string(to_string_view(how.compression));
      tgmap::failure why;
      const auto bytes = tgmap::to_bytes(message, {}, why);
      BOOST_TEST(!why, name << ": " << why.text());
      if (why) continue;
      ++written;
      used.push_back(how.compression);
      const auto archive = tgmap::archive::from_memory(bytes);
      const auto elements = archive[0][0].decode(why);
      BOOST_TEST(!why, name << ": " << why.text());
      BOOST_TEST(elements.bytes().empty());
      BOOST_TEST((std::ranges::equal(elements.shape(), object.shape)));
      first_finding seen;
      BOOST_TEST(tgmap::validate(archive, {.mode = tgmap::validation_mode::full}, seen).is_sound());
      BOOST_TEST(seen.text == "", name);
    }
  BOOST_TEST(written > 100u);
  for (const auto which : {compression::none, compression::blosc2, compression::sz3})
    if (which == compression::none || tgmap::find_codec(which)->is_available)
      BOOST_TEST((std::ranges::find(used, which) != used.end()));
}

BOOST_AUTO_TEST_SUITE_END()
