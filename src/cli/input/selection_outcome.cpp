// SPDX-License-Identifier: Apache-2.0
#include "cli/input/selection_outcome.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "cli/input/archives.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/print/human_numbers.hpp"

namespace tgmap::cli {

namespace {

/// Returns true if the index lists messages, so that a key that it has is in one of them.
bool is_indexed(const indexed_selection& known) noexcept {
  return known.count(index_answer::yes) + known.count(index_answer::no) + known.count(index_answer::unknown) != 0;
}

}  // namespace

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
  texts_.clear();
  for (const metadata_key& each : done.wanted.keys()) texts_.push_back(each.text());
  if (!keys_) keys_.emplace(done.wanted.keys());
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
  const std::vector<metadata_key> optional = done.wanted.optional_keys();
  for (const std::string& each : texts_)
    if (std::none_of(optional.begin(), optional.end(), [&](const auto& key) { return key.text() == each; }))
      keys_->add_found(each);
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

void selection_outcome::find_keys(const finished_selection& nothing, session& run) {
  if (!run.report.has_hints()) return;
  if (is_indexed(nothing.known)) {
    const std::vector<std::string> missing = nothing.known.missing_keys();
    for (const std::string& each : texts_)
      if (std::find(missing.begin(), missing.end(), each) == missing.end()) keys_->add_found(each);
  }
  if (keys_->is_complete()) return;
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
      const number_bounds which = object_numbers(m, nothing.what);
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
  return absence_of(missing.front());
}

std::string selection_outcome::absence_of(const metadata_key& key) const {
  if (is_cut_) return fmt::format("none of the first {} messages has the key '{}'", examined_, key.text());
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
  return fmt::format("run `tgmap ls{} -p {} {}` to see the values", objects_ ? " --objects" : "",
                     fmt::join(texts_, ","), file);
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
