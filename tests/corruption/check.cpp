// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <algorithm>
#include <stdexcept>

namespace tgmap_test {

namespace {

tgmap::archive opened(std::span<const std::byte> data, tgmap::on_damage damage, tgmap::object_lookup lookup) {
  return tgmap::archive::from_memory(data, {.damage = damage, .lookup = lookup});
}

/// Checks that on_damage::stop finds what on_damage::skip finds before its first gap.
std::string stop_against_skip(const tgmap::archive& stop, const tgmap::archive& skip) {
  tgmap::failure why, none;
  const std::size_t count = stop.size(why);
  if (count > skip.size(none)) return "stopping finds more messages than skipping";
  for (std::size_t i = 0; i < count; ++i)
    if (stop.at(i, none).offset() != skip.at(i, none).offset()) return "stopping finds other messages than skipping";
  const auto gaps = skip.gaps();
  if (gaps.empty() != !why) return "stopping and skipping disagree about damage";
  if (gaps.empty()) return count == skip.size(none) ? "" : "stopping ends without a reason";
  if (why.code != tgmap::make_error_code(tgmap::errc::damaged)) return "stopping ends with another error";
  for (std::size_t i = 0; i < skip.size(none); ++i)
    if ((skip.at(i, none).offset() < gaps[0].begin) != (i < count))
      return "stopping ends elsewhere than at the first gap";
  return {};
}

/// Checks if a message of version 3 ends inside another message at its end, so that the end can be read in two ways.
bool can_be_read_in_two_ways(std::span<const std::byte> data, const tgmap::archive& forward) {
  tgmap::failure why;
  for (std::size_t i = 0; i < forward.size(why); ++i) {
    const auto m = forward.at(i, why);
    for (std::uint64_t at = m.offset() + 1; at + 48 <= m.offset() + m.length(); ++at) {
      const auto inner = data[at] == std::byte{'T'} ? forward.at_offset(at, why) : tgmap::message();
      if (inner.version() == 3 && inner.offset() + inner.length() == m.offset() + m.length()) return true;
    }
  }
  return false;
}

std::string from_end_against_scan(std::span<const std::byte> data, const tgmap::archive& forward) {
  tgmap::failure why;
  const std::size_t count = forward.size(why);
  const bool forged = can_be_read_in_two_ways(data, forward);
  for (std::size_t n = 0; n <= count; ++n) {
    const auto other = opened(data, tgmap::on_damage::skip, tgmap::object_lookup::index);
    auto found = other.nth_from_end(n, why);
    const auto differs = [&] {
      return n == count ? !why : why || found.offset() != forward.at(count - 1 - n, why).offset();
    };
    if (!differs()) continue;
    // Damage can forge a second reading; the completed scan wins.
    other.scan();
    found = other.nth_from_end(n, why);
    if (differs()) return "from_end(" + std::to_string(n) + ") is not what a scan has found";
    if (!forged) return "from_end(" + std::to_string(n) + ") is not what a scan finds";
  }
  return {};
}

/// Checks that all of `some` are in `all`.
bool contains_all(const std::vector<std::string>& some, const std::vector<std::string>& all) {
  return std::all_of(some.begin(), some.end(),
                     [&](const auto& one) { return std::find(all.begin(), all.end(), one) != all.end(); });
}

}  // namespace

damage_check::damage_check(const bytes& sound) : sound_(sound), memory_(sound.size() + 64) {
  const auto archive = opened(span_of(sound_), tgmap::on_damage::stop, tgmap::object_lookup::index);
  if (const auto broken = broken_invariant(archive); !broken.empty()) throw std::logic_error(broken);
  original_ = survey_of(archive);
  for (const auto& message : archive) {
    has_version_2_ = has_version_2_ || message.version() == 2;
    has_version_3_ = has_version_3_ || message.version() == 3;
  }
}

std::string damage_check::find_fault(const bytes& damaged) {
  ++checked_;
  const auto data = memory_.hold(damaged);
  const auto skip = opened(data, tgmap::on_damage::skip, tgmap::object_lookup::index);
  if (auto broken = broken_invariant(skip); !broken.empty()) return broken;
  const survey found = survey_of(skip);
  if (!found.contradiction.empty()) return found.contradiction;

  const auto walked = survey_of(opened(data, tgmap::on_damage::skip, tgmap::object_lookup::walk));
  if (found.whole && walked.whole && found.text != walked.text) return "index and walk both succeed and differ";
  const auto stop = opened(data, tgmap::on_damage::stop, tgmap::object_lookup::index);
  if (auto broken = stop_against_skip(stop, skip); !broken.empty()) return broken;
  if (auto broken = from_end_against_scan(data, skip); !broken.empty()) return broken;

  // If all hashes match, the bytes that they cover are intact: payloads in version 2, whole bodies in version 3. The
  // hash of a body does not tell where the payload ends in it. A frame whose first bytes are changed is padding by the
  // format (§2.5); nothing else may get lost.
  if (found.all_match && found.whole && found.messages == original_.messages && original_.all_match) {
    if (!has_version_2_ && !contains_all(found.bodies, original_.bodies))
      return "every digest matches and a body is another";
    if (!has_version_2_ && found.tight && found.bodies != original_.bodies)
      return "every digest matches and a body is lost";
    if (!has_version_3_ && !contains_all(found.payloads, original_.payloads))
      return "every digest matches and a payload is another";
  }
  unnoticed_ += found.whole && found.all_match;
  return {};
}

}  // namespace tgmap_test
