// SPDX-License-Identifier: Apache-2.0
#include "archive/lookup/element_layouts.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <new>

#include "core/memory.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

bool is_same(const element_layout& a, const element_layout& b) noexcept {
  return a.type == b.type && a.c_order == b.c_order && a.size_bytes == b.size_bytes &&
         std::ranges::equal(a.dimensions.shape(), b.dimensions.shape()) &&
         std::ranges::equal(a.dimensions.strides(), b.dimensions.strides());
}

std::uint64_t hash_of(const element_layout& of) noexcept {
  std::uint64_t hash = static_cast<std::uint64_t>(of.type);
  const auto mix = [&](std::uint64_t number) { hash = (std::rotl(hash, 25) ^ number) * 0x9e3779b97f4a7c15U; };
  for (const std::uint64_t extent : of.dimensions.shape()) mix(extent);
  for (const std::int64_t stride : of.dimensions.strides()) mix(static_cast<std::uint64_t>(stride));
  return hash ^ hash >> 32;
}

}  // namespace

element_layouts::element_layouts(std::uint64_t archive) noexcept
    : max_capacity_(static_cast<std::size_t>(
          std::bit_floor(std::clamp<std::uint64_t>(archive / 128, 16, std::uint64_t{1} << bits)))) {}

element_layouts::~element_layouts() {
  table* each = table_.load(std::memory_order_relaxed);
  for (std::size_t i = 1; i < count_; ++i) delete each->slots()[i].load(std::memory_order_relaxed);
  while (each != nullptr) {
    table* const older = each->older;
    core::free_zeros(each, table::bytes(each->capacity));
    each = older;
  }
}

/// Returns the number of a stored layout; 0 if it is not there.
std::uint16_t element_layouts::table::find(std::uint64_t hash, const element_layout& layout) noexcept {
  for (std::size_t i = 0; i < probes; ++i) {
    const std::uint16_t at = number_at(hash + i).load(std::memory_order_acquire);
    if (at == 0) return 0;
    if (is_same(*slots()[at].load(std::memory_order_acquire), layout)) return at;
  }
  return 0;
}

/// Returns false if there is no free place.
bool element_layouts::table::insert(std::uint64_t hash, std::size_t number, const element_layout* layout) noexcept {
  for (std::size_t i = 0; i < probes; ++i) {
    atomic_number& free = number_at(hash + i);
    if (free.load(std::memory_order_relaxed) != 0) continue;
    slots()[number].store(layout, std::memory_order_release);
    free.store(static_cast<std::uint16_t>(number), std::memory_order_release);
    return true;
  }
  return false;
}

/// Replaces the table, or none, by a larger one. Returns null if there can be none or memory is missing.
element_layouts::table* element_layouts::grow(table* old) noexcept {
  const std::size_t capacity = std::min(old == nullptr ? first_capacity : 4 * old->capacity, max_capacity_);
  if (old != nullptr && capacity == old->capacity) return nullptr;
  // Zeros are null pointers and the number 0.
  auto* const larger = static_cast<table*>(core::allocate_zeros(table::bytes(capacity)));
  if (larger == nullptr) return nullptr;
  larger->older = old;
  larger->capacity = capacity;
  for (std::size_t i = 1; i < count_; ++i) {
    const auto* const layout = old->slots()[i].load(std::memory_order_relaxed);
    // A layout without a place is still found by its number.
    if (!larger->insert(hash_of(*layout), i, layout)) larger->slots()[i].store(layout, std::memory_order_relaxed);
  }
  table_.store(larger, std::memory_order_release);
  return larger;
}

std::uint16_t element_layouts::add(const element_layout& layout) noexcept {
  const std::uint64_t hash = hash_of(layout);
  table* known = table_.load(std::memory_order_acquire);
  const auto found = [&] { return known == nullptr ? std::uint16_t{0} : known->find(hash, layout); };
  if (const std::uint16_t number = found()) return number;

  const std::lock_guard lock(mutex_);
  known = table_.load(std::memory_order_relaxed);
  if (const std::uint16_t number = found()) return number;
  if (known == nullptr || count_ == known->capacity) known = grow(known);
  std::unique_ptr<const element_layout> copy(new (std::nothrow) element_layout(layout));
  if (!copy) return 0;
  while (known != nullptr && !known->insert(hash, count_, copy.get())) known = grow(known);
  if (known == nullptr) return 0;
  static_cast<void>(copy.release());  // the table owns it now
  return static_cast<std::uint16_t>(count_++);
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
