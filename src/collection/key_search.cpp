// SPDX-License-Identifier: Apache-2.0
#include "collection/key_search.hpp"

namespace tgmap::archives {

void key_search::look_in(const archive_address& what, const archive& in, const walk_progress& done) {
  if (!goes_on()) return;
  const selection_search wanted = selected_.search(what, in);
  const selector_callback take = [this](const message& m, key_lookup& keys, auto) { return see(m, keys); };
  tally sum;
  const match_receiver receive = receiver_of(take, sum);
  const auto search = [&](const message& m) {
    is_cut_ = how_.max_messages-- == 0;
    if (is_cut_) return false;
    selector::visit(what, m, wanted, receive, sum);
    return !check_.is_complete();
  };
  for_each_message(in, what, search, wanted.known(), done);
  has_failed_ = has_failed_ || sum.problem_count != 0;
}

bool key_search::see(const message& m, key_lookup& keys) {
  check_.visit(m, keys);
  // Selected objects of a message come one after another. The objects of the message are searched once.
  if (how_.in_objects && m.version() != 1 && m.offset() != searched_) {
    searched_ = m.offset();
    const std::size_t objects = m.size();
    any_objects_ = any_objects_ || objects != 0;
    for (std::size_t j = 0; j < objects && !check_.is_complete(); ++j) {
      key_lookup of_object(m, m[j]);
      check_.visit(m, of_object);
    }
  }
  return !check_.is_complete();
}

}  // namespace tgmap::archives
