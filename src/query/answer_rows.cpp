// SPDX-License-Identifier: Apache-2.0
#include "query/answer_rows.hpp"

#include <algorithm>
#include <utility>

#include "index_file/checked_records.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

using index_file::column_kind;
using index_file::listed_message;
using index_file::row_run;
using query::node;
using query::node_kind;

bool holds_for_item(const query::condition& wanted, std::span<const std::byte> item) {
  return query::holds(wanted, key_result(cbor_view(item)));
}

/// Evaluates a selection on all rows of an index at once. After a failure the answers are of no use.
class row_evaluation {
 public:
  row_evaluation(const index_file::reader& index, bool of_objects, failure& why)
      : index_(index), columns_(read_columns(index, why)), why_(&why), of_objects_(of_objects) {}

  row_answers run(const selection_tree& wanted) {
    if (!*why_ && (of_objects_ || !wanted.is_of_messages)) choose_rows(wanted.root);
    row_answers out = evaluate(wanted.root);
    if (of_objects_ || kind_ == row_kind::messages || *why_) return out;
    kind_ = row_kind::messages;
    return answers_of_messages(out, evaluate(wanted.root));
  }

  row_kind kind() const noexcept { return kind_; }
  std::vector<std::string> take_missing_keys() noexcept { return std::move(missing_keys_); }

  /// Counts messages, or objects, by answer.
  std::array<std::uint64_t, 3> counts(const row_answers& of) {
    const auto sum = [&](const row_bits& rows) {
      objects_left_ = index_.facts().objects;
      if (!of_objects_ || kind_ == row_kind::objects) return rows.count();
      std::uint64_t out = 0;
      for (std::uint64_t begin = rows.next(0); begin < rows.size() && !*why_;) {
        const std::uint64_t end = rows.end_of_run(begin);
        out += objects_of({begin, end}).count();
        begin = rows.next(end);
      }
      return out;
    };
    const std::uint64_t yes = sum(of.selected), possible = sum(of.possible);
    const std::uint64_t all = of_objects_ ? index_.facts().objects : index_.facts().messages;
    return {possible - yes, all - std::min(possible, all), yes};  // unknown, no, yes
  }

  row_bits unlisted() {
    row_bits out(index_.facts().messages);
    read_rows(column_kind::unlisted_objects, [&](row_run rows) { out.set(rows, true); });
    return out;
  }

 private:
  /// Rows are objects if one of the keys describes objects.
  void choose_rows(const node& wanted) {
    for (const node& child : wanted.children) choose_rows(child);
    if (wanted.kind != node_kind::condition) return;
    for (const named_column& each : columns_)
      if (each.record.kind == column_kind::objects && each.name == wanted.condition.key.text())
        kind_ = row_kind::objects;
  }

  std::uint64_t rows() const noexcept {
    return kind_ == row_kind::objects ? index_.facts().objects : index_.facts().messages;
  }

  row_answers evaluate(const node& wanted) {
    if (*why_) return {};
    switch (wanted.kind) {
      case node_kind::condition: return evaluate(wanted.condition);
      case node_kind::negation: {
        row_answers out = evaluate(wanted.children.front());
        out.invert();
        return out;
      }
      case node_kind::all_of:
      case node_kind::any_of: break;
    }
    row_answers out = evaluate(wanted.children.front());
    for (auto child = wanted.children.begin() + 1; child != wanted.children.end() && !*why_; ++child) {
      const row_answers next = evaluate(*child);
      if (*why_) break;
      if (wanted.kind == node_kind::all_of) {
        out.selected.intersect(next.selected);
        out.possible.intersect(next.possible);
      } else {
        out.selected.unite(next.selected);
        out.possible.unite(next.possible);
      }
    }
    return out;
  }

