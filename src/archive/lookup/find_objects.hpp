// SPDX-License-Identifier: Apache-2.0
// Finds the objects of a message, specification §2.5–2.9, §3.1.
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

/// An `object_sink` receives the objects of a message in order. It keeps the place of one object, and collects the
/// places of all if there are many.
class object_sink {
 public:
  static constexpr std::uint64_t none = UINT64_MAX;

  /// Says which objects of an index of few objects are compared with their frames.
  enum class compared : std::uint8_t { all, up_to_wanted };

  /// `wanted` is the object whose place found() returns.
  explicit object_sink(std::uint64_t wanted = none, compared which = compared::all) noexcept
      : wanted_(wanted), last_compared_(which == compared::all ? none : wanted) {}

  /// Adds the next object. Without memory the places are not collected.
  void add(const object_place& place) noexcept {
    if (count_ == wanted_) found_ = place;
    if (count_ < first_places_.size())
      first_places_[static_cast<std::size_t>(count_)] = place;
    else
      add_to_record(place);
    ++count_;
  }
  void restart() noexcept;

  /// Announces `objects` objects. The caller has checked that as many frames fit into the message.
  void expect(std::uint64_t objects) noexcept { expected_ = objects; }

  std::uint64_t last_compared() const noexcept { return last_compared_; }
  std::uint64_t count() const noexcept { return count_; }
  const std::optional<object_place>& found() const noexcept { return found_; }

  /// Returns the places of all objects. Returns null if there are no objects or no memory. Returns null for fewer than
  /// `min_cached_objects` objects, unless `even_if_few` is set.
  std::unique_ptr<message_record> take_record(bool even_if_few) noexcept;

 private:
  void add_to_record(const object_place& place) noexcept {
    if (record_ && place.preceder == 0 && record_->objects.size() < record_->objects.capacity() &&
        object_record::fits(place))
      record_->objects.emplace_back(place);
    else
      grow_record(place);
  }
  void grow_record(const object_place&) noexcept;
  void append_to_record(const object_place&);

  std::uint64_t wanted_, last_compared_;
  std::uint64_t count_ = 0, expected_ = 0;
  std::optional<object_place> found_;
  std::array<object_place, min_cached_objects - 1>
      first_places_;                        // the first count_ are set: most messages need no allocation
  std::unique_ptr<message_record> record_;  // of more objects than first_places_ holds
  bool has_failed_ = false;                 // no memory, or a place does not fit into a record
};

/// Finds the objects of a message by header index, footer index or the walk, and its structure. Errors: see
/// message::size.
/// Complexity: O(bytes of the index), without an index O(frames).
failure find_objects(const archive_state&, io::window&, const message_position&, message_structure&,
                     object_sink&) noexcept;

/// Returns the structure of a message and the place of object `wanted` if there is one: from the cache, otherwise by
/// find_objects. With `up_to_wanted`, objects after `wanted` may be unchecked.
failure find_object(const archive_state&, io::window&, const message_position&, std::uint64_t wanted,
                    message_structure&, std::optional<object_place>&,
                    object_sink::compared = object_sink::compared::all) noexcept;

/// Returns the structure alone.
failure find_structure(const archive_state&, const message_position&, message_structure&) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
