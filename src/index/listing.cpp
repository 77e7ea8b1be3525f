// SPDX-License-Identifier: Apache-2.0
#include "index/listing.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <tgmap/decode/executor.hpp>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/scan/open_index.hpp"
#include "index_file/samples.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

constexpr std::size_t messages_per_batch = 1024;

/// Makes the record of a gap. Returns false if its failure has more than a record can hold.
bool make_record(const gap& from, std::uint64_t messages_before, index_file::listed_gap& out) {
  const failure& why = from.cause;
  out = {.begin = from.begin,
         .end = from.end,
         .messages_before = messages_before,
         .offset = why.offset,
         .expected = why.expected,
         .found = why.found,
         .code = static_cast<std::uint32_t>(why.code.value()),
         .names_message = why.message.has_value()};
  return why.code.category() == category() && !why.object.has_value() && why.argument == nullptr &&
         (!why.message || (messages_before > 0 && *why.message == messages_before - 1));
}

/// Returns the number of values that messages have, or objects if these have more.
std::uint64_t values_in(const column& of) {
  std::uint64_t in_messages = 0, in_objects = 0;
  for (std::size_t code = 1; code < of.values().size(); ++code) {
    in_messages += of.values()[code].messages.count() > 0;
    in_objects += of.values()[code].objects.count() > 0;
  }
  return std::max(in_messages, in_objects);
}

std::string text_of(std::span<const std::byte> item) {
  return {reinterpret_cast<const char*>(item.data()), item.size()};
}

}  // namespace

failure listing::begin_behind(const index_file::reader& index) {
  first_message_ = index.facts().messages;
  first_object_ = index.facts().objects;
  first_gap_ = index.facts().gaps;
  std::vector<std::byte> item;
  std::uint64_t bytes_left = index.records(index_file::section::layout_items);  // items that overlap are not kept
  for (std::uint64_t i = 0; i < index.facts().layouts; ++i) {
    if (failure why = index.read_layout(i, item)) return why;
    if (item.size() > bytes_left || !layouts_.try_emplace(text_of(item), static_cast<std::uint32_t>(i)).second)
      return index.disagreement();
    bytes_left -= item.size();
  }
  return {};
}

std::uint64_t listing::covered_end(const archive& of, failure& why) {
  why = {};
  std::uint64_t end = of.size_bytes();
  if (const auto tail = of.incomplete_tail()) end = tail->begin;
  // Damage at the end may be the beginning of a message that is still being written.
  if (const auto gaps = of.gaps(); !gaps.empty() && gaps.back().end == of.size_bytes()) end = gaps.back().begin;
  if (const std::size_t count = of.size(); count > 0)
    if (const message last = of.at(count - 1, why); !why && last.is_incomplete()) end = std::min(end, last.offset());
  return end;
}

void listing::list(batch& of) const noexcept {
  of.why = {};
  of.list.clear();
  try {
    for (std::size_t i = of.begin; i < of.end && !of.why; ++i)
      if (const message m = archive_->at(i, of.why); !of.why) of.why = of.list.add(m);
  } catch (const std::bad_alloc&) {
    of.why = {.code = errc::out_of_memory};
  }
}

failure listing::add_object(batch& of, index_file::listed_object object, index_summary& done) {
  constexpr std::uint32_t unset = UINT32_MAX;
  of.layout_numbers.resize(of.list.layouts().size(), unset);
  std::uint32_t& number = of.layout_numbers[object.layout];
  if (number == unset) {
    const auto& item = of.list.layouts()[object.layout];
    const auto [at, is_new] = layouts_.try_emplace(text_of(item), static_cast<std::uint32_t>(layouts_.size()));
    number = at->second;
    if (is_new)
      if (failure why = to_->add_layout(item)) return why;
    done.layouts = layouts_.size();
  }
  object.layout = number;
  return to_->add(object);
}

failure listing::add(batch& of, std::uint64_t covered, index_summary& done) {
  if (of.why) return of.why;
  for (index_file::listed_message& each : of.list.messages()) {
    if (each.length > covered - each.offset)
      return {
          .code = errc::index_mismatch, .offset = each.offset, .expected = covered, .found = each.offset + each.length};
    const auto objects =
        std::span(of.list.objects())
            .subspan(static_cast<std::size_t>(each.first_object), static_cast<std::size_t>(each.objects));
    each.first_object = done.objects;
    if (failure why = to_->add(each)) return why;
    for (const index_file::listed_object& object : objects)
      if (failure why = add_object(of, object, done)) return why;
    ++done.messages;
    done.objects += each.objects;
  }
  columns_.append(of.list.columns());
  return {};
}

