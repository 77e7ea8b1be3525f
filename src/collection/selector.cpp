// SPDX-License-Identifier: Apache-2.0
#include "collection/selector.hpp"

#include <algorithm>

#include "collection/message_walk.hpp"

namespace tgmap::archives {

namespace {

constexpr std::size_t max_problems_kept = 10;

}  // namespace

void tally::add(const tally& of) {
  *this += of;
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

selection_search search_in(const archive_address& what, const archive& from, const selection& wanted, bool of_objects,
                           search_purpose purpose) {
  const bool use_index = !what.offset && !what.one_message();
  return {from, wanted, {.of_objects = of_objects, .purpose = purpose, .use_index = use_index}};
}

match_receiver receiver_of(const selector_callback& take, tally& sum) {
  return [&take, &sum](const search_match& found, const failure& why) {
    if (why) {
      sum.add_problem(found.message, why);
      return true;
    }
    try {
      sum.more =
          take(found.message, *found.keys, found.index ? std::optional<std::size_t>(*found.index) : std::nullopt);
    } catch (const error& unreadable) {
      sum.add_problem(found.message, unreadable.details());
    }
    return sum.more;
  };
}

void selector::visit(const archive_address& what, const message& m, const selection_search& search,
                     const match_receiver& take, search_counts& counts) {
  if (!what.objects || m.version() == 1) return static_cast<void>(search.visit(m, take, counts));
  if (what.one_object()) {
    const object one = m[static_cast<std::size_t>(object_numbers(m, what).begin)];
    return static_cast<void>(search.visit(m, one, take, counts));
  }
  failure why;
  const std::size_t count = m.size(why);
  if (why) return static_cast<void>(take({.message = m}, why));
  const number_bounds which = to_bounds(*what.objects, count);
  search.visit(m, static_cast<std::size_t>(which.begin),
               static_cast<std::size_t>(std::min<std::uint64_t>(which.end, count)), take, counts);
}

std::optional<std::vector<std::size_t>> selector::matching_objects(const message& m) const {
  if (wanted_.selects_all() || m.version() == 1) return std::nullopt;
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

tally selector::visit_all(const archive_address& what, const archive& from, const selector_callback& take,
                          const walk_progress& done) const {
  const selection_search search = this->search(what, from);
  tally sum;
  sum.known = search.known();
  sum.seen = sum.known.count(index_answer::no);
  const match_receiver receive = receiver_of(take, sum);
  const auto visit_message = [&](const message& m) {
    visit(what, m, search, receive, sum);
    return sum.more;
  };
  for_each_message(from, what, visit_message, sum.known, done);
  return sum;
}

}  // namespace tgmap::archives
