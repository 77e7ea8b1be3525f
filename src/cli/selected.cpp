// SPDX-License-Identifier: Apache-2.0
// What is selected, one after another.
#include <algorithm>

#include "cli/archives.hpp"
#include "cli/chooser.hpp"
#include "cli/selection.hpp"

namespace tgmap::cli {

namespace {

/// On its way to who takes it.
class passage {
 public:
  passage(const selection_options& chosen, session& run, const selected_taker& take, const archive_opener& open)
      : chooser_(chosen), order_(parse_sort(chosen.sort)), limit_(chosen.limit), open_(open), run_(run), take_(take) {}

  void look_at(const target& what) {
    const archive from = open_(what);
    if (!order_.keys().empty()) pins_.push_back(from.pin());  // at once: what is kept outlives an error on the way
    const auto take = [&](const message& m, key_lookup& keys, std::optional<std::size_t> object) {
      if (order_.keys().empty()) return give(what, m, keys, object);
      kept_.push_back({order_.read(keys), &what, m, object});
      return true;
    };
    tally sum;
    for_each_message(from, what, run_, [&](const message& m) {
      chooser_.look_at(what, m, take, sum);
      return sum.more;
    });
    chooser_.report(what, from, sum, run_);
  }

  bool more() const noexcept { return more_; }

  /// Gives what was kept for its order.
  void finish() {
    const auto before = [&](const kept& a, const kept& b) { return comes_before(order_.keys(), a.values, b.values); };
    std::stable_sort(kept_.begin(), kept_.end(), before);
    for (const kept& each : kept_) {
      if (!more_ || given_ == limit_) return;
      run_.report.guard(each.of->file, [&] {
        key_lookup keys = each.object ? key_lookup(each.message, each.message[*each.object]) : key_lookup(each.message);
        give(*each.of, each.message, keys, each.object);
      });
    }
  }

 private:
  struct kept {
    sort_values values;
    const target* of;
    tgmap::message message;
    std::optional<std::size_t> object;
  };

  bool give(const target& what, const message& m, key_lookup& keys, std::optional<std::size_t> object) {
    return more_ = ++given_ <= limit_ && take_(what, m, keys, object) && given_ < limit_;
  }

  chooser chooser_;
  sort_reader order_;
  std::uint64_t limit_, given_ = 0;
  const archive_opener& open_;
  session& run_;
  const selected_taker& take_;
  std::vector<kept> kept_;
  std::vector<pin> pins_;
  bool more_ = true;
};

}  // namespace

void for_each_selected(const std::vector<target>& targets, const selection_options& chosen, session& run,
                       const selected_taker& take, object_lookup lookup) {
  for_each_selected(targets, chosen, run, take, [&](const target& what) { return open_archive(what, run, lookup); });
}

void for_each_selected(const std::vector<target>& targets, const selection_options& chosen, session& run,
                       const selected_taker& take, const archive_opener& open) {
  passage all(chosen, run, take, open);
  for (const target& t : targets)
    if (all.more()) run.report.guard(t.file, [&] { all.look_at(t); });
  all.finish();
}

}  // namespace tgmap::cli