  row_answers evaluate(const query::condition& wanted) {
    row_answers out = row_answers::unknown(rows());
    bool is_known = false;
    objects_left_ = 2 * index_.facts().objects;  // each gets the answer without a value, and that of its value
    std::uint64_t objects_from = UINT64_MAX;     // the first object that has a value of its own
    for (const named_column& each : columns_)
      if (each.record.kind == column_kind::objects && each.name == wanted.key.text())
        objects_from = std::min(objects_from, each.record.first_row);
    for (const named_column& each : columns_) {
      if (*why_) break;
      if (each.name.empty() || each.name != wanted.key.text() || each.record.kind == column_kind::other_keys) continue;
      is_known = true;
      const bool are_objects = each.record.kind == column_kind::objects;
      if (are_objects && kind_ == row_kind::objects)
        set_answers(wanted, each, out, [](row_run rows) { return rows; });
      else if (!are_objects && kind_ == row_kind::messages)
        set_answers(wanted, each, out, [](row_run rows) { return rows; });
      else if (!are_objects)
        set_answers(wanted, each, out, [&](row_run rows) {
          const row_run objects = objects_of(rows);
          return row_run{std::min(objects.begin, objects_from), std::min(objects.end, objects_from)};
        });
    }
    if (!is_known && std::ranges::find(missing_keys_, wanted.key.text()) == missing_keys_.end())
      missing_keys_.push_back(wanted.key.text());
    if (is_known) forget_undescribed(out);
    return out;
  }

  /// Sets the answers of the rows of a column. `rows_of` gives the rows of the answers.
  template <class RowsOf>
  void set_answers(const query::condition& wanted, const named_column& column, row_answers& out, RowsOf&& rows_of) {
    const auto answer_of = [](bool holds) { return holds ? index_answer::yes : index_answer::no; };
    const bool without = query::holds(wanted, key_result());  // rows without the key
    out.set(rows_of(row_run{column.record.first_row, column.record.first_row + column.record.rows}),
            answer_of(without));
    const auto take = [&](std::span<const std::byte> item, row_run rows) {
      out.set(rows_of(rows), item.empty() ? index_answer::unknown : answer_of(!without));
    };
    if (failure why = read_column(index_, column, take, [&](std::span<const std::byte> item) {
          return holds_for_item(wanted, item) != without;
        }))
      *why_ = why;
  }

  /// Rows that no column describes are unknown.
  void forget_undescribed(row_answers& out) {
    if (kind_ == row_kind::objects)
      return read_rows(column_kind::undescribed_objects, [&](row_run rows) { out.set(rows, index_answer::unknown); });
    read_rows(column_kind::undescribed_messages, [&](row_run rows) { out.set(rows, index_answer::unknown); });
    if (of_objects_)
      read_rows(column_kind::unlisted_objects, [&](row_run rows) { out.set(rows, index_answer::unknown); });
  }

  template <class F>
  void read_rows(column_kind kind, F&& take) {
    for (const named_column& each : columns_) {
      if (each.record.kind != kind || *why_) continue;
      if (failure why = read_column(index_, each, [&](auto, row_run rows) { take(rows); })) *why_ = why;
    }
  }

  /// Returns the answers for messages: of those with objects from `objects`, of the others from `messages`.
  row_answers answers_of_messages(const row_answers& objects, const row_answers& messages) {
    row_answers out{row_bits(rows()), row_bits(rows())};
    std::uint64_t message = 0;
    for (std::uint64_t j = objects.possible.next(0); j < objects.possible.size() && !*why_;) {
      message = message_of(j, message);
      const row_run of = objects_of({message, message + 1});
      const std::uint64_t end = std::max(j + 1, std::min(of.end, objects.possible.size()));
      const bool is_selected = objects.selected.next(j) < end;
      out.set({message, message + 1}, is_selected ? index_answer::yes : index_answer::unknown);
      j = objects.possible.next(end);
    }
    for (std::uint64_t i = messages.possible.next(0); i < rows() && !*why_; i = messages.possible.next(i + 1))
      if (const row_run of = objects_of({i, i + 1}); of.end <= of.begin) out.set({i, i + 1}, messages.at(i));
    return out;
  }

  /// Returns the message of an object, which is not before `from`. Tries the place where it is if all messages have
  /// equally many objects, which takes one page; then the next messages from `from` on.
  std::uint64_t message_of(std::uint64_t object, std::uint64_t from) {
    const double share = static_cast<double>(object) / static_cast<double>(index_.facts().objects);
    const auto likely = static_cast<std::uint64_t>(share * static_cast<double>(index_.facts().messages));
    if (likely > from && first_object(likely) <= object && object < first_object(likely + 1)) return likely;
    std::uint64_t low = from, high = index_.facts().messages;  // the last message that begins at or before the object
    for (std::uint64_t step = 1; low + step < high && !*why_; step *= 2) {
      if (first_object(low + step) > object)
        high = low + step;
      else
        low += step;
    }
    while (high - low > 1 && !*why_) {
      const std::uint64_t middle = low + (high - low) / 2;
      (first_object(middle) <= object ? low : high) = middle;
    }
    return low;
  }

