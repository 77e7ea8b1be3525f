// SPDX-License-Identifier: Apache-2.0
// Reads the values of keys in all messages or objects of an archive.
#include <tgmap/query/key_columns.hpp>

#include <algorithm>
#include <cerrno>
#include <new>
#include <optional>
#include <tgmap/decode/executor.hpp>
#include <tgmap/enum_names.hpp>
#include <utility>

#include "archive/access.hpp"
#include "core/text/enum_table.hpp"
#include "query/columns/column_builder.hpp"
#include "query/columns/indexed_table.hpp"
#include "query/columns/key_walker.hpp"
#include "query/selection_rule.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using detail::column_builder;
using detail::found_items;
using detail::key_walker;
using detail::selection_rule;

failure canceled() noexcept { return {.code = {ECANCELED, std::system_category()}}; }

/// A `key_plan` is what all threads read alike.
struct key_plan {
  const archive& from;
  std::span<const metadata_key> keys;
  const key_columns_options& options;
  indexed_selection known{};
  key_walker walker{};
  std::vector<std::optional<std::size_t>> paths{};  ///< of each key, in the walker; nothing: it is looked up

  void plan_paths() {
    for (const metadata_key& each : keys)
      paths.push_back(key_walker::accepts(each.text()) ? std::optional(walker.add(each.text())) : std::nullopt);
  }
  bool selects() const noexcept { return !options.where.selects_all(); }
};

/// A `lazy_lookup` is a lookup in a message, or in one of its objects, which is made at its first use.
class lazy_lookup {
 public:
  explicit lazy_lookup(const message& in, std::optional<std::size_t> object = {}) : in_(&in), object_(object) {}

  /// Errors: those of message::at. Returns null after an error.
  key_lookup* get(failure& why) {
    if (made_) return &*made_;
    if (!object_) return &made_.emplace(*in_);
    const object of = in_->at(*object_, why);
    return why ? nullptr : &made_.emplace(*in_, of);
  }

 private:
  const message* in_;
  std::optional<std::size_t> object_;
  std::optional<key_lookup> made_{};
};

/// A `row_reader` reads the rows of consecutive messages.
class row_reader {
 public:
  explicit row_reader(const key_plan& plan)
      : plan_(&plan),
        rule_(plan.options.where, plan.known),
        walker_(plan.walker),
        own_(walker_.path_count()),
        wide_(walker_.path_count()),
        columns_(plan.keys.size()) {}

  /// Reads the messages [begin, end) that may be selected.
  void read(std::size_t begin, std::size_t end) noexcept try {
    why_ = {};
    for (std::size_t i = plan_->known.next(begin); i < end; i = plan_->known.next(i + 1)) {
      if (plan_->options.stop.stop_requested()) {
        why_ = canceled();
        return;
      }
      const std::size_t rows = messages_.size();
      failure why;
      read_message(i, why);
      if (!why) continue;
      resize(rows);
      if (!plan_->options.skip_unread) {
        why_ = why;
        return;
      }
      unread_.push_back({i, why});
    }
  } catch (const std::bad_alloc&) {
    why_ = {.code = errc::out_of_memory};
  }

  const failure& why() const noexcept { return why_; }

  void append(row_reader& next) {
    messages_.insert(messages_.end(), next.messages_.begin(), next.messages_.end());
    objects_.insert(objects_.end(), next.objects_.begin(), next.objects_.end());
    unread_.insert(unread_.end(), next.unread_.begin(), next.unread_.end());
    for (std::size_t k = 0; k < columns_.size(); ++k) columns_[k].append(std::exchange(next.columns_[k], {}));
    next.messages_.clear();
    next.objects_.clear();
    next.unread_.clear();
  }

  key_columns finish() {
    key_columns out;
    out.messages = std::move(messages_);
    out.objects = std::move(objects_);
    out.unread = std::move(unread_);
    for (std::size_t k = 0; k < columns_.size(); ++k) out.columns.push_back(columns_[k].finish(plan_->keys[k].text()));
    return out;
  }

 private:
  void resize(std::size_t rows) {
    messages_.resize(rows);
    if (plan_->options.of_objects) objects_.resize(rows);
    for (column_builder& each : columns_) each.resize(rows);
  }

  void read_message(std::size_t i, failure& why) {
    const message in = plan_->from.at(i, why);
    if (why) return;
    if (in.version() == 1) {  // it has no metadata
      if (!plan_->options.of_objects) read_version_1(i, in, why);
      return;
    }
    const message_summary summary = in.summary(why);
    if (why) return;
    wide_.clear();
    const bool is_walked = walker_.path_count() == 0 || walk(summary.message_metadata, wide_, why);
    if (why) return;
    if (plan_->options.of_objects)
      read_objects(i, in, summary, is_walked, why);
    else
      read_whole(i, in, summary, is_walked, why);
  }

  void read_version_1(std::size_t i, const message& in, failure& why) {
    lazy_lookup lookup(in);
    if (find_match(lookup, in, {}, rule_.answer(i, {}), why)) add_looked_up(i, lookup, why);
  }

  /// Adds the row of a message: a path is looked up in the first object that the selection matches, without a selection
  /// in each object in order, and then in the message-wide keys.
  void read_whole(std::size_t i, const message& in, const message_summary& summary, bool is_walked, failure& why) {
    lazy_lookup lookup(in);
    const selection_match found = find_match(lookup, in, {}, rule_.answer(i, {}), why);
    if (!found) return;
    own_.clear();
    const auto begin = static_cast<std::size_t>(found.object.value_or(0));
    const std::size_t end = found.object ? begin + 1 : summary.object_count;
    for (std::size_t j = begin; is_walked && j < end; ++j) {
      const metadata keys = j == 0 ? summary.first_object_metadata : in.base(j, why);
      is_walked = !why && walk(keys, own_, why);
      if (why) return;
      if (has_all(own_)) break;
    }
    add_row(i, lookup, is_walked, why);
  }

