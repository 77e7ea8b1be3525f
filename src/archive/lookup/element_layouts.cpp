// SPDX-License-Identifier: Apache-2.0
#include "archive/lookup/element_layouts.hpp"

#include <algorithm>
#include <bit>
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
    : capacity_(static_cast<std::size_t>(
          std::bit_floor(std::clamp<std::uint64_t>(archive / 128, 16, std::uint64_t{1} << bits)))) {}

element_layouts::~element_layouts() {
  slot* const memory = memory_.load(std::memory_order_relaxed);
  for (std::size_t i = 1; i < count_; ++i) delete memory[i].load(std::memory_order_relaxed);
  core::free_zeros(memory, capacity_ * bytes_of_slot);
}

element_layouts::slot* element_layouts::allocate_once() noexcept {
  slot* memory = memory_.load(std::memory_order_acquire);
  if (memory != nullptr) return memory;
  const std::lock_guard lock(mutex_);
  memory = memory_.load(std::memory_order_acquire);
  if (memory != nullptr) return memory;
  // Zeros are null pointers and the number 0.
  memory = static_cast<slot*>(core::allocate_zeros(capacity_ * bytes_of_slot));
  memory_.store(memory, std::memory_order_release);
  return memory;
}

/// Returns the number of a stored layout; 0 if it is not there.
std::uint16_t element_layouts::find(slot* memory, std::uint64_t hash, const element_layout& layout) const noexcept {
  for (std::size_t i = 0; i < probes; ++i) {
    const std::uint16_t at = numbers(memory)[(hash + i) & (4 * capacity_ - 1)].load(std::memory_order_acquire);
    if (at == 0) return 0;
    if (is_same(*memory[at].load(std::memory_order_acquire), layout)) return at;
  }
  return 0;
}

std::uint16_t element_layouts::add(const element_layout& layout) noexcept {
  slot* const memory = allocate_once();
  if (memory == nullptr) return 0;
  const std::uint64_t hash = hash_of(layout);
  if (const std::uint16_t known = find(memory, hash, layout)) return known;

  const std::lock_guard lock(mutex_);
  if (const std::uint16_t known = find(memory, hash, layout)) return known;
  if (count_ == capacity_) return 0;
  for (std::size_t i = 0; i < probes; ++i) {
    atomic_number& number_slot = numbers(memory)[(hash + i) & (4 * capacity_ - 1)];
    if (number_slot.load(std::memory_order_relaxed) != 0) continue;
    const auto* const copy = new (std::nothrow) element_layout(layout);
    if (copy == nullptr) return 0;
    memory[count_].store(copy, std::memory_order_release);
    number_slot.store(static_cast<std::uint16_t>(count_), std::memory_order_release);
    return static_cast<std::uint16_t>(count_++);
  }
  return 0;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
