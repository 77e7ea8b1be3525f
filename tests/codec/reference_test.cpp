// SPDX-License-Identifier: Apache-2.0
// Every compressed payload of the reference files decompresses to the values of the reference.
#include <algorithm>
#include <map>
#include <support/hash.hpp>
#include <support/shared_data.hpp>
#include <tgmap/tgmap.hpp>

#include <codec/round_trip.hpp>
#include <support/manifest_file.hpp>
#include "codec/szip/szip.hpp"

using namespace tgmap_test;
using tgmap::compression;

BOOST_AUTO_TEST_SUITE(reference_test)

namespace {

struct counts {
  std::size_t by_digest = 0, by_size = 0, absent = 0, lost = 0;
};

/// Returns true for szip streams with several padded intervals. libaec, and so the reference, reads wrong numbers from
/// them (§7.4), which are in the manifest. The library rejects these streams.
bool lost(const tgmap::codec::szip_parameters& with, std::size_t size) {
  return (with.flags & tgmap::codec::szip_pad_rsi) && size / with.sample_size > std::size_t{with.rsi} * with.block_size;
}

/// Undoes the filter byte by byte.
bytes unshuffled(const bytes& from, std::size_t element) {
  bytes out(from.size(), '\0');
  const std::size_t n = from.size() / element;
  for (std::size_t b = 0; b < element; ++b)
    for (std::size_t e = 0; e < n; ++e) out[e * element + b] = from[b * n + e];
  return out;
}

/// Converts to little-endian, as the hashes of the manifest.
bytes little_endian(bytes data, const tgmap::descriptor& descriptor) {
  const std::size_t unit = swap_unit(descriptor.dtype);
  if (descriptor.byte_order == tgmap::byte_order::big && unit > 1)
    for (std::size_t at = 0; at < data.size(); at += unit)
      std::reverse(data.begin() + static_cast<std::ptrdiff_t>(at),
                   data.begin() + static_cast<std::ptrdiff_t>(at + unit));
  return data;
}

std::size_t size_before_compression(const tgmap::descriptor& descriptor) {
  if (descriptor.encoding == tgmap::encoding::none)
    return size_bytes(descriptor.dtype, descriptor.element_count).value();
  const auto bits =
      descriptor.entries.find(descriptor.entries.find("sp_bits_per_value") ? "sp_bits_per_value" : "bits_per_value");
  return (descriptor.element_count * bits->as<std::uint64_t>() + 7) / 8;
}

void check_one(const tgmap::object& object, const nlohmann::json& expected, counts& count) {
  const auto descriptor = object.descriptor();
  if (!tgmap::codec::find_decompressor(descriptor.compression)) {
    ++count.absent;
    return;
  }
  tgmap::codec::codec_parameters parameters;
  const auto unreadable = tgmap::codec::read_codec_parameters(descriptor, false, parameters);
  BOOST_TEST_REQUIRE(!unreadable, unreadable.text());
  const std::size_t size = size_before_compression(descriptor);
  auto found = decompress(descriptor.compression, view_of(object.payload()), size, parameters);
  if (descriptor.compression == compression::szip && size > 0 && lost(parameters.szip, size)) {
    BOOST_TEST((found.why.code == tgmap::errc::codec_failed));
    ++count.lost;
    return;
  }
  BOOST_TEST_REQUIRE(!found.why, found.why.text());
  check_damaged(descriptor.compression, view_of(object.payload()), size, parameters);
  if (descriptor.encoding != tgmap::encoding::none) {
    ++count.by_size;
    return;
  }
  if (descriptor.filter == tgmap::filter::shuffle)
    found.data = unshuffled(found.data, descriptor.entries.find("shuffle_element_size")->as<std::uint64_t>());
  const bool lossy = descriptor.compression == compression::zfp || descriptor.compression == compression::sz3;
  const bytes data = lossy ? found.data : little_endian(found.data, descriptor);
  const auto& digest =
      descriptor.masks().empty() ? expected.at("decoded").at("sha256") : expected.at("substituted_sha256");
  BOOST_TEST(sha256(data) == digest.get<std::string>());
  ++count.by_digest;
}

}  // namespace

BOOST_AUTO_TEST_CASE(payloads_of_the_reference) {
  const auto shared = shared_data_or_skip("compressed payloads of the reference");
  if (!shared) return;
  const auto directory = *shared / "data" / "tgm" / "reference";
  std::map<std::string, counts> seen;
  for (const auto& one : manifest_of(directory)) {
    const auto name = one.at("file").get<std::string>();
    const tgmap::archive archive(directory / name, {.damage = tgmap::on_damage::skip});
    const auto& messages = one.at("messages");
    for (std::size_t m = 0; m < messages.size(); ++m) {
      const auto& objects = messages[m].at("objects");
      for (std::size_t o = 0; o < objects.size(); ++o) {
        const auto compression = objects[o].at("compression").get<std::string>();
        if (compression == "none") continue;
        BOOST_TEST_CONTEXT(name << ":" << m << ":" << o << ", " << compression)
        check_one(archive[m][o], objects[o], seen[compression]);
      }
    }
  }
  for (const auto& [name, count] : seen) {
    BOOST_TEST_MESSAGE(name << ": " << count.by_digest << " by digest, " << count.by_size << " by size, " << count.lost
                            << " lost");
    if (count.absent > 0) say_skipped(name + " of the reference", "no such codec in this build");
  }
  for (const auto& codec : tgmap::codec::decompressors())
    BOOST_TEST((seen[std::string(codec.name)].by_digest > 0) == codec.is_available(), codec.name);
}

BOOST_AUTO_TEST_SUITE_END()
