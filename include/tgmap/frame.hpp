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
struct object_facts;

/// What a `message_position` holds. Three words; hence bit-fields.
struct message_fields {
  std::uint64_t offset = 0;
  std::uint64_t length : 60 = 0;
  std::uint64_t version : 2 = 0;
  std::uint64_t streamed : 1 = 0;
  std::uint64_t incomplete : 1 = 0;
  optional_index index{};
};
}  // namespace detail

/// Frame types (§2.3). Other numbers occur in files of other makers and are passed over by their length.
enum class frame_type : std::uint16_t {
  header_metadata = 1,
  header_index = 2,
  header_hash = 3,
  object_v2 = 4,  ///< data object of version 2; not known in version 3
  footer_hash = 5,
  footer_index = 6,
  footer_metadata = 7,
  preceder = 8,
  object = 9,
};

/// "header metadata", "data object"; "unknown" for other numbers.
TGMAP_API std::string_view to_string_view(frame_type) noexcept;

/// What comparing a digest says. Finds accidents, not attackers: who changes bytes can change the digest too.
enum class [[nodiscard]] hash_result : std::uint8_t{
    match, mismatch,
    absent,       ///< nothing to compare with: this is not a match
    unsupported,  ///< a digest by an algorithm other than xxh3
};

TGMAP_API std::string_view to_string_view(hash_result) noexcept;

/// The place of the message that a handle belongs to. Trivially copyable, three words. The default belongs to none.
class message_position {
 public:
  constexpr message_position() noexcept = default;

  constexpr std::uint64_t offset() const noexcept { return is_.offset; }    ///< archive offset of its first byte
  constexpr std::uint64_t length() const noexcept { return is_.length; }    ///< bytes, known even for streamed messages
  constexpr unsigned version() const noexcept { return is_.version; }       ///< wire version 1, 2 or 3
  constexpr bool is_streamed() const noexcept { return is_.streamed; }      ///< its preamble states no length
  constexpr bool is_incomplete() const noexcept { return is_.incomplete; }  ///< streamed, and its postamble is missing

  /// Returns its number, or nothing if it was not known when the handle was made.
  constexpr optional_index index() const noexcept { return is_.index; }

  /// For the library.
  constexpr explicit message_position(const detail::message_fields& of) noexcept : is_(of) {}

 private:
  detail::message_fields is_{};
};

/// One frame as it lies (§2.2). A small handle: trivially copyable, valid while the archive, or a pin of it, lives.
class TGMAP_API frame {
 public:
  frame() noexcept = default;

  frame_type type() const noexcept { return type_; }
  bool is_known() const noexcept;  ///< the type is one of this wire version's
  std::uint16_t frame_version() const noexcept { return frame_version_; }
  std::uint16_t flags() const noexcept { return flags_; }
  std::uint64_t offset() const noexcept { return message_.offset() + at_; }  ///< archive offset
  std::uint64_t offset_in_message() const noexcept { return at_; }
  std::uint64_t length() const noexcept { return length_; }  ///< header to `ENDF`, without padding
  const message_position& message() const noexcept TGMAP_LIFETIMEBOUND { return message_; }
  std::uint64_t padding() const noexcept { return padding_; }  ///< bytes skipped between the previous frame and this

  bool is_object() const noexcept;  ///< of type `object`, in version 2 also `old_object`

  std::uint64_t body_offset() const noexcept;  ///< archive offset of the body
  std::uint64_t body_size() const noexcept;    ///< bytes

  /// Body: what a version 3 digest covers; for data objects payload region and descriptor (§2.4, §4).
  /// Errors: io, resident_limit, out_of_memory.
  std::span<const std::byte> body() const;
  std::span<const std::byte> body(failure&) const noexcept;

  /// Version 3: the digest in the frame's tail, when one was written. Version 2 frames carry none.
  std::optional<std::uint64_t> stored_hash() const noexcept;

  /// Reads the body and compares. O(bytes of the frame), no allocation beyond one fixed buffer; never a signal.
  /// Errors: io, file_shrank. A mismatch is a result, not an error.
  hash_result verify() const;
  hash_result verify(failure&) const noexcept;

 private:
  friend struct detail::access;
  friend class object;
  frame(const detail::archive_state&, const message_position&, const detail::object_facts&) noexcept;

  const detail::archive_state* state_ = nullptr;
  message_position message_{};
  std::uint64_t at_ = 0, length_ = 0, padding_ = 0;
  frame_type type_{};
  std::uint16_t frame_version_ = 0, flags_ = 0;
};

/// The frames of one message in file order, found lazily by their lengths. A single-pass cursor and an input range.
class TGMAP_API frame_range {
 public:
  frame_range() noexcept = default;

  /// Moves to the next frame. False at the postamble, and on damage, which sets the failure.
  bool next(frame& out, failure&) noexcept;

  /// Iteration; incrementing throws the failure that `next` would set.
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

/// The digest that archives keep of their frames: XXH3, 64 bits, seed 0. O(bytes). Of bytes in a mapping run it in
/// mapping_guard::run where the file may become shorter.
TGMAP_API std::uint64_t xxh3(std::span<const std::byte>) noexcept;

}  // namespace v0
}  // namespace tgmap
