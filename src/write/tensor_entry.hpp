// SPDX-License-Identifier: Apache-2.0
// What the metadata says of a tensor, kept for the next object: many one after the other are of one shape.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "write/metadata_map.hpp"
#include "write/tensor_facts.hpp"

namespace tgmap::write {

class tensor_entry {
 public:
  /// Puts it together, where it is another than before. Throws std::bad_alloc.
  void set(const tensor_facts& now) {
    if (!encoded_.empty() && now == facts_) return;
    constexpr std::size_t most_bytes = 64 + std::size_t{18} * max_rank;  // two numbers an extent
    encoded_.clear();
    encoded_.reserve(most_bytes);  // what was not put together whole must not be taken for what is
    facts_ = now;
    put_tensor(facts_, encoded_);
  }

  const tensor_facts& facts() const noexcept { return facts_; }
  std::span<const std::byte> encoded() const noexcept { return encoded_; }  ///< as put_tensor puts them

 private:
  tensor_facts facts_{};
  std::vector<std::byte> encoded_{};
};

}  // namespace tgmap::write
