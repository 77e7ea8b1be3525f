// SPDX-License-Identifier: Apache-2.0
// Every object of the reference implementation has the bytes that the reference reads.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <support/hash.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>

#include <support/manifest_file.hpp>

using namespace tgmap_test;
using nlohmann::json;

BOOST_AUTO_TEST_SUITE(reference_test)

namespace {

struct tally {
  std::size_t files = 0, objects = 0, masked = 0;
  std::size_t rejected_streams = 0;            ///< streams of padded intervals (§7.4), which the reference reads wrong
  std::map<std::string, std::size_t> without;  ///< objects by codec, for codecs that this build lacks
};

std::string digest_of(std::span<const std::byte> bytes) {
  return sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// Checks if the reference read wrong numbers after padded intervals. The writer used the minimum as reference value,
/// so that right numbers have this minimum.
bool padded_wrong(const tgmap::tensor& found, json expected) {
  const json& parameters = expected["params"];
  if ((parameters.value("szip_flags", 0) & 32) == 0 || !parameters.contains("sp_reference_value")) return false;
  const auto numbers = found.view<double>().values();
  const double least = parameters["sp_reference_value"];
  return std::stod(expected["decoded"]["min"].get<std::string>()) != least && std::ranges::min(numbers) == least;
}

void check_object(const tgmap::object& o, json expected, tally& count) {
  const json& decoded = expected.at("decoded");
  BOOST_TEST(o.decoded_size() == decoded.at("bytes").get<std::uint64_t>());
  tgmap::failure why;
  const tgmap::tensor t = o.decode({.strides = tgmap::stride_policy::ignore}, why);
  if (why.code == tgmap::errc::codec_absent) {
    ++count.without[expected.at("compression").get<std::string>()];
    return;
  }
  BOOST_TEST_REQUIRE(!why, why.text());
  ++count.objects;
  if (padded_wrong(t, expected))
    ++count.rejected_streams;
  else
    BOOST_TEST(digest_of(t.bytes()) == decoded.at("sha256").get<std::string>());

  // Into unaligned memory, in the byte order of the file and back.
  bytes room(1 + t.bytes().size(), '?');
  const auto to = std::as_writable_bytes(std::span(room)).subspan(1);
  o.decode_into(to);
  BOOST_TEST(std::ranges::equal(to, t.bytes()));

  if (!expected.contains("masks")) return;
  ++count.masked;
  o.decode_into(to, {.restore_missing = false});
  BOOST_TEST(digest_of(to) == expected.at("substituted_sha256").get<std::string>());
}

tally check_all(const std::filesystem::path& directory, tgmap::io_mode mode) {
  tally out;
  for (const json& one : manifest_of(directory)) {
    const std::string file = one.at("file");
    BOOST_TEST_CONTEXT(file) {
      const tgmap::archive a(directory / file, {.io = mode, .damage = tgmap::on_damage::skip});
      ++out.files;
      std::size_t i = 0;
      for (const json& message : one.at("messages")) {
        const tgmap::message m = a[i++];
        std::size_t j = 0;
        for (const json& expected : message.value("objects", json::array()))
          BOOST_TEST_CONTEXT("message " << i - 1 << ", object " << j) check_object(m[j++], expected, out);
      }
    }
  }
  for (const auto& [codec, n] : out.without)
    say_skipped(std::to_string(n) + " objects by " + codec, "codec not built in");
  BOOST_TEST_MESSAGE(out.files << " files, " << out.objects << " objects, " << out.masked << " with masks, "
                               << out.rejected_streams << " padded by szip, which the reference reads wrong");
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(files_in_the_tree) {
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    const tally count = check_all(test_data(), mode);
    BOOST_TEST(count.objects >= 100u);
    BOOST_TEST(count.masked > 0u);
  }
}

BOOST_AUTO_TEST_CASE(all_shared_files) {
  const auto shared = shared_data_or_skip("values of 581 reference files");
  if (!shared) return;
  const tally count = check_all(*shared / "data" / "tgm" / "reference", tgmap::io_mode::map);
  BOOST_TEST(count.files >= 581u);
  BOOST_TEST(count.objects > 4000u);
}

BOOST_AUTO_TEST_SUITE_END()
