// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <tgmap/write/writer.hpp>
#include <type_traits>

namespace tgmap {
inline namespace v0 {

namespace detail {
struct append_state;
struct stream_state;
}  // namespace detail

/// Writes one message object by object, as they come (§2.9, §9.2, §9.4): metadata, index and digests follow in the
/// footer. Memory: one object, and the encoded metadata of each; what was put out is forgotten. Of the object that is,
/// where its pipeline is not empty, what goes into one stage (unless that is `data`) and what comes out of it: at most
/// twice its elements, and what a codec's output may exceed its input by; with masks, three bits an element besides.
///
/// The preamble states no length; `backfill` fills it in at the end where the sink can be patched (version 3 only).
/// `write_options::index` and `hash_list`: `none` leaves them out, anything else means the footer.
/// A stream that is never finished is an incomplete message: readers find its whole objects. One thread at a time.
/// One that was not made, or was moved from, has put out nothing, and all that would write says writer_state.
class TGMAP_API stream_writer {
 public:
  /// Puts out the preamble and the header metadata: `extra`, and keys of objects that are known `ahead`, which readers
  /// of the unfinished stream see; each object brings its own all the same. Errors: invalid_option, reserved_key,
  /// wrong_kind; the sink's. The sink must live longer.
  explicit stream_writer(sink&, const cbor_value& extra = cbor_value::map(), const write_options& = {},
                         std::span<const cbor_value> ahead = {});
  /// After a failure nothing can be written with it.
  stream_writer(sink&, failure&) noexcept;
  stream_writer(sink&, const cbor_value& extra, failure&) noexcept;
  stream_writer(sink&, const cbor_value& extra, const write_options&, failure&) noexcept;
  stream_writer(sink&, const cbor_value& extra, const write_options&, std::span<const cbor_value> ahead,
                failure&) noexcept;
  ~stream_writer();  ///< does not finish: what goes wrong there could not be told
  stream_writer(stream_writer&&) noexcept;
  stream_writer& operator=(stream_writer&&) noexcept;

  /// Puts out one object. Errors: those of writer::write; writer_state (finished, or an object is open). An object that
  /// is refused leaves the stream as it was.
  void write(const new_object&);
  void write(const new_object&, failure&) noexcept;
  void write(const stored_object&);
  void write(const stored_object&, failure&) noexcept;

  /// Begins an object whose elements come in pieces: for fields larger than memory. `what.data` is not looked at.
  /// The pipeline must be one that works piece by piece: no filter, no compression, no masks; encoding none, or
  /// simple_packing with `reference` and `binary_scale` given. Errors: as write(); not_streamable (another pipeline, a
  /// bitmask, or strides); shape_overflow (more bytes than a message has room for, 2^59).
  void begin_object(const new_object& what);
  void begin_object(const new_object& what, failure&) noexcept;
  /// Appends whole elements, in C order. Elements behind the last one are refused.
  /// Errors: payload_size, non_finite, not_representable, writer_state, the sink's. After a failure the stream cannot
  /// go on.
  void append_elements(std::span<const std::byte> elements);
  void append_elements(std::span<const std::byte> elements, failure&) noexcept;
  /// Appends elements that lie in a row: a span, vector or array of the C++ type that holds the object's dtype.
  /// Errors: as above; dtype_mismatch (expected = dtype of the elements, found = that of the object), which leaves the
  /// stream as it was.
  template <detail::elements_in_a_row R>
  void append_elements(const R& elements) {
    failure why;
    append_elements(elements, why);
    detail::raise_if(why);
  }
  template <detail::elements_in_a_row R>
  void append_elements(const R& elements, failure& why) noexcept {
    append_typed(dtype_of<std::remove_cv_t<std::ranges::range_value_t<const R>>>,
                 std::as_bytes(detail::const_span(elements)), why);
  }
  /// All elements are there. Errors: payload_size (expected = elements' bytes, found = those given), writer_state.
  void end_object();
  void end_object(failure&) noexcept;

  /// Puts out the footer and the postamble, and fills in lengths where that can be. `backfill`: false leaves them open.
  /// Errors: writer_state (finished, or an object is open), the sink's, out_of_memory.
  void finish(bool backfill = true);
  void finish(failure&) noexcept;
  void finish(bool backfill, failure&) noexcept;

  std::uint64_t bytes_written() const noexcept;  ///< bytes put out
  std::size_t objects() const noexcept;          ///< put out

 private:
  void append_typed(dtype, std::span<const std::byte> elements, failure&) noexcept;

  friend struct detail::append_state;  // which closes it, wherever this handle has gone
  std::shared_ptr<detail::stream_state> state_;
};

}  // namespace v0
}  // namespace tgmap
