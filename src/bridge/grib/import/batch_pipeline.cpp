// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/import/batch_pipeline.hpp"

#include <utility>

namespace tgmap::bridge::grib {

namespace {

/// A batch and its items.
struct batch_slot {
  message_batch batch{};
  std::vector<batch_item> items{};
  bool is_filled = false;
};

void add_fields(const batch_entry& entry, std::vector<batch_item>& out) {
  failure why;
  field_reader fields(entry.range.message, entry.range.offset, why);
  if (!why && fields.size() > max_batch_fields)
    why = {.code = tgmap::errc::object_limit,
           .offset = entry.range.offset,
           .expected = max_batch_fields,
           .found = fields.size()};
  field one;
  std::size_t added = 0;
  while (!why && fields.next(one, why)) {
    if (entry.only_field != batch_entry::any && one.number != entry.only_field) continue;
    batch_item item{.entry = &entry, .is_field = true};
    item.field.from = one;
    item.field.input = entry.input;
    item.field.group = entry.group;
    out.push_back(std::move(item));
    ++added;
  }
  // A message whose sections are wrong gives an error before its first field; one that changed since it was listed may
  // give none.
  if (why || added == 0) {
    if (!why) why = {.code = tgmap::errc::source_changed, .offset = entry.range.offset};
    out.push_back({.entry = &entry, .why = why});
  }
}

void make_items(batch_slot& slot) {
  slot.items.clear();
  for (const batch_entry& entry : slot.batch.entries) {
    if (entry.what == batch_entry::kind::message)
      add_fields(entry, slot.items);
    else
      slot.items.push_back({.entry = &entry, .why = entry.range.why});
  }
}

/// The tasks of one round: 0 takes a batch, 1 reads one, the others convert items of the batch between them.
struct batch_round {
  batch_source& source;
  batch_work& work;
  batch_slot* taken = nullptr;
  batch_slot* converted = nullptr;
  batch_slot* read = nullptr;
  failure take_failure{}, read_failure{};
  std::exception_ptr thrown_by_take{}, thrown_by_read{};

  void take() noexcept {
    if (taken == nullptr) return;
    try {
      work.take(taken->items, taken->batch.bytes, take_failure);
    } catch (...) {
      thrown_by_take = std::current_exception();
    }
    taken->is_filled = false;
  }

  void read_next() noexcept {
    if (read == nullptr) return;
    try {
      read->is_filled = source.next(read->batch, read_failure);
      if (read->is_filled) make_items(*read);
    } catch (...) {
      thrown_by_read = std::current_exception();
    }
  }

  void run_task(std::size_t index) noexcept {
    if (index == 0) return take();
    if (index == 1) return read_next();
    batch_item& item = converted->items[index - 2];
    if (item.is_field) work.convert(item);
  }

  void run(executor& workers) noexcept {
    const std::size_t items = converted != nullptr ? converted->items.size() : 0;
    workers.run(
        items + 2,
        {[](void* context, std::size_t index) noexcept { static_cast<batch_round*>(context)->run_task(index); }, this});
  }

  void rethrow() const {
    if (thrown_by_take) std::rethrow_exception(thrown_by_take);
    if (thrown_by_read) std::rethrow_exception(thrown_by_read);
  }
};

}  // namespace

void run_batches(batch_source& source, batch_work& work, executor& workers, failure& why) {
  why = {};
  std::array<batch_slot, 3> slots;
  batch_slot* taken = nullptr;
  batch_slot* converted = nullptr;
  bool is_at_end = false;
  for (std::size_t next = 0; taken != nullptr || converted != nullptr || !is_at_end; next = (next + 1) % slots.size()) {
    batch_round round{.source = source, .work = work, .taken = taken, .converted = converted};
    if (!is_at_end) round.read = &slots[next];
    round.run(workers);
    round.rethrow();
    why = round.take_failure ? round.take_failure : round.read_failure;
    if (why) return;
    taken = converted;
    converted = round.read != nullptr && round.read->is_filled ? round.read : nullptr;
    is_at_end = converted == nullptr;
  }
}

}  // namespace tgmap::bridge::grib
