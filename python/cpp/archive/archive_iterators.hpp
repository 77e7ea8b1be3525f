// SPDX-License-Identifier: Apache-2.0
// Iterators over the messages of an archive, and over what a selection matches.
#pragma once

#include <deque>
#include <tgmap/archive.hpp>
#include <tgmap/query/selection.hpp>

#include "cpp/handles/handles.hpp"
#include "cpp/interpreter/errors.hpp"
#include "cpp/metadata/missing_keys.hpp"

namespace tgmap_python {

/// A `message_iterator` finds messages while it goes on.
struct message_iterator {
  shared_archive from;
  std::size_t next = 0;

  py_message operator()() {
    tgmap::failure why;
    const std::size_t number = next;
    const bool is_known = number < from->archive.scan_progress().messages;
    const tgmap::message found = without_lock(!is_known, [&] { return from->archive.at(number, why); });
    if (why.code == tgmap::errc::out_of_range) throw nb::stop_iteration();
    raise_if(why, from->path);
    next = number + 1;
    return {from, found};
  }
};

/// A `selection_iterator` finds matches in batches, so that other threads run while keys are read.
template <class Range, class Match>
class selection_iterator {
 public:
  selection_iterator(shared_archive from, tgmap::selection wanted)
      : from_(std::move(from)), wanted_(wanted), range_(from_->archive, std::move(wanted)) {}

  Match next() {
    if (is_loading_) throw nb::value_error("another thread is using this iterator");
    if (batch_.empty() && !why_ && !ended_) {
      is_loading_ = true;
      without_lock(true, [&] { load(); });
      is_loading_ = false;
    }
    if (batch_.empty()) {
      raise_if(std::exchange(why_, {}));
      if (std::exchange(has_looked_for_keys_, true)) throw nb::stop_iteration();
      warn_of_keys(without_lock(true, [&] { return find_missing_keys(*from_, wanted_, has_matched_); }));
      throw nb::stop_iteration();
    }
    const Match out = batch_.front();
    batch_.pop_front();
    return out;
  }
  const shared_archive& from() const noexcept { return from_; }

 private:
  static constexpr std::size_t batch_size = 64;

  void load() {
    Match found;
    while (batch_.size() < batch_size) {
      if (!range_.next(found, why_)) {
        ended_ = !why_;
        return;
      }
      batch_.push_back(found);
      has_matched_ = true;
    }
  }

  shared_archive from_;
  tgmap::selection wanted_;
  Range range_;
  std::deque<Match> batch_{};
  tgmap::failure why_{};
  bool ended_ = false, is_loading_ = false, has_matched_ = false, has_looked_for_keys_ = false;
};

using found_messages = selection_iterator<tgmap::selected_messages, tgmap::selected_message>;
using found_objects = selection_iterator<tgmap::selected_objects, tgmap::selected_object>;

/// Lets Python iterate over them.
void register_archive_iterators(nb::module_&);

}  // namespace tgmap_python
