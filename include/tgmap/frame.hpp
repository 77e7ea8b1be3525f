// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

namespace detail {
class archive_state;
struct access;
struct element_layout;
struct object_parts;

/// The content of a `message_position`: three words, hence the bit-fields.
struct message_fields {
  std::uint64_t offset = 0;
  std::uint64_t length : 60 = 0;
  std::uint64_t version : 2 = 0;
  std::uint64_t streamed : 1 = 0;
  std::uint64_t incomplete : 1 = 0;
  optional_index index{};
};
}  // namespace detail

/// The types of frames. Files of other writers hold other numbers; those frames are skipped by their length.
/// Spec: §2.3.
enum class frame_type : std::uint16_t {
  header_metadata = 1,
  header_index = 2,
  header_hash = 3,
  object_v2 = 4,  ///< data object of version 2; unknown in version 3
  footer_hash = 5,
  footer_index = 6,
  footer_metadata = 7,
  preceder = 8,
  object = 9,
};

/// Returns "header metadata", "data object" and so on; "unknown" for other numbers.
TGMAP_API std::string_view to_string_view(frame_type) noexcept;

/// The result of comparing a hash. It finds accidents, not attacks: an attacker can change the hash with the bytes.
enum class [[nodiscard]] hash_result : std::uint8_t{
    match, mismatch,
    absent,       ///< there is no hash to compare; this is not a match
    unsupported,  ///< the hash is of another algorithm than xxh3
};

TGMAP_API std::string_view to_string_view(hash_result) noexcept;  ///< "match", "mismatch", "absent", "unsupported"

/// A `message_position` is the place of the message that a handle belongs to. It is trivially copyable and takes three
/// words. A default-constructed one belongs to no message.
class message_position {
 public:
  constexpr message_position() noexcept = default;

  constexpr std::uint64_t offset() const noexcept { return is_.offset; }  ///< archive offset of its first byte
  constexpr std::uint64_t length() const noexcept { return is_.length; }  ///< in bytes; known for streamed messages too
  constexpr unsigned version() const noexcept { return is_.version; }     ///< wire version: 1, 2 or 3
  constexpr bool is_streamed() const noexcept { return is_.streamed; }    ///< its preamble states no length
  constexpr bool is_incomplete() const noexcept { return is_.incomplete; }  ///< streamed and cut before its postamble

  /// Returns the number of the message. Returns nothing if it was not known when the handle was made.
  constexpr optional_index index() const noexcept { return is_.index; }

  /// For the library.
  constexpr explicit message_position(const detail::message_fields& fields) noexcept : is_(fields) {}

 private:
  detail::message_fields is_{};
};

/// A `frame` is a handle to one frame of a message. It is small and trivially copyable.
///
/// Errors: one overload throws `error`, the other fills `failure&`. A default-constructed frame gives `no_archive`.
/// Lifetime: the handle and its spans are valid while the archive, or a pin of it, lives.
/// Thread safety: any number of threads may call all members.
/// Spec: §2.2.
class TGMAP_API frame {
 public:
  frame() noexcept = default;

  frame_type type() const noexcept { return type_; }
  bool is_known() const noexcept;  ///< the wire version of the message has this type
  std::uint16_t frame_version() const noexcept { return frame_version_; }    ///< as in its header; not checked
  std::uint16_t flags() const noexcept { return flags_; }                    ///< as in its header
  std::uint64_t offset() const noexcept { return message_.offset() + at_; }  ///< archive offset of its first byte
  std::uint64_t offset_in_message() const noexcept { return at_; }
  std::uint64_t length() const noexcept { return length_; }  ///< from the header to `ENDF`, without padding
  const message_position& message() const noexcept TGMAP_LIFETIMEBOUND { return message_; }
  std::uint64_t padding() const noexcept { return padding_; }  ///< bytes skipped before this frame

  bool is_object() const noexcept;  ///< type `object`, in version 2 also `object_v2`

  std::uint64_t body_offset() const noexcept;  ///< archive offset of the body
  std::uint64_t body_size() const noexcept;    ///< size of the body in bytes

  /// Returns the body. A version 3 hash covers it. The body of a data object is its payload, mask blobs and descriptor.
  /// Errors: resident_limit, out_of_memory, io.
  /// Spec: §2.4, §4.
  std::span<const std::byte> body() const;
  std::span<const std::byte> body(failure&) const noexcept;

  /// Returns the hash in the tail of a version 3 frame. Returns nothing if none was written and for version 2 frames.
  std::optional<std::uint64_t> stored_hash() const noexcept;

  /// Reads the body and compares it with the hash. Allocates at most one fixed buffer. Never raises a signal.
  /// Errors: file_shrank, io. A mismatch is a result, not an error.
  /// Complexity: O(bytes of the frame).
  hash_result verify() const;
  hash_result verify(failure&) const noexcept;
  /// Also stores the hash of the body in `found`, 0 if there is none to compare.
  hash_result verify(std::uint64_t& found, failure&) const noexcept;

 private:
  friend struct detail::access;
  friend class object;
  frame(const detail::archive_state&, const message_position&, const detail::object_parts&) noexcept;

  const detail::archive_state* state_ = nullptr;
  message_position message_{};
  std::uint64_t at_ = 0, length_ = 0, padding_ = 0;
  frame_type type_{};
  std::uint16_t frame_version_ = 0, flags_ = 0;
};

/// A `frame_range` gives the frames of one message in file order. It finds them by their lengths, one at each step. It
/// is a single-pass cursor and an input range.
/// Lifetime: as the message.
/// Thread safety: one thread at a time.
class TGMAP_API frame_range {
 public:
  frame_range() noexcept = default;

  /// Moves to the next frame. Returns false at the postamble, and on damage, which sets the failure.
  /// Errors: those of frames (30 to 39), io.
  bool next(frame& out, failure&) noexcept;

  /// Iterates over the frames. Incrementing throws the failure that `next` sets.
  class iterator {
   public:
    using value_type = frame;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;
    iterator() noexcept = default;
    explicit iterator(frame_range* range) : range_(range) { ++*this; }
    const frame& operator*() const noexcept { return current_; }
    const frame* operator->() const noexcept { return &current_; }
    iterator& operator++() {
      failure why;
      if (!range_->next(current_, why)) range_ = nullptr;
      detail::raise_if(why);
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const noexcept { return range_ == nullptr; }

   private:
    frame_range* range_ = nullptr;
    frame current_{};
  };
  iterator begin() TGMAP_LIFETIMEBOUND { return iterator(this); }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  friend struct detail::access;
  const detail::archive_state* state_ = nullptr;
  message_position message_{};
  std::uint64_t at_ = 0, length_ = 0;  // of the last frame
  bool done_ = true;
};

/// Returns the hash that archives store for frames: XXH3 with 64 bits and seed 0. If the bytes are in a mapped file
/// that may become shorter, call it inside mapping_guard::run.
/// Complexity: O(bytes).
TGMAP_API std::uint64_t xxh3(std::span<const std::byte>) noexcept;

}  // namespace v0
}  // namespace tgmap
