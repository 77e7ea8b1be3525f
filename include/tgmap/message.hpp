// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <ranges>
#include <span>
#include <tgmap/frame.hpp>
#include <tgmap/metadata.hpp>
#include <tgmap/object.hpp>

namespace tgmap {
inline namespace v0 {

/// How a message tells where its objects are (§2.8).
enum class index_location : std::uint8_t { none, header, footer, both };

TGMAP_API std::string_view to_string_view(index_location) noexcept;  ///< "no index", "header index", …

/// What one look at the metadata of a message gives.
struct message_summary {
  std::size_t objects = 0;
  metadata message_metadata{};       ///< `message::metadata()`
  metadata first_object_metadata{};  ///< `message::base(0)`; empty when there is no object
};

/// One message of an archive. A small handle: trivially copyable, owns nothing, valid while the archive, or a pin of
/// it, lives. All members may run in any number of threads. Making it reads nothing; members read what they need.
///
/// A version 1 message is a message of the table: offset, length and bytes are known, everything else is
/// `errc::version_1`. An incomplete message (streamed, its end missing) gives its complete frames and objects.
class TGMAP_API message {
 public:
  message() noexcept = default;

  std::uint64_t offset() const noexcept { return position_.offset(); }            ///< archive offset
  std::uint64_t length() const noexcept { return position_.length(); }            ///< known even for streamed messages
  int version() const noexcept { return static_cast<int>(position_.version()); }  ///< wire version: 1, 2 or 3
  bool is_streamed() const noexcept { return position_.is_streamed(); }           ///< preamble without a length
  bool is_incomplete() const noexcept { return position_.is_incomplete(); }  ///< streamed, and cut before its postamble

  /// Its number. Empty for a message found from the end or by its offset, until a forward scan has reached it.
  std::optional<std::size_t> index() const noexcept;

  /// Flags of the preamble, hints only (§2.1). 0 when they cannot be read.
  std::uint16_t flags() const noexcept;

  /// The message as it lies. With `io_mode::read` read once into memory that the archive owns.
  /// Errors: resident_limit, out_of_memory, io.
  std::span<const std::byte> bytes() const;
  std::span<const std::byte> bytes(failure&) const noexcept;

  /// Number of objects; 0 is a valid message. O(bytes of the index), else O(frames): hence a message is no
  /// `std::ranges::sized_range`.
  /// Errors: version_1, those of frames (30–39) and of the index (50–54), object_limit, io.
  std::size_t size() const;
  std::size_t size(failure&) const noexcept;

  /// Object `j`, checked. Through header index, footer index or frame walk: the same answer by each. Messages of many
  /// objects remember where they lie: O(objects) once, then O(1). Errors: out_of_range, descriptor_offset,
  /// not_an_object, index_length, bad_cbor, mask_range, duplicate_key; those of size().
  object operator[](std::size_t j) const;
  object at(std::size_t j, failure&) const noexcept;

  /// Iterates over the objects in order: `for (const tgmap::object& o : message)`. A forward range, and a borrowed one:
  /// iterators hold the handle, not its address. Each step reads its object anew.
  /// Errors: begin() throws what size() throws, dereferencing throws what operator[] throws.
  class iterator;
  iterator begin() const;
  std::default_sentinel_t end() const noexcept { return {}; }

  /// How objects are announced. Cost and errors: as size().
  tgmap::index_location index_location() const;
  tgmap::index_location index_location(failure&) const noexcept;

  /// Keys that hold for the whole message (§5): extra, and in older dialects common and free keys.
  /// Footer metadata where there is one, else header metadata (§5.3). O(bytes of that frame): it is checked whole.
  /// Errors: no_metadata, bad_cbor, cbor_too_deep, wrong_kind, metadata_limit, those of size().
  tgmap::metadata metadata() const;
  tgmap::metadata metadata(failure&) const noexcept;

  /// Keys of object `j` alone: preceder over base entry, `_reserved_` included. Errors: as metadata(), and
  /// out_of_range, bad_preceder, base_count.
  tgmap::metadata base(std::size_t j) const;
  tgmap::metadata base(std::size_t j, failure&) const noexcept;

  /// What size(), metadata() and base(0) say (§5), in the time of one of them: for going over many messages. Valid
  /// while the archive, or a pin of it, lives. Errors: those of all three.
  message_summary summary() const;
  message_summary summary(failure&) const noexcept;

  /// Provenance: who wrote the message and when (`encoder.name`, `time`, `uuid`). Errors: as metadata().
  tgmap::metadata provenance() const;
  tgmap::metadata provenance(failure&) const noexcept;

  /// The list of digests of all objects, as written (§3.2): a map with `hashes` and `algorithm` (version 3) or
  /// `hash_type` (version 2). The footer's where there are two; nothing when there is none. Advisory: what counts is
  /// `object::verify`. O(bytes of the frame). Errors: as metadata(), but for no_metadata; duplicate_key.
  std::optional<cbor_view> hash_list() const;
  std::optional<cbor_view> hash_list(failure&) const noexcept;

  /// The structure as it lies, unknown frame types included. Lazy; see `frame_range`.
  frame_range frames() const;
  frame_range frames(failure&) const noexcept;

  const message_position& position() const noexcept TGMAP_LIFETIMEBOUND { return position_; }

 private:
  friend struct detail::access;
  message(const detail::archive_state& state, const message_position& position) noexcept
      : state_(&state), position_(position) {}

  const detail::archive_state* state_ = nullptr;
  message_position position_{};
};

class message::iterator {  // see message::begin
 public:
  using value_type = object;
  using reference = object;
  using pointer = void;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;  // as far as C++17 knows: it gives objects by value
  using iterator_concept = std::forward_iterator_tag;
  iterator() noexcept = default;
  explicit iterator(const message& of) : of_(of), count_(of.size()) {}
  object operator*() const { return of_[index_]; }
  iterator& operator++() noexcept {
    ++index_;
    return *this;
  }
  iterator operator++(int) noexcept {
    const iterator before = *this;
    ++index_;
    return before;
  }
  friend bool operator==(const iterator& a, const iterator& b) noexcept { return a.index_ == b.index_; }
  bool operator==(std::default_sentinel_t) const noexcept { return index_ >= count_; }

 private:
  message of_{};
  std::size_t index_ = 0, count_ = 0;
};

inline message::iterator message::begin() const { return iterator(*this); }

}  // namespace v0
}  // namespace tgmap

template <>
inline constexpr bool std::ranges::disable_sized_range<tgmap::message> = true;
template <>
inline constexpr bool std::ranges::enable_borrowed_range<tgmap::message> = true;
