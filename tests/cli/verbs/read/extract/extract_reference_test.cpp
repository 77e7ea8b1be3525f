// SPDX-License-Identifier: Apache-2.0
// Elements that extract writes from files of the reference implementation equal those that the reference reads.
#include <boost/test/unit_test.hpp>
#include <map>
#include <support/hash.hpp>
#include <support/shared_data.hpp>
#include <tgmap/decode/codecs.hpp>

#include <support/manifest_file.hpp>
#include "../../../process.hpp"

using namespace tgmap_test;
using nlohmann::json;

BOOST_AUTO_TEST_SUITE(extract_reference)

namespace {

struct tally {
  std::size_t files = 0, objects = 0;
  std::size_t lost = 0;  ///< streams that libaec itself could not read again: padded intervals (§7.4)
  std::map<std::string, std::size_t> without;
};

/// Returns the elements of an .npy file; bits are packed eight per byte as in the MANIFEST.
bytes decode_elements(const bytes& npy, bool bits) {
  const bytes all = npy.substr(npy.find('\n') + 1);
  if (!bits) return all;
  bytes packed((all.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < all.size(); ++i) packed[i / 8] = static_cast<char>(packed[i / 8] | all[i] << (7 - i % 8));
  return packed;
}

/// Returns a codec of the object that this build lacks, if any.
std::string absent_codec(const json& object) {
  std::string used = object.at("compression").get<std::string>();
  if (object.contains("masks")) used += object["masks"].dump();
  for (const tgmap::codec_info& each : tgmap::codecs())
    if (!each.is_available && used.find(each.name) != used.npos) return std::string(each.name);
  return {};
}

tally check(const std::filesystem::path& directory, std::size_t every) {
  tally out;
  std::size_t number = 0;
  for (const json& one : manifest_of(directory)) {
    if (number++ % every != 0) continue;
    const temporary_directory to;
    const std::string file = one.at("file");
    const outcome seen = run({"extract", "-q", "--as-stored", (directory / file).string(), "-o", to.path().string()});
    ++out.files;
    std::size_t i = 0;
    for (const json& message : one.at("messages")) {
      std::size_t j = 0;
      for (const json& expected : message.value("objects", json::array())) {
        const auto path = to / (std::to_string(i) + "_" + std::to_string(j++) + ".npy");
        const std::string absent = absent_codec(expected);
        if (!std::filesystem::exists(path)) {
          const bool lost = (expected["params"].value("szip_flags", 0) & 32) != 0;
          BOOST_TEST((lost || !absent.empty()), file << ", " << path.filename() << ": " << seen.err);
          lost ? ++out.lost : ++out.without[absent];
          continue;
        }
        ++out.objects;
        BOOST_TEST(sha256(decode_elements(read_file(path), expected.at("dtype") == "bitmask")) ==
                       expected.at("decoded").at("sha256").get<std::string>(),
                   file << ", " << path.filename());
      }
      ++i;
    }
  }
  for (const auto& [codec, n] : out.without)
    say_skipped(std::to_string(n) + " objects by " + codec, "codec not built in");
  BOOST_TEST_MESSAGE(out.files << " files, " << out.objects << " objects, " << out.lost << " padded by szip and lost");
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(files_in_the_tree) {
  const tally count = check(test_data(), 1);
  BOOST_TEST(count.objects >= 100u);
}

BOOST_AUTO_TEST_CASE(shared_files) {
  const auto shared = shared_data_or_skip("extracting 60 reference files");
  if (!shared) return;
  const tally count = check(*shared / "data" / "tgm" / "reference", 9);
  BOOST_TEST(count.files >= 60u);
  BOOST_TEST(count.objects > 200u);
}

BOOST_AUTO_TEST_SUITE_END()
