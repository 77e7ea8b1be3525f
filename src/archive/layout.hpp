// SPDX-License-Identifier: Apache-2.0
// Where the frames of one message lie that matter: objects, indexes, metadata. Specification §2.5–2.9, §3.1.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <tgmap/message.hpp>
#include <utility>
#include <vector>

#include "archive/frame_walk.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

class archive_state;

/// A data object; offsets count from the start of the message.
struct object_place {
  std::uint64_t at;
  std::uint64_t length;    ///< of its frame, as the index or the frame says
  std::uint64_t preceder;  ///< offset of its preceder frame; 0: none
};

/// What was learned of a message on the way to its objects.
struct message_structure {
  std::optional<frame_place> header_metadata, header_index, header_hashes;
  std::optional<frame_place> footer_metadata, footer_index, footer_hashes;
  std::uint64_t objects = 0;
  std::uint64_t walked = 0;  ///< frames passed one by one to learn this
  bool compared = true;      ///< false: frames behind the wanted object are where the index says, if it is right

  /// Footer metadata is the complete one (§5.3).
  const std::optional<frame_place>& metadata() const noexcept {
    return footer_metadata ? footer_metadata : header_metadata;
  }
  const std::optional<frame_place>& hashes() const noexcept { return footer_hashes ? footer_hashes : header_hashes; }
};

/// Where all objects of a message lie: kept for messages of many objects, or of many other frames.
struct object_places {
  message_structure structure;
  std::vector<object_place> list;
};

/// Messages of at least this many objects have their places kept; smaller ones are read again in less time than a
/// look-up elsewhere in memory costs.
inline constexpr std::uint64_t kept_from = 17;

/// So are those whose few objects were found among this many frames, which would be passed again for each.
inline constexpr std::uint64_t kept_from_walked = 64;

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
    else if (!many_.empty() && many_.size() < many_.capacity())
      many_.push_back(place);
    else
      grow(place);
    ++count_;
  }
  void restart() noexcept;

  /// `objects` will follow; the caller has seen that there is room for as many frames.
  void expect(std::uint64_t objects) noexcept;

  std::uint64_t compared() const noexcept { return compared_; }
  std::uint64_t count() const noexcept { return count_; }
  const std::optional<object_place>& found() const noexcept { return found_; }

  /// The places of all objects; nothing when there are none or memory was missing, or for fewer than `kept_from`
  /// unless `few_too`.
  std::vector<object_place> take(bool few_too) noexcept;

 private:
  void grow(const object_place&) noexcept;

  std::uint64_t wanted_, compared_;
  std::uint64_t count_ = 0;
  std::optional<object_place> found_;
  std::array<object_place, kept_from - 1> few_;  // set up to count_: most messages need no allocation
  std::vector<object_place> many_;
  bool out_of_memory_ = false;
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

/// The range in which the frames of a message lie.
walk_range frames_of(const archive_state&, const message_position&) noexcept;

/// Adds to a failure which message it is of, and which object.
failure located(failure, const message_position&, optional_index object = {}) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
