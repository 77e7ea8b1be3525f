// SPDX-License-Identifier: Apache-2.0
// From a message to its objects, specification §2.5–2.9, §3.1.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <tgmap/message.hpp>

#include "archive/lookup/message_record.hpp"
#include "archive/lookup/message_structure.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Receives objects in order: picks one, and keeps the places of all where that is worth it.
class object_sink {
 public:
  static constexpr std::uint64_t none = UINT64_MAX;

  /// Picks object `wanted`. Of few objects in an index, those behind `compared` need not be held against their frames.
  explicit object_sink(std::uint64_t wanted = none, std::uint64_t compared = none) noexcept
      : wanted_(wanted), compared_(compared) {}

  /// Memory that is missing only means that places are not kept.
  void add(const object_place& place) noexcept {
    if (count_ == wanted_) found_ = place;
    if (count_ < few_.size())
      few_[static_cast<std::size_t>(count_)] = place;
    else
      keep(place);
    ++count_;
  }
  void restart() noexcept;

  /// `objects` will follow; the caller has seen that there is room for as many frames.
  void expect(std::uint64_t objects) noexcept { expected_ = objects; }

  std::uint64_t compared() const noexcept { return compared_; }
  std::uint64_t count() const noexcept { return count_; }
  const std::optional<object_place>& found() const noexcept { return found_; }

  /// The places of all objects; null when there are none or memory was missing, or for fewer than `cached_from` unless
  /// `few_too`.
  std::unique_ptr<message_record> take(bool few_too) noexcept;

 private:
  void keep(const object_place& place) noexcept {
    if (record_ && place.preceder == 0 && record_->objects.size() < record_->objects.capacity() &&
        object_record::fits(place))
      record_->objects.emplace_back(place);
    else
      grow(place);
  }
  void grow(const object_place&) noexcept;
  void append(const object_place&);

  std::uint64_t wanted_, compared_;
  std::uint64_t count_ = 0, expected_ = 0;
  std::optional<object_place> found_;
  std::array<object_place, cached_from - 1> few_;  // set up to count_: most messages need no allocation
  std::unique_ptr<message_record> record_;         // of more than those
  bool not_kept_ = false;                          // memory is missing, or a place is beyond what a record holds
};

/// Finds the objects of a message by header index, footer index, or the walk, and learns its structure on the way.
/// O(bytes of the index), else O(frames). Errors: see message::size.
failure find_objects(const archive_state&, io::window&, const message_position&, message_structure&,
                     object_sink&) noexcept;

/// Structure and, when `wanted` is below their number, one object: from what is kept, else by find_objects. `compared`:
/// see object_sink; for who needs the object alone, not their number, nor what lies behind it.
failure find_object(const archive_state&, io::window&, const message_position&, std::uint64_t wanted,
                    message_structure&, std::optional<object_place>&,
                    std::uint64_t compared = object_sink::none) noexcept;

/// The structure alone.
failure find_structure(const archive_state&, const message_position&, message_structure&) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