  void read_objects(std::size_t i, const message& in, const message_summary& summary, bool is_wide_walked,
                    failure& why) {
    std::size_t next = 0;
    rule_.each_object(i, next, summary.object_count, [&](std::size_t j, index_answer answer) {
      lazy_lookup lookup(in, j);
      if (!find_match(lookup, in, j, answer, why)) return !why;
      own_.clear();
      bool is_walked = is_wide_walked;
      if (is_walked && walker_.path_count() > 0) {
        const metadata keys = j == 0 ? summary.first_object_metadata : in.base(j, why);
        is_walked = !why && walk(keys, own_, why);
      }
      if (!why) add_row(i, lookup, is_walked, why);
      if (!why) objects_.push_back(j);
      return !why;
    });
  }

  /// Finds the items in a copy: the bytes of a mapped file may disappear.
  bool walk(const metadata& keys, found_items& out, failure& why) {
    const auto copy = metadata_copy::of(keys, why);
    return !why && walker_.walk(copy.keys(), out);
  }

  bool has_all(const found_items& in) const noexcept {
    for (std::size_t path = 0; path < walker_.path_count(); ++path)
      if (!in.has(path)) return false;
    return true;
  }

  /// Without a selection, no keys are looked up.
  selection_match find_match(lazy_lookup& lookup, const message& in, optional_index object, index_answer known,
                             failure& why) const {
    if (!plan_->selects()) return {.is_match = true};
    key_lookup* const keys = lookup.get(why);
    return keys == nullptr ? selection_match() : rule_.first_match(*keys, in, object, known, why);
  }

  void add_row(std::size_t i, lazy_lookup& lookup, bool is_walked, failure& why) {
    if (!is_walked) return add_looked_up(i, lookup, why);
    for (std::size_t k = 0; k < columns_.size() && !why; ++k) {
      const auto& path = plan_->paths[k];
      if (path && own_.has(*path))
        columns_[k].add_item(own_.item(*path));
      else if (path && wide_.has(*path))
        columns_[k].add_item(wide_.item(*path));
      else if (path && plan_->keys[k].text() != "name")
        columns_[k].add_missing();
      else
        look_up(k, lookup, why);  // the descriptor may have a name
    }
    messages_.push_back(i);
  }

  void add_looked_up(std::size_t i, lazy_lookup& lookup, failure& why) {
    for (std::size_t k = 0; k < columns_.size() && !why; ++k) look_up(k, lookup, why);
    messages_.push_back(i);
  }

  void look_up(std::size_t k, lazy_lookup& lookup, failure& why) {
    if (key_lookup* const keys = lookup.get(why)) columns_[k].add(keys->find(plan_->keys[k], why));
  }

  const key_plan* plan_;
  selection_rule rule_;
  key_walker walker_;
  found_items own_, wide_;  // of the current object, and of the message
  std::vector<column_builder> columns_;
  std::vector<std::uint64_t> messages_{}, objects_{};
  std::vector<unread_message> unread_{};
  failure why_{};
};

/// Reads all messages, in batches that the threads share.
key_columns read_all(const key_plan& plan, std::size_t messages, failure& why) {
  constexpr std::size_t batch = 1024;
  row_reader all(plan);
  executor* const threads = plan.options.executor;
  if (threads == nullptr || threads->concurrency() == 1 || messages <= batch) {
    all.read(0, messages);
    why = all.why();
    return why ? key_columns() : all.finish();
  }
  struct task_context {
    std::vector<row_reader> readers{};
    std::size_t begin = 0, messages = 0;
  } tasks;
  tasks.messages = messages;
  for (unsigned t = 0; t < 4 * threads->concurrency(); ++t) tasks.readers.emplace_back(plan);
  for (; tasks.begin < messages; tasks.begin += batch * tasks.readers.size()) {
    threads->run(tasks.readers.size(), {[](void* context, std::size_t t) noexcept {
                                          auto& all_tasks = *static_cast<task_context*>(context);
                                          const std::size_t begin = all_tasks.begin + t * batch;
                                          all_tasks.readers[t].read(begin, std::min(begin + batch, all_tasks.messages));
                                        },
                                        &tasks});
    for (row_reader& each : tasks.readers) {
      why = each.why();
      if (why) return {};
      all.append(each);
    }
  }
  return all.finish();
}

}  // namespace

key_columns read_key_columns(const archive& from, std::span<const metadata_key> keys,
                             const key_columns_options& options, failure& why) noexcept try {
  from.scan(UINT64_MAX, options.stop, why);
  if (!why && options.stop.stop_requested()) why = canceled();
  if (why) return {};
  const std::size_t messages = from.size(why);
  key_plan plan{.from = from, .keys = keys, .options = options};
  if (!why && options.of_objects) plan.known = indexed_selection::of_objects(from, options.where, why);
  if (!why && !options.of_objects) plan.known = indexed_selection::of_messages(from, options.where, why);
  if (why) return {};
  key_columns by_index;
  if (detail::read_indexed_table(from, keys, options, plan.known, by_index, why)) return by_index;
  if (why) return {};
  plan.plan_paths();
  return read_all(plan, messages, why);
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

key_columns read_key_columns(const archive& from, std::span<const metadata_key> keys,
                             const key_columns_options& options) {
  return detail::or_throw([&](failure& why) { return read_key_columns(from, keys, options, why); });
}

TGMAP_ENUM_NAMES(column_type, 0, "none", "boolean", "integer", "unsigned_integer", "floating", "text")

}  // namespace v0
}  // namespace tgmap
