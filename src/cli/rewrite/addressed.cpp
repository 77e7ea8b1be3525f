// SPDX-License-Identifier: Apache-2.0
#include "cli/rewrite/addressed.hpp"

#include "cli/input/archives.hpp"

namespace tgmap::cli {

addressed::addressed(const archive& from, const target& what, session& run) : offset_(what.offset) {
  if (!what.messages) {
    if (offset_) static_cast<void>(find_message(from, what));
    return;
  }
  if (what.one_message()) static_cast<void>(find_message(from, what));
  const bool from_end = what.messages->begin.value_or(0) < 0 || what.messages->end.value_or(0) < 0;
  if (from_end) scan_all(from, what, run);
  which_ = to_bounds(*what.messages, from_end ? from.size() : UINT64_MAX);
}

bool addressed::next_is(const message& m) {
  const std::uint64_t number = number_++;
  return offset_ ? m.offset() == *offset_ : number >= which_.begin && number < which_.end;
}

}  // namespace tgmap::cli
