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

/// An `index_location` says which index frames a message has. An index frame lists where the objects are.
/// Spec: §2.8.
enum class index_location : std::uint8_t { none, header, footer, both };

TGMAP_API std::string_view to_string_view(index_location) noexcept;  ///< "none", "header", "footer", "both"

/// A `message_summary` is the result of `message::summary`.
struct message_summary {
  std::size_t object_count = 0;      ///< number of objects
  metadata message_metadata{};       ///< `message::metadata()`
  metadata first_object_metadata{};  ///< `message::base(0)`; empty if there is no object
};

/// A `message` is a handle to one message of an archive. It is small and trivially copyable, and it owns nothing.
///
/// Making a handle reads nothing; the members read what they need. A version 1 message has an offset, a length and
/// bytes; all else fails with `version_1`. An incomplete message is streamed and lacks its end; it gives its complete
/// frames and objects.
/// Errors: one overload throws `error`, the other fills `failure&`. A default-constructed message gives `no_archive`.
/// Lifetime: the handle and all that it returns are valid while the archive, or a pin of it, lives.
/// Thread safety: any number of threads may call all members.
class TGMAP_API message {
 public:
  message() noexcept = default;

  std::uint64_t offset() const noexcept { return position_.offset(); }  ///< archive offset of its first byte
  std::uint64_t length() const noexcept { return position_.length(); }  ///< in bytes; known for streamed messages too
  int version() const noexcept { return static_cast<int>(position_.version()); }  ///< wire version: 1, 2 or 3
  bool is_streamed() const noexcept { return position_.is_streamed(); }           ///< its preamble states no length
  bool is_incomplete() const noexcept { return position_.is_incomplete(); }  ///< streamed and cut before its postamble

  /// Returns the number of this message. Returns nothing for a message found from the end or by its offset, until a
  /// forward scan has reached it.
  std::optional<std::size_t> index() const noexcept;

  /// Returns the flags of the preamble, which are only hints. Returns 0 if they cannot be read.
  /// Spec: §2.1.
  std::uint16_t flags() const noexcept;

  /// Returns the bytes of the message as stored. In `io_mode::read` they are read once, into memory of the archive.
  /// Errors: resident_limit, out_of_memory, io.
  std::span<const std::byte> bytes() const;
  std::span<const std::byte> bytes(failure&) const noexcept;

  /// Returns the number of objects. 0 is valid.
  /// Errors: version_1, object_limit, io; those of frames (30 to 39) and of the index (50 to 54).
  /// Complexity: O(bytes of the index), without an index O(frames). So a message is not a `std::ranges::sized_range`.
  std::size_t size() const;
  std::size_t size(failure&) const noexcept;

  /// Returns object `j`. Header index, footer index and walking the frames give the same answer.
  /// Errors: out_of_range, bad_descriptor_offset, not_an_object, index_length_mismatch, bad_cbor, mask_out_of_range,
  /// duplicate_key; those of size(). Complexity: as size(). Messages of many objects remember where these are:
  /// O(objects) once, then O(1).
  object operator[](std::size_t j) const;
  object at(std::size_t j, failure&) const noexcept;

  class iterator;
  /// Returns an iterator over the objects in order: `for (const tgmap::object& o : message)`. The message is a forward
  /// range and a borrowed range: iterators hold the handle, not its address. Each step reads its object again.
  /// Errors: begin() throws as size(), dereferencing throws as operator[].
  iterator begin() const;
  std::default_sentinel_t end() const noexcept { return {}; }

  /// Returns which index frames the message has. Errors and complexity are those of size().
  tgmap::index_location index_location() const;
  tgmap::index_location index_location(failure&) const noexcept;

  /// Returns the keys that hold for the whole message: `_extra_`, in older dialects common and free keys. Uses the
  /// footer metadata if there is any, else the header metadata.
  /// Errors: no_metadata, bad_cbor, cbor_too_deep, wrong_kind, metadata_limit; those of size().
  /// Complexity: O(bytes of that frame). The whole frame is checked.
  /// Spec: §5, §5.3.
  tgmap::metadata metadata() const;
  tgmap::metadata metadata(failure&) const noexcept;

  /// Returns the keys of object `j` alone, `_reserved_` included. The message metadata holds one `base` entry for each
  /// object. A preceder is a frame before an object; its keys hide those of the `base` entry.
  /// Errors: out_of_range, bad_preceder, base_count_mismatch; those of metadata().
  tgmap::metadata base(std::size_t j) const;
  tgmap::metadata base(std::size_t j, failure&) const noexcept;

  /// Returns size(), metadata() and base(0) in the time of one of them. Meant for passes over many messages.
  /// Errors: those of all three.
  /// Spec: §5.
  message_summary summary() const;
  message_summary summary(failure&) const noexcept;

  /// Returns the provenance: the keys that say what wrote the message and when (`encoder.name`, `time`, `uuid`).
  /// Errors: as metadata().
  tgmap::metadata provenance() const;
  tgmap::metadata provenance(failure&) const noexcept;

  /// Returns the list of the hashes of all objects as written: a map with `hashes`, and with `algorithm` (version 3) or
  /// `hash_type` (version 2). Returns the footer's list if there are two, and nothing if there is none. The list is
  /// advisory; `object::verify` compares the hash that counts.
  /// Errors: as metadata() without no_metadata; duplicate_key.
  /// Complexity: O(bytes of the frame).
  /// Spec: §3.2.
  std::optional<cbor_view> hash_list() const;
  std::optional<cbor_view> hash_list(failure&) const noexcept;

  /// Returns the frames in file order, unknown types included, as a lazy range. See `frame_range`.
  /// Errors: version_1; iterating throws as `frame_range` says.
  frame_range frames() const;
  frame_range frames(failure&) const noexcept;

  /// Returns the place of this message in the archive.
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
  explicit iterator(const message& source) : of_(source), count_(source.size()) {}
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

/// \cond
template <>
inline constexpr bool std::ranges::disable_sized_range<tgmap::message> = true;
template <>
inline constexpr bool std::ranges::enable_borrowed_range<tgmap::message> = true;
/// \endcond
