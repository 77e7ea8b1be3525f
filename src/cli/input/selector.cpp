// SPDX-License-Identifier: Apache-2.0
#include "cli/input/selector.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/input/archives.hpp"
#include "cli/input/hash_mismatch.hpp"
#include "cli/input/selection.hpp"
#include "cli/print/human_numbers.hpp"

namespace tgmap::cli {

namespace {

constexpr std::size_t problems_shown = 10;  // per target

}  // namespace

void tally::add(const tally& of) {
  *this += of;
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

selector::selector(const selection_options& chosen, search_purpose purpose)
    : wanted_(chosen.compiled()),
      clauses_(chosen.clauses),
      objects_(chosen.objects),
      is_plain_(chosen.plain),
      purpose_(purpose) {}

selection_search search_in(const target& what, const archive& from, const selection& wanted, bool of_objects,
                           search_purpose purpose) {
  const bool use_index = !what.offset && !what.one_message();
  return {from, wanted, {.of_objects = of_objects, .purpose = purpose, .use_index = use_index}};
}

selection_search selector::search(const target& what, const archive& from) const {
  return search_in(what, from, wanted_, objects_ || what.objects, purpose_);
}

void selector::visit(const target& what, const message& m, const selection_search& search, const match_receiver& take,
                     search_counts& counts) {
  if (!what.objects || m.version() == 1) return static_cast<void>(search.visit(m, take, counts));
  if (what.one_object()) return static_cast<void>(search.visit(m, find_object(m, what), take, counts));
  failure why;
  const std::size_t count = m.size(why);
  if (why) return static_cast<void>(take({.message = m}, why));
  const number_bounds which = to_bounds(*what.objects, count);
  search.visit(m, static_cast<std::size_t>(which.begin),
               static_cast<std::size_t>(std::min<std::uint64_t>(which.end, count)), take, counts);
}

void selector::visit(const target& what, const message& m, const selection_search& search,
                     const selector_callback& take, tally& sum) {
  const auto receive = [&](const search_match& found, const failure& why) {
    if (why) return sum.add_problem(m, why), true;
    const auto object = found.index ? std::optional<std::size_t>(*found.index) : std::nullopt;
    try {
      sum.more = take(m, *found.keys, object);
    } catch (const error& unreadable) {
      sum.add_problem(m, unreadable.details());
    }
    return sum.more;
  };
  visit(what, m, search, receive, static_cast<search_counts&>(sum));
}

std::optional<std::vector<std::size_t>> selector::matching_objects(const message& m) const {
  if (wanted_.selects_all() || is_plain_ || m.version() == 1) return std::nullopt;
  if (m.size() == 0) return std::nullopt;
  std::vector<std::size_t> out;
  const auto take = [&](const search_match& found, const failure& why) {
    if (why) throw error(why);
    out.push_back(static_cast<std::size_t>(*found.index));
    return true;
  };
  search_counts ignored;
  selection_search({}, wanted_, {.of_objects = true, .use_index = false}).visit(m, take, ignored);
  return out;
}

tally selector::visit_all(const target& what, const archive& from, session& run, const selector_callback& take) const {
  const selection_search search = this->search(what, from);
  tally sum;
  sum.known = search.known();
  sum.seen = sum.known.count(index_answer::no);
  const auto visit_message = [&](const message& m) {
    visit(what, m, search, take, sum);
    return sum.more;
  };
  for_each_message(from, what, run, visit_message, sum.known);
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
