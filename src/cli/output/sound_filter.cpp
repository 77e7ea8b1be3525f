// SPDX-License-Identifier: Apache-2.0
#include "cli/output/sound_filter.hpp"

#include <fmt/format.h>

#include "cli/app/next_step.hpp"
#include "cli/input/archives.hpp"
#include "cli/print/human_numbers.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t problems_listed = 10;  // later ones are only counted

/// Returns true if the bytes are at fault, not what this release or build can do with them.
bool is_about_bytes(const failure& why) { return why.code != condition::unsupported; }

/// Checks what a copy does not touch: that the descriptors and the keys can be read.
failure read_objects(const message& m, std::optional<std::size_t> only) {
  failure why;
  if (m.version() == 1) return why;
  const std::size_t end = only ? *only + 1 : m.size(why);
  for (std::size_t j = only.value_or(0); j < end && !why; ++j) {
    const object one = m.at(j, why);
    if (!why) static_cast<void>(one.descriptor(why));
    if (!why) static_cast<void>(one.metadata(why));
    if (why && !is_about_bytes(why)) why = {};
    if (why) why.object = j;
  }
  return why;
}

}  // namespace

sound_filter::verdict sound_filter::check(const target& what, const message& m, std::optional<std::size_t> object) {
  if (mode_ == mode::off || m.is_incomplete()) return verdict::copy;  // incomplete messages are reported elsewhere
  failure why = object ? hashes_.check(what.file, m, *object) : hashes_.check(what.file, m);
  if (!why && leaves_out()) why = read_objects(m, object);
  if (!why) return verdict::copy;
  if (object && !is_hash_mismatch(why)) why.object = *object;
  if (!leaves_out()) {
    run_.report.failed_at(address_text(what.file, m, why), what.file, failure_in(m, why));
    return verdict::stop;
  }
  report(what, m, why);
  ++(is_hash_mismatch(why) ? mismatches_ : unreadable_);
  return verdict::leave_out;
}

void sound_filter::report(const target& what, const message& m, const failure& why) {
  run_.report.mark_damaged();
  if (left_out() < problems_listed)
    run_.report.say(
        fmt::format("{}: left out: {}", address_text(what.file, m, why), text_without_address(failure_in(m, why))));
}

void sound_filter::leave_out(const target& what, const tally& sum) {
  for (const auto& [m, why] : sum.problems) report(what, m, why);
  if (sum.problem_count != 0) run_.report.mark_damaged();
  unreadable_ += sum.problem_count;
}

void sound_filter::report(const std::string& output, std::string_view what) const {
  hashes_.report(run_);
  if (left_out() == 0) return;
  std::string causes;
  if (mismatches_ != 0) causes = fmt::format("{} with a hash that does not match", mismatches_);
  if (unreadable_ != 0) causes += fmt::format("{}{} that cannot be read", causes.empty() ? "" : ", ", unreadable_);
  run_.report.say(fmt::format("{}: {} left out: {}", output, count_text(left_out(), what), causes));
}

}  // namespace tgmap::cli
