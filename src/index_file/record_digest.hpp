// SPDX-License-Identifier: Apache-2.0
// The digest of all records of an index, by which two indexes are known to describe the same structure.
#pragma once

#include <xxhash.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include "index_file/format.hpp"

namespace tgmap::index_file {

/// A `record_digest` digests messages, objects, layouts and gaps, each in their order; the order among them does not
/// matter. The constructor may throw std::bad_alloc.
class record_digest {
 public:
  record_digest() {
    for (auto& each : states_) {
      each.reset(XXH3_createState());
      if (!each) throw std::bad_alloc();
      XXH3_64bits_reset(each.get());
    }
  }

  void add(const listed_message& record) noexcept { add_as(0, record, record_size(section::messages)); }
  void add(const listed_object& record) noexcept { add_as(1, record, record_size(section::objects)); }
  void add_layout(std::span<const std::byte> item) noexcept { add_bytes(2, item); }
  void add(const listed_gap& record) noexcept { add_as(3, record, record_size(section::gaps)); }

  /// Adds records as they stand in a file. Ignores other sections.
  void add_records(section kind, std::span<const std::byte> records) noexcept {
    switch (kind) {
      case section::messages: return add_bytes(0, records);
      case section::objects: return add_bytes(1, records);
      case section::layout_items: return add_bytes(2, records);
      case section::gaps: return add_bytes(3, records);
      default: return;
    }
  }

  /// Returns the digest of the four digests.
  std::uint64_t value() const noexcept {
    std::array<std::byte, kinds * sizeof(std::uint64_t)> digests;
    for (std::size_t i = 0; i < kinds; ++i)
      wire::store_le(digests.data() + i * sizeof(std::uint64_t), std::uint64_t{XXH3_64bits_digest(states_[i].get())});
    return XXH3_64bits(digests.data(), digests.size());
  }

 private:
  template <class Record>
  void add_as(std::size_t kind, const Record& record, std::size_t size) noexcept {
    std::array<std::byte, 56> bytes{};
    record.store(bytes.data());
    add_bytes(kind, std::span(bytes).first(size));
  }
  void add_bytes(std::size_t kind, std::span<const std::byte> bytes) noexcept {
    XXH3_64bits_update(states_[kind].get(), bytes.data(), bytes.size());
  }

  struct free_state {
    void operator()(XXH3_state_t* state) const noexcept { XXH3_freeState(state); }
  };
  static constexpr std::size_t kinds = 4;
  std::array<std::unique_ptr<XXH3_state_t, free_state>, kinds> states_;
};

}  // namespace tgmap::index_file
