// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tgmap/write/new_message.hpp>
#include <tgmap/write/sink.hpp>
#include <vector>

#include "cbor/canonical/sorted_map.hpp"
#include "encode/object_encoder.hpp"
#include "write/frame/frame_writer.hpp"
#include "write/frame/tensor_layout.hpp"

namespace tgmap::write {

/// An `object_stream` writes the frame of a data object whose elements come in parts. It keeps at most eight elements.
class object_stream {
 public:
  /// Checks an object and plans its frame. Writes nothing. Errors: those of stream_writer::begin_object. Throws
  /// std::bad_alloc.
  failure prepare(const new_object&, const frame_options&);

  /// Writes the header of the frame. Errors: those of the sink.
  failure begin(sink&) noexcept;

  /// Encodes and writes the next elements. Errors: those of stream_writer::append_elements. Throws std::bad_alloc.
  failure append(std::span<const std::byte> elements, sink&);

  /// Writes descriptor and tail. Errors: payload_size_mismatch; those of the sink. Throws std::bad_alloc.
  failure end(sink&);

  tgmap::dtype dtype() const noexcept { return block_.dtype; }
  const tensor_layout& layout() const noexcept { return layout_; }
  std::uint64_t length() const noexcept { return length_; }  ///< of the frame, without padding
  std::optional<std::uint64_t> hash() const noexcept { return hash_; }

 private:
  failure encode_descriptor();
  failure write_block(std::span<const std::byte> elements, sink&);

  frame_options options_{};
  new_object block_{};  // the object, with data and shape of one block
  encode::object_encoder encoder_{};
  encode::encoded_object encoded_{};
  tensor_layout layout_{};
  cbor::sorted_map keys_{};
  hasher hasher_{};
  std::vector<std::byte> descriptor_{};
  std::vector<std::byte> partial_group_{};                            // elements that do not fill a group yet
  std::uint64_t bytes_ = 0, received_bytes_ = 0, encoded_bytes_ = 0;  // of elements: all, appended, written
  std::uint64_t payload_size_ = 0, length_ = 0;
  std::optional<std::uint64_t> hash_{};
};

}  // namespace tgmap::write
