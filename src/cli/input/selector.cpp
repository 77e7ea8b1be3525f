// SPDX-License-Identifier: Apache-2.0
#include "cli/input/selector.hpp"

#include <fmt/format.h>

#include "cli/input/archives.hpp"
#include "cli/input/hash_mismatch.hpp"
#include "cli/input/selection.hpp"
#include "cli/print/human_numbers.hpp"

namespace tgmap::cli {

selector::selector(const selection_options& chosen, purpose what)
    : archives::selector(chosen.compiled(), chosen.objects, what), clauses_(chosen.clauses), is_plain_(chosen.plain) {}

std::optional<std::vector<std::size_t>> selector::matching_objects(const message& m) const {
  if (wanted().selects_all() || is_plain_ || m.version() == 1) return std::nullopt;
  const std::size_t count = m.size();
  std::vector<std::size_t> out;
  for (std::size_t j = 0; j < count; ++j)
    if (wanted().matches(m, m[j])) out.push_back(j);
  return count == 0 ? std::nullopt : std::optional(out);
}

void selector::visit(const target& what, const message& m, const indexed_selection& known,
                     const selector_callback& take, tally& sum) const {
  if (what.one_object() && m.version() != 1) find_object(m, what);
  archives::selector::visit(what, m, known, take, sum);
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
  const finished_selection done{what, from, wanted(), sum.known, clauses_, of_objects({}), sum.seen != 0};
  sum.taken != 0 || sum.problem_count != 0 ? run.selected.record_match(done, run)
                                           : run.selected.record_empty(done, run);
  report_damage(from, what.file, run);
}

}  // namespace tgmap::cli
