// SPDX-License-Identifier: Apache-2.0
// The iterator of the messages of an archive. Included by archive.hpp.
#pragma once

#include <cstddef>
#include <iterator>
#include <tgmap/archive.hpp>

namespace tgmap {
inline namespace v0 {

class archive::iterator {  // an input iterator; see archive::begin
 public:
  using value_type = message;
  using difference_type = std::ptrdiff_t;
  using iterator_concept = std::input_iterator_tag;
  iterator() noexcept = default;
  explicit iterator(const archive& source) : archive_(&source) { load(); }
  const message& operator*() const noexcept { return current_; }
  const message* operator->() const noexcept { return &current_; }
  iterator& operator++() { return ++index_, load(), *this; }
  void operator++(int) { ++*this; }
  bool operator==(std::default_sentinel_t) const noexcept { return archive_ == nullptr; }

 private:
  TGMAP_API void load();
  const archive* archive_ = nullptr;
  std::size_t index_ = 0;
  message current_{};
};

inline archive::iterator archive::begin() const& { return iterator(*this); }

}  // namespace v0
}  // namespace tgmap
