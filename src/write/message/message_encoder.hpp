// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tgmap/write/writer.hpp>
#include <variant>
#include <vector>

#include "write/frame/frame_bodies.hpp"
#include "write/frame/frame_writer.hpp"
#include "write/frame/object_frame.hpp"
#include "write/frame/provenance_source.hpp"
#include "write/output_queue.hpp"

namespace tgmap::write {

/// A `message_encoder` encodes messages whose objects are all known before the first byte is written (§9.1, §9.3). It
/// encodes one after another and keeps its memory.
class message_encoder {
 public:
  /// Throws std::bad_alloc.
  explicit message_encoder(const write_options&);

  /// Encodes a message that begins at `start` in its file. Writes nothing. Errors: those of writer::write. Throws
  /// std::bad_alloc; std::system_error.
  failure prepare(const new_message&, std::uint64_t start);

  std::uint64_t length() const noexcept { return length_; }  ///< of the prepared message

  /// Writes the prepared message. Errors: those of the sink and of reading an archive. Throws std::bad_alloc if frames
  /// are in an archive.
  failure write_to(sink&);

  std::size_t objects() const noexcept { return count_; }
  const object_frame_info& object(std::size_t j) const noexcept { return frames_[j]->info(); }

 private:
  failure prepare_objects(const new_message&, bool& same_layout);
  failure prepare_frame(const std::variant<new_object, stored_object>&, object_frame&);
  bool writes_index(index_placement) const noexcept;
  bool writes_hash_list(index_placement) const noexcept;
  void encode_header_lists(bool same_layout);
  void place_objects(std::uint64_t header_size, std::uint64_t start);
  void lay_out(std::uint64_t start);
  void encode_footer();
  void collect_output();
  std::uint16_t flags() const noexcept;

  write_options options_;
  frame_options frame_options_;
  provenance_source provenance_;
  frame_tools tools_{};
  std::vector<std::unique_ptr<object_frame>> frames_{};  // the first `count_` belong to the message
  std::size_t count_ = 0;
  object_list list_{};
  std::vector<std::byte> entries_{};  // of the metadata, one for each object
  std::vector<std::byte> header_{}, header_lists_{}, footer_{};
  std::size_t hash_list_begin_ = 0;             // in `header_lists_`
  std::uint64_t objects_end_ = 0, length_ = 0;  // from the start of the message
  bool has_layout_ = false;                     // the members above hold the layout of the last message
  output_queue output_{};
};

}  // namespace tgmap::write
