// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <tgmap/keys.hpp>

namespace tgmap {
inline namespace v0 {

/// What a key stands for, kept apart from the archive to sort by.
///
/// Numbers come first, by value whatever they are stored as (1 and 1.0 are equivalent; integers are compared exactly),
/// NaN behind them; then everything else by its text, byte by byte; nothing comes last. Independent of the scope and of
/// the archive; safe from any number of threads. Copies share their text.
class TGMAP_API sort_key {
 public:
  sort_key() noexcept = default;  ///< nothing

  /// O(bytes of the text). Throws std::bad_alloc.
  explicit sort_key(const key_result&);

  explicit operator bool() const noexcept { return rank_ != rank::nothing; }

  std::weak_ordering operator<=>(const sort_key&) const noexcept;
  bool operator==(const sort_key& other) const noexcept { return std::is_eq(*this <=> other); }

 private:
  enum class rank : std::uint8_t { number, not_a_number, text, nothing };

  rank rank_ = rank::nothing;
  bool whole_ = false, negative_ = false;
  std::uint64_t magnitude_ = 0;
  double real_ = 0;
  std::shared_ptr<const std::string> text_{};
};

}  // namespace v0
}  // namespace tgmap
