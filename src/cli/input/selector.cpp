// SPDX-License-Identifier: Apache-2.0
#include "cli/input/selector.hpp"

#include <fmt/format.h>

#include "cli/input/archives.hpp"
#include "cli/input/selection.hpp"
#include "cli/print/human_numbers.hpp"

namespace tgmap::cli {

namespace {

constexpr std::size_t problems_shown = 10;  // per target

}  // namespace

void tally::add(const tally& of) {
  seen += of.seen;
  taken += of.taken;
  problem_count += of.problem_count;
  for (const auto& each : of.problems)
    if (problems.size() < problems_shown) problems.push_back(each);
  more = more && of.more;
}

void tally::add_problem(const message& m, const failure& why) {
  ++problem_count;
  if (problems.size() < problems_shown) problems.emplace_back(m, why);
}

selector::selector(const selection_options& chosen) : wanted_(chosen.compiled()), objects_(chosen.objects) {}

void selector::look_at(const target& what, const message& m, const selector_callback& take, tally& sum) const {
  if (!objects_ && !what.objects) {
    key_lookup keys(m);
    return look_at(m, keys, std::nullopt, take, sum);
  }
  if (m.version() == 1) return;
  if (what.one_object()) return look_at_object(m, find_object(m, what), take, sum);
  failure why;
  const std::size_t count = m.size(why);
  if (why) return sum.add_problem(m, why);
  const bounds which = what.objects ? to_bounds(*what.objects, count) : bounds{0, count};
  for (auto j = which.begin; j < which.end && j < count && sum.more; ++j) {
    const object one = m.at(static_cast<std::size_t>(j), why);
    why ? sum.add_problem(m, why) : look_at_object(m, one, take, sum);
  }
}

void selector::look_at_object(const message& m, const object& one, const selector_callback& take, tally& sum) const {
  key_lookup keys(m, one);
  look_at(m, keys, one.index(), take, sum);
}

void selector::look_at(const message& m, key_lookup& keys, std::optional<std::size_t> object,
                       const selector_callback& take, tally& sum) const {
  ++sum.seen;
  failure why;
  const bool selected = wanted_.matches(keys, why);
  if (why) return sum.add_problem(m, why);
  if (!selected) return;
  ++sum.taken;
  try {
    sum.more = take(m, keys, object);
  } catch (const error& unreadable) {
    sum.add_problem(m, unreadable.details());
  }
}

void selector::report(const target& what, const archive& from, const tally& sum, session& run) const {
  for (const auto& [m, why] : sum.problems) run.report.failed(what.file, failure_in(m, why));
  if (sum.problem_count > sum.problems.size())
    run.report.failed(what.file, count_text(sum.problem_count - sum.problems.size(), "more problem") + " of this kind",
                      fmt::format("run `tgmap validate {}` to see all problems", what.file));
  if (sum.seen != 0 && sum.taken == 0 && sum.problem_count == 0 && !wanted_.selects_all())
    suggest_keys(what, from, run);
  report_damage(from, what.file, run);
}

/// An empty result may be correct, or caused by a misspelled key.
void selector::suggest_keys(const target& what, const archive& from, session& run) const {
  failure why;
  const message first = what.one_message() ? find_message(from, what) : from.at(0, why);
  if (why) return;
  key_lookup keys(first);
  for (const metadata_key& k : wanted_.keys()) {
    if (keys.find(k, why) || why) continue;
    const std::string near = keys.nearest_key(k.text());
    if (!near.empty())
      run.report.hint(
          fmt::format("{}: nothing is selected; there is no key '{}'; did you mean '{}'?", what.file, k.text(), near));
  }
}

}  // namespace tgmap::cli