/// Lists batches on several threads, while one of them adds the batches before.
failure listing::list_messages(std::uint64_t covered, index_summary& done) {
  struct task_context {
    listing& self;
    std::vector<batch>& added;
    std::vector<batch>& listed;
    std::uint64_t covered;
    index_summary& done;
    failure why{};

    void add() noexcept {
      try {
        for (batch& each : added)
          if (!why && each.begin < each.end) why = self.add(each, covered, done);
      } catch (const std::bad_alloc&) {
        why = {.code = errc::out_of_memory};
      }
    }
  };

  std::size_t count = archive_->size();
  while (count > first_message_ && (*archive_)[count - 1].offset() >= covered) --count;
  const std::size_t threads = options_->executor == nullptr ? 1 : options_->executor->concurrency();
  std::array<std::vector<batch>, 2> groups;
  for (auto& group : groups) {
    group.clear();
    for (std::size_t i = 0; i < threads; ++i) group.emplace_back();
  }
  auto next = static_cast<std::size_t>(first_message_);
  for (unsigned turn = 0;; ++turn) {
    std::vector<batch>&listed = groups[turn % 2], &added = groups[(turn + 1) % 2];
    const bool has_ended = next == count;
    for (batch& each : listed) {
      each.begin = next;
      each.end = next = std::min(next + messages_per_batch, count);
    }
    task_context context{*this, added, listed, covered, done};
    if (threads == 1) {
      context.add();
      list(listed.front());
    } else {
      options_->executor->run(threads + 1, {[](void* of, std::size_t i) noexcept {
                                              auto& task = *static_cast<task_context*>(of);
                                              i == 0 ? task.add() : task.self.list(task.listed[i - 1]);
                                            },
                                            &context});
    }
    if (context.why || has_ended) return context.why;
    done.stopped = options_->stop.stop_requested();
    if (done.stopped) return {};
    if (!options_->progress || turn == 0) continue;
    const index_file::listed_message& last = added.back().list.messages().back();
    options_->progress(last.offset + last.length);
  }
}

failure listing::add_columns(index_summary& done) {
  using index_file::column_kind;
  for (const metadata_columns::chosen_column& each : columns_.choose(*options_)) {
    std::uint64_t bytes = 0;
    if (failure why = to_->add_column(each.key, *each.values, columns_, bytes)) return why;
    done.columns.push_back({.key = std::string(each.key),
                            .values = values_in(*each.values),
                            .messages = each.values->known_count() + each.values->unknown_count(),
                            .bytes = bytes,
                            .describes_objects = each.values->describes_objects()});
  }
  for (const metadata_columns::other_key& each : columns_.others(*options_))
    if (failure why = to_->add_other_key(each, columns_)) return why;
  if (columns_.knows_all_keys())
    if (failure why = to_->end_other_keys(columns_)) return why;
  if (failure why = to_->add_rows(column_kind::undescribed_messages, columns_.undescribed_messages(), columns_))
    return why;
  if (failure why = to_->add_rows(column_kind::undescribed_objects, columns_.undescribed_objects(), columns_))
    return why;
  return to_->add_rows(column_kind::unlisted_objects, columns_.unlisted_objects(), columns_);
}

failure listing::add_gaps(std::uint64_t covered, index_summary& done) {
  const std::size_t count = archive_->size();
  auto before = static_cast<std::size_t>(first_message_);
  const std::vector<gap> gaps = archive_->gaps();
  for (auto k = static_cast<std::size_t>(first_gap_); k < gaps.size(); ++k) {
    const gap& each = gaps[k];
    if (each.end > covered || each.begin >= covered) break;
    while (before < count && (*archive_)[before].offset() < each.begin) ++before;
    index_file::listed_gap record;
    if (!make_record(each, before, record)) return {.code = errc::index_mismatch, .offset = each.begin};
    if (failure why = to_->add(record)) return why;
    ++done.gaps;
  }
  return {};
}

std::vector<std::uint64_t> listing::samples(std::uint64_t covered, std::uint64_t seed, failure& why) const {
  std::vector<std::uint64_t> out;
  const io::source& bytes = access::state(*archive_)->bytes();
  for (std::uint64_t i = 0; i < index_file::sample_count(covered) && !why; ++i)
    out.push_back(digest_sample(bytes, seed, i, covered, why));
  return out;
}

failure listing::run(std::uint64_t covered, std::uint64_t seed, index_summary& done) {
  done.covered_bytes = covered;
  done.messages = first_message_;
  done.objects = first_object_;
  done.layouts = layouts_.size();
  done.gaps = first_gap_;
  for (std::size_t i = 0; i < options_->keys.size(); ++i)
    if (failure why = check_column_key(options_->keys[i])) {
      why.found = i;
      return why;
    }
  if (constexpr auto max_covered = index_file::listed_message::max_offset; covered > max_covered)
    return {.code = std::make_error_code(std::errc::file_too_large), .expected = max_covered, .found = covered};
  columns_.expect(options_->keys);
  failure why;
  const auto before = samples(covered, seed, why);
  if (!why) why = list_messages(covered, done);
  if (why || done.stopped) return why;
  why = add_gaps(covered, done);
  if (!why) why = add_columns(done);
  const auto after = why ? before : samples(covered, seed, why);
  if (!why && after != before) {
    why = access::state(*archive_)->bytes().check_not_truncated();
    if (!why)
      why = {.code = errc::archive_changed, .expected = archive_->size_bytes(), .found = archive_->size_bytes()};
  }
  for (std::size_t i = 0; i < after.size() && !why; ++i) why = to_->add_sample(after[i]);
  return why;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
