// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tgmap/descriptor.hpp>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <tgmap/options.hpp>
#include <tgmap/tensor.hpp>

namespace tgmap {
inline namespace v0 {

namespace detail {
struct located_frame;
}

/// A `located_object` is an object of which the place is known, and whose frame was not read yet. Decoding it takes one
/// read of the frame, where `message::operator[]` and `object::decode` read the two ends of the frame first.
/// Make one with `locate`. A default-constructed one gives `no_archive`.
/// Errors: one overload throws `error`, the other fills `failure&`.
/// Lifetime: valid while the archive, or a pin of it, lives; a tensor needs neither.
/// Thread safety: any number of threads may call const members.
class TGMAP_API located_object {
 public:
  located_object() noexcept = default;

  /// An object that was read before.
  located_object(const tgmap::message& in, const object& known) noexcept
      : message_(in), index_(known.index()), is_read_(true), object_(known) {}

  std::size_t index() const noexcept { return index_; }  ///< number in its message
  const tgmap::message& message() const noexcept TGMAP_LIFETIMEBOUND { return message_; }

  /// Returns whether the object itself is known, so that read() reads nothing.
  bool is_read() const noexcept { return is_read_; }

  /// Returns the object, as `message::operator[]` does.
  /// Errors: those of message::operator[].
  /// Complexity: O(bytes of the descriptor): the two ends of the frame, which are one read in frames of up to 4 KiB.
  object read() const;
  object read(failure&) const noexcept;

  /// Does the same, and returns a copy of the descriptor in `what`, as `shared_descriptor` does. Mostly takes no
  /// further read. Errors: those of message::operator[] and object::descriptor. Complexity: O(bytes of the descriptor).
  object read(std::shared_ptr<const descriptor>& what) const;
  object read(std::shared_ptr<const descriptor>& what, failure&) const noexcept;

  /// Returns the elements with all stages and masks undone, in memory of their own, as `object::decode_into` does. A
  /// frame of up to a megabyte is read at once if it is read by system calls or by requests.
  /// Errors: those of message::operator[] and object::decode. Complexity: as object::decode.
  tensor decode(const decode_options& = {}) const;
  tensor decode(failure& why) const noexcept { return decode({}, why); }
  tensor decode(const decode_options&, failure&) const noexcept;

 private:
  friend TGMAP_API located_object locate(const tgmap::message&, std::size_t, failure&) noexcept;
  detail::located_frame place() const noexcept;

  tgmap::message message_{};
  std::size_t index_ = 0;
  std::uint64_t offset_ = 0, length_ = 0;  // of the frame, from the start of the message; length 0: not known
  std::uint64_t objects_ = 0;              // of the message
  std::uint16_t type_ = 0, version_ = 0, flags_ = 0;  // of the frame, if has_header_
  bool has_header_ = false, is_read_ = false;
  tgmap::object object_{};  // if is_read_
};

/// Finds object `j` of a message. A current index takes no read of the archive. Otherwise the message is read as by
/// `message::operator[]`, but for the frame of the object, of which damage is found when it is used. Where bytes are
/// read in place, the object is read at once.
/// Errors: out_of_range; those of message::operator[].
/// Complexity: as message::operator[].
TGMAP_API located_object locate(const message&, std::size_t j);
TGMAP_API located_object locate(const message&, std::size_t j, failure&) noexcept;

}  // namespace v0
}  // namespace tgmap
