// SPDX-License-Identifier: Apache-2.0
#include "cli/input/selector.hpp"

#include <fmt/format.h>

#include "cli/input/archives.hpp"
#include "cli/input/hash_mismatch.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/selection_outcome.hpp"
#include "cli/print/human_numbers.hpp"

namespace tgmap::cli {

selector::selector(const selection_options& chosen, search_purpose purpose)
    : archives::selector(chosen.compiled(), chosen.objects, purpose),
      clauses_(chosen.clauses),
      is_plain_(chosen.plain) {}

std::optional<std::vector<std::size_t>> selector::matching_objects(const message& m) const {
  if (wanted().selects_all() || is_plain_ || m.version() == 1) return std::nullopt;
  if (m.size() == 0) return std::nullopt;
  std::vector<std::size_t> out;
  const auto take = [&](const search_match& found, const failure& why) {
    if (why) throw error(why);
    out.push_back(static_cast<std::size_t>(*found.index));
    return true;
  };
  search_counts ignored;
  selection_search({}, wanted(), {.of_objects = true, .use_index = false}).visit(m, take, ignored);
  return out;
}

void selector::visit(const target& what, const message& m, const selection_search& search, const match_receiver& take,
                     search_counts& counts) {
  if (what.one_object() && m.version() != 1)
    search.visit(m, find_object(m, what), take, counts);
  else
    archives::selector::visit(what, m, search, take, counts);
}

tally selector::visit_all(const target& what, const archive& from, session& run, const selector_callback& take) const {
  const selection_search search = this->search(what, from);
  tally sum;
  sum.known = search.known();
  sum.seen = sum.known.count(index_answer::no);
  const match_receiver receive = archives::receiver_of(take, sum);
  const auto visit_message = [&](const message& m) {
    visit(what, m, search, receive, sum);
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
  const finished_selection done{what, from, wanted(), sum.known, clauses_, of_objects({}), sum.seen != 0};
  selection_outcome& outcome = selection_outcome::of(run);
  sum.taken != 0 || sum.problem_count != 0 ? outcome.record_match(done, run) : outcome.record_empty(done, run);
  report_damage(from, what.file, run);
}

}  // namespace tgmap::cli
