// SPDX-License-Identifier: Apache-2.0
#include "archive/lookup/object_cache.hpp"

#include <new>

#include "archive/lookup/find_objects.hpp"
#include "core/memory.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

message_record* record_at(std::uint64_t word) noexcept {
  return reinterpret_cast<message_record*>(static_cast<std::uintptr_t>(word));
}

}  // namespace

object_cache::~object_cache() {
  for (auto* record = records_.load(std::memory_order_relaxed); record != nullptr;) {
    auto* const next = record->next;
    delete record;
    record = next;
  }
  for (std::size_t s = 0; s < segments_.size(); ++s) {
    block* const blocks = segments_[s].load(std::memory_order_relaxed);
    for (std::size_t b = 0; blocks != nullptr && b < segments::size(s); ++b)
      if (words* const used = blocks[b].load(std::memory_order_relaxed); used != nullptr)
        core::free_zeros(used, 2 * block_size * sizeof(words));
    core::free_zeros(blocks, segments::size(s) * sizeof(block));
  }
}

object_cache::words* object_cache::slot(std::size_t i, word_kind word) noexcept {
  const auto [s, at] = segments::of(i / block_size);
  block* const blocks = core::allocate_once(segments_[s], segments::size(s));
  words* const in = blocks == nullptr ? nullptr : core::allocate_once(blocks[at], 2 * block_size);
  return in == nullptr ? nullptr : in + i % block_size + word * block_size;
}

std::optional<std::uint64_t> object_cache::pack(const object_parts& f) noexcept {
  const auto bits = packed_flags(f);
  if (!bits || f.offset % 8 != 0 || f.offset >> 16 != 0 || f.length >> 20 != 0 || f.descriptor_length >> 12 != 0 ||
      (*bits & 12) != 0 || f.payload_length != f.region_length)
    return std::nullopt;
  return std::uint64_t{1} << 63 | (*bits >> 4) << 61 | (*bits & 3) << 59 | f.offset / 8 << 46 | f.length << 26 |
         f.descriptor_length << 14;
}

message_record* object_cache::find(const message_position& message) const noexcept {
  if (const auto i = message.index()) {
    const std::uint64_t word = load(static_cast<std::size_t>(*i), objects_word);
    return is_packed(word) ? nullptr : record_at(word);
  }
  const auto* const found = unnumbered_.find(message.offset());
  return found == nullptr ? nullptr : *found->value;
}

message_record* object_cache::add(const message_position& message, std::unique_ptr<message_record> owned) noexcept {
  message_record* const record = owned.get();
  const auto i = message.index();
  words* const word = i ? slot(static_cast<std::size_t>(*i), objects_word) : nullptr;
  if (i && word == nullptr) return nullptr;
  record->next = records_.load(std::memory_order_relaxed);
  while (!records_.compare_exchange_weak(record->next, record, std::memory_order_acq_rel)) {
  }
  static_cast<void>(owned.release());  // the list owns it now
  if (i) {
    std::atomic_ref(*word).store(reinterpret_cast<std::uintptr_t>(record), std::memory_order_release);
    return record;
  }
  try {
    return unnumbered_.add(message.offset(), std::make_unique<message_record*>(record)) == nullptr ? nullptr : record;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void object_cache::add(const message_position& message, std::uint64_t j, std::uint64_t count,
                       const object_parts& parts) noexcept {
  message_record* record = find(message);
  if (record == nullptr && count == 1 && message.index()) {
    if (const auto word = pack(parts)) {
      if (words* const place = slot(static_cast<std::size_t>(*message.index()), objects_word)) {
        std::uint64_t unset = 0;  // otherwise another thread was first
        std::atomic_ref(*place).compare_exchange_strong(unset, *word, std::memory_order_acq_rel);
      }
      return;
    }
  }
  // A record of many objects is made with the list of their places.
  if (record == nullptr && count < min_cached_objects) {
    try {
      auto created = std::make_unique<message_record>();
      created->objects.resize(static_cast<std::size_t>(count));
      record = add(message, std::move(created));
    } catch (const std::bad_alloc&) {
    }
  }
  if (record != nullptr && j < record->objects.size()) record->objects[static_cast<std::size_t>(j)].add(parts);
}

void object_cache::add_layout(const message_position& message, std::uint64_t j, const element_layout& layout) noexcept {
  const std::uint64_t number = layouts_.add(layout);
  if (number == 0) return;
  if (const auto i = message.index(); i && j == 0) {
    std::uint64_t word = load(static_cast<std::size_t>(*i), objects_word);
    if (is_packed(word)) {
      if ((word & (layout_limit - 1)) == 0)
        std::atomic_ref(*slot(static_cast<std::size_t>(*i), objects_word))
            .compare_exchange_strong(word, word | number, std::memory_order_release);
      return;
    }
  }
  message_record* const record = find(message);
  object_parts known;
  if (record != nullptr && j < record->objects.size() &&
      record->objects[static_cast<std::size_t>(j)].find(layouts_, known))
    record->objects[static_cast<std::size_t>(j)].add_layout(number);
}

std::optional<object_cache::metadata_places> object_cache::find_metadata(const message_position& message,
                                                                         std::uint64_t j) const noexcept {
  const auto i = message.index();
  const std::uint64_t word = i ? load(static_cast<std::size_t>(*i), metadata_word) : 0;
  if (word == 0) return std::nullopt;
  metadata_places out{.body_offset = (word >> 49 & 0x1fff) * 8,
                      .body_size = word >> 30 & 0xffff,
                      .extra = word >> 15 & 0x7fff,
                      .first_entry = word & 0x7fff,
                      .free_keys = (word >> 62 & 1) != 0,
                      .has_one_object = (word >> 46 & 1) != 0};
  if (j == object_sink::none) return out;
  if (j == 0) {
    out.entry = out.first_entry;
    return out;
  }
  const message_record* const record = find(message);
  if (record == nullptr || j >= record->objects.size()) return std::nullopt;
  out.entry = record->objects[static_cast<std::size_t>(j)].entry();
  if (out.entry == object_record::not_known) return std::nullopt;
  if (out.entry == object_record::no_entry) out.entry = 0;
  return out;
}

void object_cache::add_metadata(const message_position& message, std::uint64_t j,
                                const metadata_places& places) noexcept {
  const auto i = message.index();
  if (!i || (places.body_offset | places.body_size) >> 16 != 0 || places.body_offset % 8 != 0 ||
      (places.extra | places.first_entry) >> 15 != 0)
    return;
  words* const place = slot(static_cast<std::size_t>(*i), metadata_word);
  if (place == nullptr) return;
  std::uint64_t unset = 0;
  std::atomic_ref(*place).compare_exchange_strong(
      unset,
      std::uint64_t{1} << 63 | std::uint64_t{places.free_keys} << 62 | places.body_offset / 8 << 49 |
          std::uint64_t{places.has_one_object} << 46 | places.body_size << 30 | places.extra << 15 | places.first_entry,
      std::memory_order_acq_rel);
  message_record* const record = j == 0 || j == object_sink::none ? nullptr : find(message);
  if (record != nullptr && j < record->objects.size())
    record->objects[static_cast<std::size_t>(j)].add_entry(places.entry == 0 ? object_record::no_entry : places.entry);
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
