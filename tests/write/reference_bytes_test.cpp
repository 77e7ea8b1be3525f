// SPDX-License-Identifier: Apache-2.0
// What the reference implementation wrote, written again: the same bytes, or a reason why not.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <string>
#include <support/failures.hpp>
#include <support/shared_data.hpp>

#include "../golden/manifest_file.hpp"
#include "remake.hpp"

using namespace tgmap_test;
using nlohmann::json;

BOOST_AUTO_TEST_SUITE(reference_bytes_test)

namespace {

using counts = std::map<std::string, std::size_t>;

void report(const char* what, std::size_t same, const counts& other) {
  BOOST_TEST_MESSAGE(what << ": " << same << " the same");
  for (const auto& [why, n] : other) BOOST_TEST_MESSAGE("  " << n << " " << why);
}

/// Why a message cannot come out as it is; empty: it must.
std::string why_not(const tgmap::message& m, const std::string& written_by) {
  if (written_by.find("rearranged") != std::string::npos || written_by.find(',') != std::string::npos ||
      written_by.empty())
    return "put together by a script, not by the reference";
  bool header_list = false, footer_list = false, flagged = true;
  for (const tgmap::frame& f : m.frames()) {
    header_list |= f.type() == tgmap::frame_type::header_hash;
    footer_list |= f.type() == tgmap::frame_type::footer_hash;
    flagged &= (f.flags() & 2) != 0;
  }
  if (header_list && footer_list) return "digests listed twice, in header and footer";
  if (m.version() == 3 && (m.flags() & 0x80) != 0 && !flagged)
    return "release 0.20 or before: frames do not flag digests";
  if (m.size() == 0 && (m.flags() & 0x20) != 0) return "a stream without objects that announces digests";
  return {};
}

struct messages_tally {
  std::size_t same = 0;
  counts other, unexplained;
};

void compare_message(const tgmap::message& m, const json& file, messages_tally& count) {
  std::string reason = why_not(m, file.value("written_by", std::string()));
  try {
    if (std::ranges::equal(write(remake_stored(m)), m.bytes())) {
      ++count.same;
      return;
    }
  } catch (const tgmap::error& e) {
    if (!reason.empty()) reason = e.what();
  }
  ++(reason.empty() ? count.unexplained : count.other)[reason.empty() ? file.at("file").get<std::string>() : reason];
}

/// What an object of that kind may become.
std::string kind_of(const tgmap::descriptor& d) {
  return std::string(d.encoding_name.view()) + "+" + std::string(d.filter_name.view()) + "+" +
         std::string(d.compression_name.view()) + (d.mask_count != 0 ? "+masks" : "");
}

struct objects_tally {
  std::size_t same = 0;
  counts other, unexplained, refused;
};

bool masked_by(const tgmap::descriptor& what, std::string_view method) {
  return std::ranges::any_of(what.masks(), [&](const tgmap::mask& m) { return m.method.view() == method; });
}

/// Whose compressed bytes are another's with another release of the library, or of one beside ours.
std::string why_other_bytes(const tgmap::descriptor& what) {
  using tgmap::compression;
  if (what.compression == compression::lz4 || masked_by(what, "lz4")) return "lz4_flex compresses otherwise";
  if (what.compression == compression::blosc2 || masked_by(what, "blosc2"))
    return "another release of what is in blosc2";
  // Static builds have the zstd that comes with blosc2.
  if (what.compression == compression::zstd || masked_by(what, "zstd")) return "another release of zstd";
  if (what.compression == compression::sz3) return "another release of the zstd in SZ3";
  return what.compression == compression::zfp ? "loss upon loss" : "";
}

/// Why an object cannot come out as it is; empty: it must. `region`: it is the descriptor that differs.
std::string why_another(const tgmap::descriptor& what, const json& file, bool region) {
  using tgmap::compression;
  const std::string by = file.value("written_by", std::string());
  if (by.find("rearranged") != std::string::npos || by.find(',') != std::string::npos || by.empty())
    return "put together by a script, not by the reference";
  if (!region)
    if (std::string bytes = why_other_bytes(what); !bytes.empty()) return bytes;
  if (region && what.compression == compression::zfp) return "a parameter given as an integer";
  if (region && what.compression == compression::szip)
    return "offsets of intervals left out, or wrong, by the reference";
  if (region)
    return by == "0.24.0" && what.encoding == tgmap::encoding::none ? "keys of the caller's"
                                                                    : "a parameter given as an integer";
  const auto bits = what.entries.find("sp_bits_per_value"), old_bits = what.entries.find("bits_per_value");
  const auto packed = bits ? bits : old_bits;
  if (packed && packed->as<std::int64_t>() >= 53) return "more bits than a double has";
  return {};
}

/// Encodes one object anew, and compares what is stored: payload, masks, descriptor.
void compare_object(const tgmap::message& m, std::size_t j, const json& file, objects_tally& count) {
  const tgmap::descriptor what = m[j].descriptor();
  try {
    remade one = remake_decoded(m, j);
    const auto bytes = write(one);
    const auto again = tgmap::archive::from_memory(bytes);
    const tgmap::object made = again[0][0];
    const bool region = std::ranges::equal(made.payload_and_masks(), m[j].payload_and_masks());
    const bool map = std::ranges::equal(made.descriptor().entries.bytes(), what.entries.bytes());
    if (region && map)
      ++count.same;
    else {
      const std::string reason = why_another(what, file, region);
      ++(reason.empty() ? count.unexplained : count.other)[kind_of(what) + ": " + reason];
    }
  } catch (const tgmap::error& e) {
    ++count.refused[kind_of(what) + ": " + e.details().code.message()];
  }
}

template <class Each>
void for_each_message(const std::filesystem::path& directory, Each&& each) {
  for (const json& one : manifest_of(directory)) {
    const tgmap::archive a(directory / one.at("file").get<std::string>(), {.damage = tgmap::on_damage::skip});
    for (const tgmap::message& m : a)
      if (!m.is_incomplete() && m.version() != 1) each(m, one);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(messages_of_stored_objects) {
  const auto shared = shared_data_or_skip("bytes of 581 reference files");
  if (!shared) return;
  messages_tally count;
  for_each_message(*shared / "data" / "tgm" / "reference",
                   [&](const tgmap::message& m, const json& file) { compare_message(m, file, count); });
  report("messages", count.same, count.other);
  for (const auto& [file, n] : count.unexplained) BOOST_ERROR(n << " messages of " << file << " differ");
  BOOST_TEST(count.same > 1700U);
}

BOOST_AUTO_TEST_CASE(objects_encoded_anew) {
  const auto shared = shared_data_or_skip("bytes of the objects of 581 reference files");
  if (!shared) return;
  objects_tally count;
  for_each_message(*shared / "data" / "tgm" / "reference", [&](const tgmap::message& m, const json& file) {
    for (std::size_t j = 0; j < m.size(); ++j) compare_object(m, j, file, count);
  });
  report("objects", count.same, count.other);
  report("refused", 0, count.refused);
  std::size_t refused = 0;
  for (const auto& [kind, n] : count.refused) refused += n;
  BOOST_TEST(refused == 75U);  // szip that loses bits or has odd parameters, NaN in SZ3, keys of the library's
  for (const auto& [kind, n] : count.unexplained) BOOST_ERROR(n << " objects differ: " << kind);
  BOOST_TEST(count.same > 5400U);
}

BOOST_AUTO_TEST_SUITE_END()
