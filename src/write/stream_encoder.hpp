// SPDX-License-Identifier: Apache-2.0
// One message, put out object by object (§2.9, §9.2, §9.4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <tgmap/write/stream_writer.hpp>
#include <vector>

#include "write/counting_sink.hpp"
#include "write/entry_store.hpp"
#include "write/lists.hpp"
#include "write/object_frame.hpp"
#include "write/object_pieces.hpp"
#include "write/provenance_source.hpp"

namespace tgmap::write {

class stream_encoder {
 public:
  /// Throws std::bad_alloc.
  stream_encoder(sink&, const write_options&, const cbor_value& extra);

  /// Each is called in its turn, by stream_writer, which also knows when a stream cannot go on.
  /// Errors: as its members. Throws std::bad_alloc; std::system_error.
  failure begin(std::span<const cbor_value> ahead);
  template <class Object>
  failure write(const Object& what);
  failure begin_object(const new_object& what);
  failure append(std::span<const std::byte> elements) { return pieces_.append(elements, counted_); }
  failure end_object();
  dtype open_dtype() const noexcept { return pieces_.dtype(); }  ///< of the object that comes in pieces
  failure finish(bool backfill);

  std::uint64_t written() const noexcept { return counted_.count; }
  std::size_t objects() const noexcept { return list_.size(); }

  /// Nothing of the object that was refused has been put out.
  bool untouched() const noexcept { return counted_.count == settled_; }

 private:
  failure put_before(const cbor_value& base, bool preceder);
  failure add(const cbor_value& base, std::span<const std::byte> tensor, std::uint64_t length,
              std::optional<std::uint64_t> digest);
  bool lists_digests() const noexcept { return options_.hashes && options_.hash_list != index_placement::none; }
  failure put_footer_metadata();
  failure pad();

  write_options options_;
  frame_options how_;
  cbor_value extra_;
  provenance_source who_;
  counting_sink counted_{};
  object_frame frame_{};
  frame_tools tools_{};
  object_pieces pieces_{};
  cbor_value open_base_ = cbor_value::map();  // of the object that comes in pieces
  std::vector<std::byte> bytes_{};
  output out_{};
  entry_store entries_{};
  object_list list_{};
  std::uint64_t settled_ = 0, object_at_ = 0;
  std::uint64_t begin_in_sink_ = 0;  // of the message
};

}  // namespace tgmap::write
