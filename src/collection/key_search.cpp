// SPDX-License-Identifier: Apache-2.0
#include "collection/key_search.hpp"

#include <algorithm>

#include "collection/message_walk.hpp"

namespace tgmap::archives {

namespace {

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

void key_search::add_indexed(const indexed_selection& known) {
  if (known.count(index_answer::yes) + known.count(index_answer::no) + known.count(index_answer::unknown) == 0) return;
  const std::vector<std::string> missing = known.missing_keys();
  for (const metadata_key& each : keys_)
    if (!contains(missing, each.text())) check_.add_found(each.text());
}

void key_search::add_matched(const selection& wanted) {
  std::vector<std::string> optional;
  for (const metadata_key& each : wanted.optional_keys()) optional.push_back(each.text());
  for (const metadata_key& each : keys_)
    if (!contains(optional, each.text())) check_.add_found(each.text());
}

/// Returns whether one more message may be examined, and counts it.
bool key_search::may_examine() {
  if (is_complete()) return false;
  is_cut_ = examined_ == max_;
  if (!is_cut_) ++examined_;
  return !is_cut_;
}

/// Looks in the objects of a message with numbers in [begin, end).
void key_search::visit(const message& m, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t j = begin; j < end && !is_complete(); ++j) {
    key_lookup keys(m, m[static_cast<std::size_t>(j)]);
    check_.visit(m, keys);
  }
}

void key_search::look_in_all(const archive_address& what, const archive& from, bool of_objects,
                             const walk_progress& done) {
  const auto look = [&](const message& m) {
    if (!may_examine()) return false;
    if (of_objects) {
      if (m.version() == 1) return true;
      const number_bounds which = object_numbers(m, what);
      visit(m, which.begin, std::min<std::uint64_t>(which.end, m.size()));
      return !is_complete();
    }
    key_lookup keys(m);
    check_.visit(m, keys);
    if (m.version() != 1 && !is_complete()) visit(m, 0, std::min<std::uint64_t>(m.size(), 1));  // @object
    return !is_complete();
  };
  for_each_message(from, what, look, {}, done);
}

void key_search::look_in_selected(const selector& chosen, const archive_address& what, const archive& from,
                                  bool of_objects, const walk_progress& done) {
  std::uint64_t searched = UINT64_MAX;  // offset of the last message whose objects were searched
  const selector_callback see = [&](const message& m, key_lookup& keys, std::optional<std::size_t>) {
    check_.visit(m, keys);
    // Selected objects of a message come one after another. The objects of the message are searched once.
    if (of_objects && m.version() != 1 && m.offset() != searched) {
      searched = m.offset();
      const std::size_t objects = m.size();
      any_objects_ = any_objects_ || objects != 0;
      visit(m, 0, objects);
    }
    return !is_complete();
  };
  tally sum;
  const match_receiver take = receiver_of(see, sum);
  const selection_search search = chosen.search(what, from);
  const auto look = [&](const message& m) {
    if (!may_examine()) return false;
    selector::visit(what, m, search, take, sum);
    return !is_complete();
  };
  for_each_message(from, what, look, search.known(), done);
  has_failed_ = has_failed_ || sum.problem_count != 0;
}

}  // namespace tgmap::archives
