// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <tgmap/write/stream_writer.hpp>
#include <vector>

#include "write/catch_failure.hpp"
#include "write/frame/frame_bodies.hpp"
#include "write/frame/frame_writer.hpp"
#include "write/frame/object_frame.hpp"
#include "write/frame/provenance_source.hpp"
#include "write/output_queue.hpp"
#include "write/stream/object_stream.hpp"

namespace tgmap::write {

/// A `chunked_bytes` holds bytes in chunks that never move, so that growing needs no second copy of them.
class chunked_bytes {
 public:
  void append(std::span<const std::byte> bytes) {
    if (chunks_.empty() || chunks_.back().capacity() - chunks_.back().size() < bytes.size()) {
      chunks_.emplace_back();
      chunks_.back().reserve(std::max(bytes.size(), chunk_size));
    }
    chunks_.back().insert(chunks_.back().end(), bytes.begin(), bytes.end());
    size_ += bytes.size();
  }

  const std::deque<std::vector<std::byte>>& chunks() const noexcept { return chunks_; }
  std::uint64_t size() const noexcept { return size_; }

 private:
  static constexpr std::size_t chunk_size = std::size_t{64} << 10;
  std::deque<std::vector<std::byte>> chunks_{};
  std::uint64_t size_ = 0;
};

/// A `stream_encoder` writes one message object by object (§2.9, §9.2, §9.4). The caller keeps the order of the calls.
class stream_encoder {
 public:
  /// Throws std::bad_alloc.
  stream_encoder(sink&, const write_options&, const cbor_value& extra);

  /// Each call does the work of the one of stream_writer with its name; begin() does that of the constructor. Errors:
  /// as there. Throws std::bad_alloc; std::system_error.
  failure begin(std::span<const cbor_value> ahead);
  template <class Object>
  failure write(const Object&);
  failure begin_object(const new_object&);
  failure append_elements(std::span<const std::byte> elements) { return elements_.append(elements, to_); }
  failure end_object();
  failure finish(bool backfill);

  dtype open_dtype() const noexcept { return elements_.dtype(); }  ///< dtype of the object that is open
  std::uint64_t bytes_written() const noexcept { return to_.count; }
  std::size_t objects() const noexcept { return list_.size(); }

  /// Returns true if the last write() or begin_object() wrote nothing.
  bool wrote_nothing() const noexcept { return to_.count == object_begin_; }

 private:
  failure write_before_object(const cbor_value& base, bool preceder);
  failure complete_object(const cbor_value& base, std::span<const std::byte> tensor, std::uint64_t length,
                          std::optional<std::uint64_t> hash);
  bool writes_hash_list() const noexcept { return options_.hashes && options_.hash_list != index_placement::none; }
  failure write_footer_metadata();
  failure write_padding();

  write_options options_;
  frame_options frame_options_;
  cbor_value extra_;
  provenance_source provenance_;
  counting_sink to_{};
  object_frame frame_{};
  frame_tools tools_{};
  object_stream elements_{};                  // the open object
  cbor_value open_base_ = cbor_value::map();  // its keys
  std::vector<std::byte> bytes_{};
  output_queue output_{};
  chunked_bytes entries_{};  // of the metadata, one for each object
  object_list list_{};
  std::uint64_t object_begin_ = 0;   // of the last object, with what is written before its frame
  std::uint64_t frame_offset_ = 0;   // of the last object, from the start of the message
  std::uint64_t message_begin_ = 0;  // in the sink
};

}  // namespace tgmap::write

namespace tgmap {
inline namespace v0 {
namespace detail {

/// The state of a stream_writer. An appender shares it and closes the stream.
struct stream_state {
  stream_state(sink& sink, const write_options& options, const cbor_value& extra) : encoder(sink, options, extra) {}

  enum class phase : std::uint8_t { ready, object_open, finished, broken };

  write::stream_encoder encoder;
  phase current = phase::ready;

  /// Calls `work` if the phase is `required`, and enters phase `next`. A failure after which part of an object may be
  /// written breaks the stream. Errors: call_out_of_order; those of `work`.
  template <class Work>
  failure run(phase required, phase next, Work&& work) noexcept {
    if (current != required) return {.code = errc::call_out_of_order};
    failure why = write::catch_failure(work);
    if (!why)
      current = next;
    else if (required == phase::object_open || !encoder.wrote_nothing())
      current = phase::broken;
    return why;
  }

  failure finish(bool backfill) noexcept {
    failure why = run(phase::ready, phase::finished, [&] { return encoder.finish(backfill); });
    if (why && current == phase::ready) current = phase::broken;
    return why;
  }

  /// Adds the number of the current object to a failure.
  failure at_object(failure why) const noexcept {
    if (why && !why.object) why.object = encoder.objects();
    return why;
  }
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
