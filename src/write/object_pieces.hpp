// SPDX-License-Identifier: Apache-2.0
// One data object whose elements come in pieces, none of which is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tgmap/write/new_message.hpp>
#include <tgmap/write/sink.hpp>
#include <vector>

#include "cbor/sorted_map.hpp"
#include "encode/object_encoder.hpp"
#include "write/digest.hpp"
#include "write/frame_facts.hpp"
#include "write/tensor_facts.hpp"

namespace tgmap::write {

class object_pieces {
 public:
  /// Takes what an object is. Nothing is put out. Errors: those of stream_writer::begin.
  failure prepare(const new_object&, const frame_options&);

  /// Puts out how its frame begins. Errors: the sink's.
  failure begin(sink&) noexcept;

  /// Puts out what the next elements become. Errors: those of stream_writer::append.
  failure append(std::span<const std::byte> elements, sink&);

  /// Puts out how the frame ends. Errors: payload_size; the sink's.
  failure end(sink&);

  tgmap::dtype dtype() const noexcept { return block_.dtype; }
  const tensor_facts& facts() const noexcept { return facts_; }
  std::uint64_t length() const noexcept { return length_; }
  std::optional<std::uint64_t> digest_value() const noexcept { return digest_value_; }

 private:
  failure put_descriptor_again();
  failure encode_block(std::span<const std::byte> elements, sink&);

  frame_options how_{};
  new_object block_{};  // what was asked for, of which each block is taken
  encode::object_encoder encoder_{};
  encode::encoded_object encoded_{};
  tensor_facts facts_{};
  cbor::sorted_map keys_{};
  digest digest_{};
  std::vector<std::byte> descriptor_{}, carried_{};
  std::uint64_t given_ = 0, needed_ = 0, encoded_bytes_ = 0;  // of elements
  std::uint64_t region_ = 0, length_ = 0;
  std::optional<std::uint64_t> digest_value_{};
};

}  // namespace tgmap::write
