// SPDX-License-Identifier: Apache-2.0
#include "cli/input/selection_outcome.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "cli/input/required_keys.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/progress.hpp"

namespace tgmap::cli {

selection_outcome& selection_outcome::of(session& run) {
  if (!run.selected) run.selected = std::make_shared<selection_outcome>();
  return *run.selected;
}

void selection_outcome::note(const finished_selection& done) {
  files_.insert(done.what.file);
  objects_ = done.objects || done.what.objects;
  has_address_ = has_address_ || !done.what.whole_file();
  any_seen_ = any_seen_ || done.any_seen;
  clauses_ = done.clauses;
  if (!keys_) keys_.emplace(done.wanted.keys(), key_check::max_collected);
}

void selection_outcome::record_empty(const finished_selection& nothing, session& run) {
  if (nothing.wanted.selects_all() && nothing.what.whole_file()) return;  // an empty archive, which is not a mistake
  note(nothing);
  if (nothing.any_seen) find_keys(nothing, run);
}

void selection_outcome::record_match(const finished_selection& done, session& run) {
  any_ = true;
  if (done.wanted.selects_all()) return;
  note(done);
  keys_->add_matched(done.wanted);
  record_explained(done, run);
}

void selection_outcome::record_explained(const finished_selection& done, session& run) {
  any_ = true;
  note(done);
  try {
    find_keys(done, run);
  } catch (const error&) {
    keys_.emplace(std::vector<metadata_key>());  // the verb reports what it cannot read
  }
}

void selection_outcome::find_keys(const finished_selection& in, session& run) {
  if (!run.report.has_hints()) return;
  keys_->add_indexed(in.known);
  if (keys_->is_complete()) return;
  progress_bar bar(run, in.what.file, in.from.size_bytes());
  keys_->look_in_all(in.what, in.from, in.objects || in.what.objects, bar.callback());
}

std::string selection_outcome::reason() const {
  const char* const what = objects_ ? "object" : "message";
  if (!any_seen_) return fmt::format("the {} has no {}s", has_address_ ? "address" : "archive", what);
  const auto missing = keys_ ? keys_->missing() : std::vector<metadata_key>();
  if (missing.empty()) return fmt::format("no {} matches '{}'", what, fmt::join(clauses_, "' and '"));
  return absence_of(missing.front());
}

std::string selection_outcome::absence_of(const metadata_key& key) const {
  if (keys_->is_cut())
    return fmt::format("none of the first {} messages has the key '{}'", keys_->examined(), key.text());
  return fmt::format("no {}{} has the key '{}'", any_ && has_address_ ? "addressed " : "",
                     objects_ ? "object" : "message", key.text());
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
  std::vector<std::string_view> names;
  for (const metadata_key& each : keys_->keys()) names.push_back(each.text());
  return fmt::format("run `tgmap ls{} -p {} {}` to see the values", objects_ ? " --objects" : "", fmt::join(names, ","),
                     file);
}

void selection_outcome::report(reporter& to) const {
  if (files_.empty()) return;
  const std::string where = files_.size() == 1 ? *files_.begin() : count_text(files_.size(), "archive");
  if (any_) {
    for (const metadata_key& each : keys_->missing())
      to.hint(fmt::format("{}: {}; {}", where, absence_of(each),
                          absent_key_advice(each, keys_->nearest(each), *files_.begin())));
    return;
  }
  to.hint(fmt::format("{}: nothing is selected: {}; {}", where, reason(), next_step()));
}

}  // namespace tgmap::cli