  std::uint64_t first_object(std::uint64_t message) {
    listed_message record;
    if (message >= index_.facts().messages) return index_.facts().objects;
    if (failure why = index_file::read_message(index_, message, record)) *why_ = why;
    return record.first_object;
  }

  /// Returns the objects of messages. Calls for one pass give no object twice, so an index takes no more time than it
  /// has objects.
  row_run objects_of(row_run messages) {
    const row_run out{first_object(messages.begin), first_object(messages.end)};
    if (!*why_ && (out.begin > out.end || out.count() > objects_left_))
      *why_ = {.code = errc::index_mismatch, .expected = objects_left_, .found = out.end, .message = messages.begin};
    if (*why_) return {};
    objects_left_ -= out.count();
    return out;
  }

  const index_file::reader& index_;
  const std::vector<named_column> columns_;
  failure* why_;
  bool of_objects_;
  row_kind kind_ = row_kind::messages;
  std::uint64_t objects_left_ = 0;  ///< that the pass may still give
  std::vector<std::string> missing_keys_{};
};

}  // namespace

std::shared_ptr<const answer_rows> answer_rows::find(std::shared_ptr<const index_file::reader> index,
                                                     const selection_tree& wanted, bool of_objects, failure& why) {
  row_evaluation all(*index, of_objects, why);
  std::shared_ptr<answer_rows> out(new answer_rows(std::move(index), of_objects));
  if (!why) out->answers_ = all.run(wanted);
  if (!why) out->counts_ = all.counts(out->answers_);
  out->kind_ = all.kind();
  out->missing_keys_ = all.take_missing_keys();
  if (!why && out->kind_ == row_kind::objects) out->unlisted_ = all.unlisted();
  return why ? nullptr : std::move(out);
}

/// Finds the objects of a message that the index lists. Returns false if they are not listed or cannot be read.
bool answer_rows::objects_of(std::uint64_t message, row_run& out) const noexcept {
  listed_message record;
  if (message >= index_->facts().messages || index_file::read_message(*index_, message, record) ||
      record.has_unlisted_objects)
    return false;
  const std::uint64_t all = index_->facts().objects;
  if (!wire::fits(record.first_object, record.objects, all)) return false;
  out = {record.first_object, record.first_object + record.objects};
  return true;
}

index_answer answer_rows::answer(std::uint64_t message) const noexcept {
  if (kind_ == row_kind::messages) return answers_.at(message);
  row_run objects;
  if (!objects_of(message, objects)) return index_answer::unknown;
  if (answers_.possible.next(objects.begin, objects.end) >= objects.end) return index_answer::no;
  for (std::uint64_t j = objects.begin; j < objects.end; ++j)
    if (!answers_.selected.contains(j)) return index_answer::unknown;
  return index_answer::yes;
}

index_answer answer_rows::answer(std::uint64_t message, std::uint64_t object) const noexcept {
  if (!of_objects_) return index_answer::unknown;
  if (kind_ == row_kind::messages) return answers_.at(message);
  row_run objects;
  if (!objects_of(message, objects) || object >= objects.count()) return index_answer::unknown;
  return answers_.at(objects.begin + object);
}

/// Finds the message of an object, which is not before `from`. Returns false if the index disagrees with itself.
bool answer_rows::find_message(std::uint64_t object, std::uint64_t from, std::uint64_t& out) const noexcept {
  std::uint64_t low = from, high = index_->facts().messages;  // the last message that begins at or before the object
  listed_message record;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (index_->read(middle, record)) return false;
    (record.first_object <= object ? low : high) = middle;
  }
  out = low;
  return !index_file::read_message(*index_, low, record) && record.first_object <= object &&
         object - record.first_object < record.objects;
}

std::uint64_t answer_rows::next(std::uint64_t message) const noexcept {
  if (message >= index_->facts().messages) return message;
  if (kind_ == row_kind::messages) return answers_.possible.next(message);
  // Once the index disagreed with itself, every message is read. Each call would search all objects in vain.
  if (disagrees_.load(std::memory_order_relaxed)) return message;
  listed_message record;
  std::uint64_t found = message;
  bool agrees = !index_file::read_message(*index_, message, record);
  const std::uint64_t object = agrees ? answers_.possible.next(record.first_object) : 0;
  if (agrees && object == answers_.possible.size()) return unlisted_.next(message);
  agrees = agrees && find_message(object, message, found);
  if (agrees) return unlisted_.next(message, found);
  disagrees_.store(true, std::memory_order_relaxed);
  return message;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
