// SPDX-License-Identifier: Apache-2.0
// Messages whose objects are all known before the first byte is put out (§9.1, §9.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tgmap/write/writer.hpp>
#include <vector>

#include "write/check_options.hpp"
#include "write/lists.hpp"
#include "write/object_frame.hpp"
#include "write/output.hpp"
#include "write/provenance_source.hpp"

namespace tgmap::write {

/// Encodes one message after another; keeps memory.
class message_encoder {
 public:
  /// Throws std::bad_alloc.
  explicit message_encoder(const write_options&);

  /// Takes a message as far as its bytes are known; nothing is put out. `start`: where in the file it will begin.
  /// Errors: those of writer::write. Throws std::bad_alloc; std::system_error.
  failure prepare(const new_message&, std::uint64_t start);

  std::uint64_t length() const noexcept { return length_; }  ///< of the message that was prepared

  /// Puts it out. Errors: the sink's; those of reading an archive. Throws std::bad_alloc, where frames lie in one.
  failure put(sink&);

  std::size_t objects() const noexcept { return count_; }
  const frame_facts& object(std::size_t j) const noexcept { return frames_[j]->facts(); }

 private:
  failure prepare_objects(const new_message&, bool& alike);
  failure prepare_frame(const std::variant<new_object, stored_object>&, object_frame&);
  bool lists_digests(index_placement where) const noexcept;
  void put_header_lists(bool alike);
  void place_objects(std::uint64_t header, std::uint64_t start);
  void lay_out(std::uint64_t start);
  void put_footer();
  void gather();
  std::uint16_t flags() const noexcept;

  write_options options_;
  frame_options how_;
  provenance_source who_;
  frame_tools tools_{};
  std::vector<std::unique_ptr<object_frame>> frames_{};  // the first `count_` are of the message
  std::size_t count_ = 0;
  object_list list_{};
  std::vector<std::byte> entries_{};  // of the metadata, one an object
  std::vector<std::byte> header_{}, header_lists_{}, footer_{};
  std::size_t hash_list_at_ = 0;                // in `header_lists_`
  std::uint64_t objects_end_ = 0, length_ = 0;  // from the start of the message
  bool laid_out_ = false;                       // all of this is of the message before
  output out_{};
};

}  // namespace tgmap::write
