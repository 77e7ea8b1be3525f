// SPDX-License-Identifier: Apache-2.0
#include "cli/input/selector.hpp"

#include <fmt/format.h>

#include "cli/input/archives.hpp"
#include "cli/input/hash_mismatch.hpp"
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
  mismatches += of.mismatches;
  for (const auto& each : of.problems)
    if (problems.size() < problems_shown) problems.push_back(each);
  more = more && of.more;
}

void tally::add_problem(const message& m, const failure& why) {
  ++problem_count;
  if (is_hash_mismatch(why)) ++mismatches;
  if (problems.size() < problems_shown) problems.emplace_back(m, why);
}

selector::selector(const selection_options& chosen, purpose what)
    : wanted_(chosen.compiled()),
      clauses_(chosen.clauses),
      objects_(chosen.objects),
      is_plain_(chosen.plain),
      purpose_(what) {}

indexed_selection find_known(const target& what, const archive& from, const selection& wanted, bool of_objects) {
  if (what.offset || what.one_message()) return {};
  return of_objects ? indexed_selection::of_objects(from, wanted) : indexed_selection::of_messages(from, wanted);
}

index_answer answer_for(const indexed_selection& known, const message& m, std::optional<std::size_t> object) {
  const auto number = m.index();
  if (!number) return index_answer::unknown;
  return object ? known.answer(*number, *object) : known.answer(*number);
}

bool is_selected(const selection& wanted, key_lookup& keys, const message& m, std::optional<std::size_t> object,
                 index_answer known, failure& why) {
  const bool selected = wanted.first_match(keys, why).is_match;
  if (!why && !selected && known == index_answer::yes)
    why = {.code = errc::index_mismatch, .offset = m.offset(), .expected = 1, .message = m.index(), .object = object};
  return selected && !why;
}

indexed_selection selector::known(const target& what, const archive& from) const {
  return find_known(what, from, wanted_, objects_ || what.objects);
}

void selector::visit(const target& what, const message& m, const indexed_selection& known,
                     const selector_callback& take, tally& sum) const {
  if (!objects_ && !what.objects) {
    key_lookup keys(m);
    return visit(m, keys, std::nullopt, answer_for(known, m), take, sum);
  }
  if (m.version() == 1) return;
  if (what.one_object()) return visit_object(m, find_object(m, what), index_answer::unknown, take, sum);
  failure why;
  const std::size_t count = m.size(why);
  if (why) return sum.add_problem(m, why);
  const number_bounds which = what.objects ? to_bounds(*what.objects, count) : number_bounds{0, count};
  for (auto j = which.begin; j < which.end && j < count && sum.more; ++j) {
    const index_answer answer = answer_for(known, m, static_cast<std::size_t>(j));
    if (answer == index_answer::no) {
      ++sum.seen;
      continue;
    }
    const object one = m.at(static_cast<std::size_t>(j), why);
    why ? sum.add_problem(m, why) : visit_object(m, one, answer, take, sum);
  }
}

void selector::visit_object(const message& m, const object& one, index_answer answer, const selector_callback& take,
                            tally& sum) const {
  key_lookup keys(m, one);
  visit(m, keys, one.index(), answer, take, sum);
}

void selector::visit(const message& m, key_lookup& keys, std::optional<std::size_t> object, index_answer answer,
                     const selector_callback& take, tally& sum) const {
  ++sum.seen;
  if (purpose_ == purpose::count && answer == index_answer::yes) return;
  failure why;
  const bool selected = is_selected(wanted_, keys, m, object, answer, why);
  if (why) return sum.add_problem(m, why);
  if (!selected) return;
  ++sum.taken;
  try {
    sum.more = take(m, keys, object);
  } catch (const error& unreadable) {
    sum.add_problem(m, unreadable.details());
  }
}

std::optional<std::vector<std::size_t>> selector::matching_objects(const message& m) const {
  if (wanted_.selects_all() || is_plain_ || m.version() == 1) return std::nullopt;
  const std::size_t count = m.size();
  std::vector<std::size_t> out;
  for (std::size_t j = 0; j < count; ++j)
    if (wanted_.matches(m, m[j])) out.push_back(j);
  return count == 0 ? std::nullopt : std::optional(out);
}

tally selector::visit_all(const target& what, const archive& from, session& run, const selector_callback& take) const {
  const indexed_selection known = this->known(what, from);
  tally sum{.seen = known.count(index_answer::no), .known = known};
  const auto visit_message = [&](const message& m) {
    visit(what, m, known, take, sum);
    return sum.more;
  };
  for_each_message(from, what, run, visit_message, known);
  return sum;
}

void selector::report(const target& what, const archive& from, const tally& sum, session& run) const {
  for (const auto& [m, why] : sum.problems)
    run.report.failed_at(address_text(what.file, m, why), what.file, failure_in(m, why));
  if (sum.problem_count > sum.problems.size()) {
    const std::string rest = count_text(sum.problem_count - sum.problems.size(), "more problem") + " of this kind";
    const std::string next_step = fmt::format("run `tgmap validate {}` to see all problems", what.file);
    sum.mismatches == sum.problem_count ? run.report.damaged(what.file, rest, next_step)
                                        : run.report.failed(what.file, rest, next_step);
  }
  const finished_selection done{what, from, wanted_, sum.known, clauses_, objects_, sum.seen != 0};
  sum.taken != 0 || sum.problem_count != 0 ? run.selected.record_match(done, run)
                                           : run.selected.record_empty(done, run);
  report_damage(from, what.file, run);
}

}  // namespace tgmap::cli
