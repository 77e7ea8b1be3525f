// SPDX-License-Identifier: Apache-2.0
#include "cli/input/selection_outcome.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/input/archives.hpp"
#include "cli/print/human_numbers.hpp"

namespace tgmap::cli {

void selection_outcome::record_empty(const empty_selection& nothing, session& run) {
  if (nothing.wanted.selects_all() && nothing.what.whole_file()) return;  // an empty archive, which is not a mistake
  files_.insert(nothing.what.file);
  objects_ = nothing.objects || nothing.what.objects;
  has_address_ = has_address_ || !nothing.what.whole_file();
  any_seen_ = any_seen_ || nothing.any_seen;
  clauses_ = nothing.clauses;
  texts_.clear();
  for (const metadata_key& each : nothing.wanted.keys()) texts_.push_back(each.text());
  if (!any_ && nothing.any_seen) find_keys(nothing, run);
}

void selection_outcome::find_keys(const empty_selection& nothing, session& run) {
  if (!keys_) keys_.emplace(nothing.wanted.keys());
  for_each_message(nothing.from, nothing.what, run, [&](const message& m) {
    if (keys_->is_complete()) return false;
    if (examined_ == key_check::max_collected) {
      is_cut_ = true;
      return false;
    }
    ++examined_;
    if (!nothing.objects && !nothing.what.objects) {
      key_lookup keys(m);
      keys_->visit(m, keys);
      if (m.version() == 1 || keys_->is_complete() || m.size() == 0) return true;
      key_lookup of_object(m, m[0]);  // @object
      keys_->visit(m, of_object);
    } else if (m.version() != 1) {
      const bounds which = object_numbers(m, nothing.what);
      for (std::uint64_t j = which.begin; j < which.end && j < m.size() && !keys_->is_complete(); ++j) {
        key_lookup keys(m, m[static_cast<std::size_t>(j)]);
        keys_->visit(m, keys);
      }
    }
    return true;
  });
}

std::string selection_outcome::reason() const {
  const char* const what = objects_ ? "object" : "message";
  if (!any_seen_) return fmt::format("the {} has no {}s", has_address_ ? "address" : "archive", what);
  const auto missing = keys_ ? keys_->missing() : std::vector<metadata_key>();
  if (missing.empty()) return fmt::format("no {} matches '{}'", what, fmt::join(clauses_, "' and '"));
  if (is_cut_) return fmt::format("none of the first {} messages has the key '{}'", examined_, missing.front().text());
  return fmt::format("no {} has the key '{}'", what, missing.front().text());
}

std::string selection_outcome::next_step() const {
  const std::string& file = *files_.begin();
  if (!any_seen_) return fmt::format("run `tgmap ls {}` to see what there is", file);
  const auto missing = keys_ ? keys_->missing() : std::vector<metadata_key>();
  if (!missing.empty()) return absent_key_advice(missing.front(), keys_->nearest(missing.front()), file);
  if (std::any_of(clauses_.begin(), clauses_.end(), [](const std::string& each) {
        return each.find_first_of("\"'") == each.npos && each.find_first_of(",|") != each.npos;
      }))
    return "write / between alternatives, for example mars.param=2t/10u";
  return fmt::format("run `tgmap ls{} -p {} {}` to see the values", objects_ ? " --objects" : "",
                     fmt::join(texts_, ","), file);
}

void selection_outcome::report(reporter& to) const {
  if (!is_empty()) return;
  const std::string where = files_.size() == 1 ? *files_.begin() : count_text(files_.size(), "archive");
  to.hint(fmt::format("{}: nothing is selected: {}; {}", where, reason(), next_step()));
}

}  // namespace tgmap::cli
