// SPDX-License-Identifier: Apache-2.0
// Fast path for counting the objects of one message after the other. Agrees with message::size, or returns nothing.
// Bar: `command/info/small` in docs/cost.md. Without it the verb takes 2.8 times as long.
// object_counter_test compares both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "archive/archive_state.hpp"
#include "archive/lookup/common_message.hpp"
#include "archive/lookup/message_structure.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// An `object_counter` remembers the index of the message that was counted last. If the next message has the same
/// length and the same bytes of index, its index is not parsed. One for each thread.
class object_counter {
 public:
  /// Checks if this message is small and follows the last one directly. Then its pages are mapped where the scan has
  /// read them.
  bool follows(const archive_state& state, const message_position& message) const noexcept {
    return message.offset() == next_ && locality_of(message) == io::locality::clustered && &state.bytes() == in_;
  }

  /// Counts the objects in place. Returns nothing unless header and object frames are exactly as the index of the last
  /// message says.
  std::optional<std::uint64_t> count(const archive_state&, const message_position&) const noexcept;

  /// Remembers the end of a message.
  void pass(const archive_state& state, const message_position& message) noexcept {
    in_ = &state.bytes();
    next_ = message.offset() + message.length();
  }

  /// Remembers the index of a message. Forgets the last one if this one is too long.
  void remember(const message_position&, const common_header&) noexcept;

 private:
  static constexpr std::size_t max_index = 256;
  static constexpr std::size_t max_objects = 4;

  bool is_same(std::span<const std::byte> message) const noexcept;

  const io::source* in_ = nullptr;  ///< only compared, because the archive may be closed
  std::uint64_t next_ = UINT64_MAX;

  std::uint64_t length_ = 0;  ///< of the message whose index is remembered; 0: none
  unsigned version_ = 0;
  std::size_t index_size_ = 0, objects_ = 0;
  std::array<std::byte, max_index> index_;
  std::array<object_place, max_objects> places_;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
