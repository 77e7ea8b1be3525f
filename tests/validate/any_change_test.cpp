// SPDX-License-Identifier: Apache-2.0
// Changes each byte of sound archives: no change in bytes that a hash covers goes unnoticed.
#include <boost/test/unit_test.hpp>
#include <support/guarded.hpp>
#include <support/rounds.hpp>

#include "../corruption/victims.hpp"
#include "recorded_findings.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(any_change)

namespace {

/// Returns true for each byte that a hash of version 3 covers.
std::vector<bool> hashed_bytes(const bytes& data) {
  std::vector<bool> out(data.size());
  const auto archive = tgmap::archive::from_memory(span_of(data));
  for (const tgmap::message& m : archive) {
    if (m.version() != 3) continue;
    for (const tgmap::frame& f : m.frames()) {
      if (!f.stored_hash()) continue;
      const auto body = f.body();
      std::fill_n(out.begin() + (body.data() - span_of(data).data()), body.size(), true);
    }
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(sound_archives_are_sound) {
  for (const victim& each : victims())
    for (const auto mode : {tgmap::validation_mode::quick, tgmap::validation_mode::standard,
                            tgmap::validation_mode::checksum, tgmap::validation_mode::full}) {
      const auto found = check(each.data, mode);
      BOOST_TEST(found.result.is_sound(), each.name);
      BOOST_TEST(found.unclaimed.empty(), each.name);
    }
}

BOOST_AUTO_TEST_CASE(changed_bytes) {
  case_sampler cases(7);
  for (const victim& each : victims()) {
    const std::vector<bool> is_hashed = hashed_bytes(each.data);
    guarded_bytes memory(each.data.size());
    for (std::size_t i = 0; i < each.data.size(); ++i)
      for (const int change : {1, 0x80, 0xff}) {
        if (!cases.takes_next()) continue;
        bytes damaged = each.data;
        damaged[i] = static_cast<char>(damaged[i] ^ change);
        const auto data = memory.hold(damaged);  // followed by memory that cannot be read
        const auto archive = tgmap::archive::from_memory(data, {.damage = tgmap::on_damage::skip});
        const auto found =
            check(archive, {.mode = tgmap::validation_mode::full, .check_canonical = true, .threads = 1});
        if (is_hashed[i])
          BOOST_TEST(!found.result.is_sound(), each.name << ": byte " << i << " changed by " << change << " unnoticed");
      }
  }
}

BOOST_AUTO_TEST_CASE(cut_archives) {
  for (const victim& each : victims()) {
    guarded_bytes memory(each.data.size());
    for (std::size_t size = 1; size < each.data.size(); size += stride(3)) {
      const auto archive =
          tgmap::archive::from_memory(memory.hold(each.data.substr(0, size)), {.damage = tgmap::on_damage::skip});
      const auto found = check(archive, {.threads = 1});
      std::uint64_t seen = 0;
      for (const auto& m : found.messages) seen += archive.at_offset(m.offset).length();
      for (const auto& p : found.unclaimed) seen += p.length;
      BOOST_TEST(seen == size, each.name << " cut to " << size);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
