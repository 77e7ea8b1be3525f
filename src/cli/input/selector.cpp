// SPDX-License-Identifier: Apache-2.0
#include "cli/input/selector.hpp"

#include <fmt/format.h>

#include "cli/input/archives.hpp"
#include "cli/input/hash_mismatch.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/selection_outcome.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/progress.hpp"

namespace tgmap::cli {

selector::selector(const selection_options& chosen, search_purpose purpose)
    : archives::selector(chosen.compiled(), chosen.objects, purpose),
      clauses_(chosen.clauses),
      is_plain_(chosen.plain) {}

void selector::visit(const target& what, const message& m, const selection_search& search, const match_receiver& take,
                     search_counts& counts) {
  if (what.one_object() && m.version() != 1)
    search.visit(m, find_object(m, what), take, counts);
  else
    archives::selector::visit(what, m, search, take, counts);
}

tally selector::visit_all(const target& what, const archive& from, session& run, const selector_callback& take) const {
  if (what.one_message()) {
    const message named = find_message(from, what);
    if (what.one_object() && named.version() != 1) static_cast<void>(find_object(named, what));
    return archives::selector::visit_all(what, from, take);
  }
  progress_bar bar(run, what.file, from.size_bytes());
  return archives::selector::visit_all(what, from, take, bar.callback());
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
