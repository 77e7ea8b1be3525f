// SPDX-License-Identifier: Apache-2.0
// A map from 64-bit numbers to objects that only grows. Readers and writers take no lock, nothing ever moves.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace tgmap::core {

/// An `append_only_map` is a trie of 16-way nodes over the mixed bits of the key. Mixing is a bijection, so that two
/// keys differ after at most 16 levels. Several values may be added under one key: all are kept, the newest comes
/// first. Thread safety: all members but the destructor may run in any number of threads.
template <class T>
class append_only_map {
 public:
  struct entry {
    explicit entry(std::unique_ptr<T> v) noexcept : value(std::move(v)) {}
    std::unique_ptr<T> value;
    const entry* older = nullptr;
  };

  append_only_map() noexcept = default;
  append_only_map(const append_only_map&) = delete;
  append_only_map& operator=(const append_only_map&) = delete;
  ~append_only_map() { drop(root_); }

  /// Returns the newest entry of `key`, or null. No allocation, no waiting.
  const entry* find(std::uint64_t key) const noexcept {
    const node* at = &root_;
    for (std::uint64_t bits = mix(key);; bits >>= 4) {
      const std::uintptr_t word = at->children[bits & 15].load(std::memory_order_acquire);
      if (word == 0) return nullptr;
      if (is_leaf(word))
        return to_leaf(word)->key == key ? to_leaf(word)->newest.load(std::memory_order_acquire) : nullptr;
      at = to_node(word);
    }
  }

  /// Adds `value` under `key` and returns it; returns null if memory is missing.
  const T* add(std::uint64_t key, std::unique_ptr<T> value) noexcept {
    entry* fresh = new (std::nothrow) entry(std::move(value));
    if (fresh == nullptr) return nullptr;
    leaf* found = leaf_for(key);
    if (found == nullptr) {
      delete fresh;
      return nullptr;
    }
    const entry* before = found->newest.load(std::memory_order_acquire);
    do {
      fresh->older = before;
    } while (!found->newest.compare_exchange_weak(before, fresh, std::memory_order_acq_rel));
    return fresh->value.get();
  }

 private:
  struct alignas(8) leaf {
    explicit leaf(std::uint64_t k) noexcept : key(k) {}
    std::uint64_t key;
    std::atomic<const entry*> newest{nullptr};
  };
  struct alignas(8) node {
    std::array<std::atomic<std::uintptr_t>, 16> children{};  // null, a node, or a leaf with its lowest bit set
  };

  static bool is_leaf(std::uintptr_t word) noexcept { return (word & 1) != 0; }
  static leaf* to_leaf(std::uintptr_t word) noexcept { return reinterpret_cast<leaf*>(word & ~std::uintptr_t{1}); }
  static node* to_node(std::uintptr_t word) noexcept { return reinterpret_cast<node*>(word); }
  static std::uintptr_t from_leaf(leaf* l) noexcept { return reinterpret_cast<std::uintptr_t>(l) | 1; }

  /// Spreads the bits of offsets, which are often multiples of a number. Invertible.
  static std::uint64_t mix(std::uint64_t x) noexcept {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ULL;
    x ^= x >> 33;
    return x;
  }

  /// Returns the leaf of `key`, which it adds if needed; null if memory is missing.
  leaf* leaf_for(std::uint64_t key) noexcept {
    std::unique_ptr<leaf> created(new (std::nothrow) leaf(key));
    if (!created) return nullptr;
    node* at = &root_;
    unsigned depth = 0;
    for (std::uint64_t bits = mix(key);;) {
      std::atomic<std::uintptr_t>& slot = at->children[bits & 15];
      std::uintptr_t word = slot.load(std::memory_order_acquire);
      if (word == 0) {
        if (slot.compare_exchange_strong(word, from_leaf(created.get()), std::memory_order_acq_rel))
          return created.release();
        continue;  // another thread was first: search again
      }
      if (is_leaf(word)) {
        leaf* existing = to_leaf(word);
        if (existing->key == key) return existing;
        // Two keys need this slot: put a node there, with the old leaf one level below.
        std::unique_ptr<node> split(new (std::nothrow) node);
        if (!split) return nullptr;
        split->children[(mix(existing->key) >> (4 * (depth + 1))) & 15].store(word, std::memory_order_relaxed);
        if (slot.compare_exchange_strong(word, reinterpret_cast<std::uintptr_t>(split.get()),
                                         std::memory_order_acq_rel))
          static_cast<void>(split.release());  // the trie owns it now
        continue;
      }
      at = to_node(word);
      bits >>= 4;
      ++depth;
    }
  }

  static void drop(node& of) noexcept {
    for (auto& child : of.children) {
      const std::uintptr_t word = child.load(std::memory_order_relaxed);
      if (word == 0) continue;
      if (is_leaf(word)) {
        const entry* e = to_leaf(word)->newest.load(std::memory_order_relaxed);
        while (e != nullptr) {
          const entry* older = e->older;
          delete e;
          e = older;
        }
        delete to_leaf(word);
      } else {
        drop(*to_node(word));
        delete to_node(word);
      }
    }
  }

  node root_;
};

}  // namespace tgmap::core
