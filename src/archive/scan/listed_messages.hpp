// SPDX-License-Identifier: Apache-2.0
// The messages, gaps and objects that an index file lists (docs/index_format.md), compared with the archive.
#pragma once

#include <cstdint>
#include <memory>
#include <tgmap/error.hpp>
#include <tgmap/frame.hpp>
#include <tgmap/gap.hpp>

#include "archive/lookup/message_structure.hpp"
#include "index_file/reader.hpp"
#include "io/source.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// `listed_messages` reads what an index says about an archive. Messages are compared with the archive. Without an
/// index it lists nothing. Thread safety: const members may run in any number of threads.
class listed_messages {
 public:
  listed_messages() noexcept = default;
  listed_messages(std::shared_ptr<const index_file::reader> index, const io::source& bytes) noexcept
      : index_(std::move(index)), bytes_(&bytes) {}

  explicit operator bool() const noexcept { return index_ != nullptr; }
  const std::shared_ptr<const index_file::reader>& index() const noexcept { return index_; }

  std::uint64_t count() const noexcept { return index_ ? index_->facts().messages : 0; }
  std::uint64_t gap_count() const noexcept { return index_ ? index_->facts().gaps : 0; }
  std::uint64_t covered() const noexcept { return index_ ? index_->facts().covered : 0; }

  /// Returns message `i` of `count()`, with its number. Compares it with the messages beside it, version, flags and
  /// length with the preamble, and of a streamed message the magic at its end. Then compares one more sample, until all
  /// were compared; one that differs fails this call and all later ones. Errors: index_mismatch, index_damaged,
  /// file_shrank, of the operating system.
  message_position at(std::uint64_t i, failure&) const noexcept;

  /// Counts the bytes of a message that at() has returned, once for each message. Errors: index_mismatch, if all that
  /// were counted have more bytes than the index covers: they overlap, which neighbours do not show if others lie
  /// between them.
  failure count_use(const message_position&) const noexcept;

  /// Returns the offset of message `i`, which is not compared with the archive.
  std::uint64_t offset_of(std::uint64_t i, failure&) const noexcept;

  /// Finds object `j` of message `i`, and the number of its objects. Returns false if the index does not list it, or if
  /// it cannot be read. Compares the frame with the frames beside it: they lie in the message one behind the other.
  bool find_object(const message_position&, std::uint64_t j, object_place&, std::uint64_t& objects) const noexcept;

  /// Returns gap `k` of `gap_count()`, and how many messages begin before it. Errors: as above.
  gap gap_at(std::uint64_t k, std::uint64_t& messages_before, failure&) const noexcept;

 private:
  failure compare(std::uint64_t i, const index_file::listed_message&) const noexcept;
  failure compare_next_sample() const noexcept;

  std::shared_ptr<const index_file::reader> index_;
  const io::source* bytes_ = nullptr;
  mutable std::uint64_t used_bytes_ = 0;   ///< of messages that were counted
  mutable std::uint64_t next_sample_ = 2;  ///< the first and the last bytes were compared when the archive was opened
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
