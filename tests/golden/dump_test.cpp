// SPDX-License-Identifier: Apache-2.0
// Compares the library with an independent reader in Python that shares no code with it.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <support/bytes.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/hash.hpp>
#include <support/shared_data.hpp>

using namespace tgmap_test;
using nlohmann::json;
namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(dump_test)

namespace {

/// Returns the output of the walker for these files; null if Python cannot run it.
json walked(const fs::path& walker, const std::vector<fs::path>& files) {
  std::string command = "python3 '" TGMAP_SOURCE_DIR "/tests/golden/dump.py' '" + walker.string() + "'";
  for (const auto& file : files) command += " '" + file.string() + "'";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return nullptr;
  std::string out;
  char buffer[65536];
  while (const auto n = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, n);
  if (::pclose(pipe) != 0) return nullptr;
  return json::parse(out);
}

void check_object(const tgmap::object& object, const json& expected, bool digests) {
  const auto found = object.descriptor();
  BOOST_TEST(object.frame().offset_in_message() == expected.at("frame").get<std::uint64_t>());
  BOOST_TEST(to_string_view(found.dtype) == expected.at("dtype").get<std::string>());
  BOOST_TEST(json(std::vector(found.shape().begin(), found.shape().end())).dump() == expected.at("shape").dump());
  BOOST_TEST(json(std::vector(found.strides().begin(), found.strides().end())).dump() == expected.at("strides").dump());
  BOOST_TEST(to_string_view(found.byte_order) == expected.at("byte_order").get<std::string>());
  BOOST_TEST((json{found.encoding_name.view(), found.filter_name.view(), found.compression_name.view()} ==
              expected.at("pipeline")));
  json keys = json::array();
  found.entries.visit([&](const tgmap::cbor_view& key, const tgmap::cbor_view&) {
    keys.push_back(key.text());
    return true;
  });
  std::sort(keys.begin(), keys.end());
  BOOST_TEST(keys.dump() == expected.at("keys").dump());
  BOOST_TEST(object.payload_and_masks_size() == expected.at("region").get<std::uint64_t>());
  BOOST_TEST(object.payload_size() == expected.at("payload").get<std::uint64_t>());
  if (digests) BOOST_TEST(sha256(view_of(object.payload_and_masks())) == expected.at("sha256").get<std::string>());
}

void check_message(const tgmap::message& message, const json& expected, bool digests) {
  BOOST_TEST(message.offset() == expected.at("offset").get<std::uint64_t>());
  BOOST_TEST(message.length() == expected.at("length").get<std::uint64_t>());
  BOOST_TEST(message.version() == expected.at("version").get<int>());
  if (message.version() == 1) {
    TGMAP_THROWS(message.size(), tgmap::errc::version_1);
    return;
  }
  BOOST_TEST(message.is_streamed() == expected.at("streamed").get<bool>());
  BOOST_TEST(message.flags() == expected.at("flags").get<unsigned>());
  json frames = json::array();
  for (auto range = message.frames(); const auto& frame : range)
    frames.push_back({frame.offset_in_message(), static_cast<unsigned>(frame.type()), frame.frame_version(),
                      frame.flags(), frame.length()});
  BOOST_TEST(frames.dump() == expected.at("frames").dump());
  BOOST_TEST_REQUIRE(message.size() == expected.at("objects").size());
  for (std::size_t j = 0; j < message.size(); ++j) BOOST_TEST_CONTEXT("object " << j) {
      check_object(message[j], expected.at("objects")[j], digests);
    }
}

void check_files(const fs::path& walker, const std::vector<fs::path>& files) {
  const json expected = walked(walker, files);
  if (expected.is_null()) return say_skipped("comparison with the independent walker", "python3 cannot run it");
  BOOST_TEST_REQUIRE(expected.size() == files.size());
  std::size_t messages = 0, objects = 0;
  for (std::size_t f = 0; f < files.size(); ++f) {
    BOOST_TEST_CONTEXT(files[f].filename()) {
      bool first = true;
      in_every_mode_of_file(files[f], read_file(files[f]), [&](const tgmap::archive& archive) {
        const json& list = expected[f].at("messages");
        BOOST_TEST_REQUIRE(archive.size() == list.size());
        BOOST_TEST(archive.gaps().empty());
        for (std::size_t i = 0; i < list.size(); ++i) BOOST_TEST_CONTEXT("message " << i) {
            check_message(archive[i], list[i], first);
            if (first) ++messages, objects += list[i].value("objects", json::array()).size();
          }
        first = false;
      });
    }
  }
  BOOST_TEST_MESSAGE(files.size() << " files, " << messages << " messages, " << objects << " objects by the walker");
  BOOST_TEST(messages > files.size() / 2);
}

std::vector<fs::path> files_below(const fs::path& directory) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (entry.path().extension() == ".tgm") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(historical_files_agree_with_the_independent_walker) {
  const auto shared = shared_data_or_skip("32 historical files");
  if (!shared) return;
  const auto files = files_below(*shared / "data" / "tgm" / "golden");
  BOOST_TEST(files.size() >= 32);
  check_files(*shared / "tools" / "tgm_dump.py", files);
}

BOOST_AUTO_TEST_CASE(synthetic_files_agree_with_the_independent_walker) {
  const auto shared = shared_data_or_skip("synthetic files");
  if (!shared) return;
  const auto files = files_below(*shared / "data" / "tgm" / "synthetic");
  BOOST_TEST(files.size() >= 8);
  check_files(*shared / "tools" / "tgm_dump.py", files);
}

BOOST_AUTO_TEST_SUITE_END()
