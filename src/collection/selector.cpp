// SPDX-License-Identifier: Apache-2.0
#include "collection/selector.hpp"

#include "collection/message_walk.hpp"

namespace tgmap::archives {

namespace {

constexpr std::size_t max_problems_kept = 10;

}  // namespace

void tally::add(const tally& of) {
  seen += of.seen;
  taken += of.taken;
  problem_count += of.problem_count;
  mismatches += of.mismatches;
  for (const auto& each : of.problems)
    if (problems.size() < max_problems_kept) problems.push_back(each);
  more = more && of.more;
}

void tally::add_problem(const message& m, const failure& why) {
  ++problem_count;
  if (why.code == make_error_code(errc::hash_mismatch)) ++mismatches;
  if (problems.size() < max_problems_kept) problems.emplace_back(m, why);
}

indexed_selection find_known(const archive_address& what, const archive& from, const selection& wanted,
                             bool of_objects) {
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

void selector::visit(const archive_address& what, const message& m, const indexed_selection& known,
                     const selector_callback& take, tally& sum) const {
  if (!of_objects(what)) {
    key_lookup keys(m);
    return visit(m, keys, std::nullopt, answer_for(known, m), take, sum);
  }
  if (m.version() == 1) return;
  if (what.one_object()) {
    const object one = m[static_cast<std::size_t>(object_numbers(m, what).begin)];
    return visit_object(m, one, index_answer::unknown, take, sum);
  }
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

tally selector::visit_all(const archive_address& what, const archive& from, const selector_callback& take,
                          const walk_progress& done) const {
  const indexed_selection known = this->known(what, from);
  tally sum{.seen = known.count(index_answer::no), .known = known};
  const auto visit_message = [&](const message& m) {
    visit(what, m, known, take, sum);
    return sum.more;
  };
  for_each_message(from, what, visit_message, known, done);
  return sum;
}

}  // namespace tgmap::archives
