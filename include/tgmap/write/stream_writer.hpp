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

/// A `stream_writer` writes one message object by object. Metadata, index and hashes follow in the footer.
///
/// The preamble states no length. finish() fills it in if the sink can overwrite (version 3 only). `index` and
/// `hash_list` of write_options: `none` omits the list, any other value means the footer. A stream that is not finished
/// is an incomplete message; readers find its whole objects.
///
/// Memory: one object, and the encoded metadata of each. Written bytes are not kept. An object with a pipeline takes
/// the input of one stage, unless that is `data`, and its output: at most twice its elements, plus what the output of a
/// codec exceeds its input by. Masks take three more bits for each element.
/// Errors: every call that writes fails with call_out_of_order after a failed constructor or a move.
/// Thread safety: one thread at a time.
/// Spec: §2.9, §9.2, §9.4.
class TGMAP_API stream_writer {
 public:
  /// Writes the preamble and the header metadata. These are `extra`, and keys of objects that are known `ahead`, for
  /// readers of the unfinished stream. Each object still brings its own keys.
  /// Errors: invalid_option, reserved_key, wrong_kind; those of the sink.
  /// Lifetime: the sink must outlive this object.
  explicit stream_writer(sink&, const cbor_value& extra = cbor_value::map(), const write_options& = {},
                         std::span<const cbor_value> ahead = {});
  stream_writer(sink&, failure&) noexcept;
  stream_writer(sink&, const cbor_value& extra, failure&) noexcept;
  stream_writer(sink&, const cbor_value& extra, const write_options&, failure&) noexcept;
  stream_writer(sink&, const cbor_value& extra, const write_options&, std::span<const cbor_value> ahead,
                failure&) noexcept;
  ~stream_writer();  ///< does not finish the message, since it could not report errors
  stream_writer(stream_writer&&) noexcept;
  stream_writer& operator=(stream_writer&&) noexcept;

  /// Writes one object. An object that is refused leaves the stream unchanged.
  /// Errors: those of writer::write; call_out_of_order (the stream is finished, or an object is open).
  void write(const new_object&);
  void write(const new_object&, failure&) noexcept;
  void write(const stored_object&);
  void write(const stored_object&, failure&) noexcept;

  /// Begins an object whose elements come in pieces, for fields larger than memory. Its `data` is ignored.
  ///
  /// The pipeline must work piece by piece: no filter, no compression, no masks, and either no encoding or
  /// simple_packing with `reference` and `binary_scale` set.
  /// Errors: as write(); not_streamable (another pipeline, a bitmask, or strides); shape_overflow (more than the 2^59
  /// bytes that a message has room for).
  void begin_object(const new_object& what);
  void begin_object(const new_object& what, failure&) noexcept;

  /// Appends whole elements in C order. After a failure the stream cannot continue.
  /// Errors: payload_size_mismatch (more elements than the shape has), non_finite, not_representable,
  /// call_out_of_order; those of the sink.
  void append_elements(std::span<const std::byte> elements);
  void append_elements(std::span<const std::byte> elements, failure&) noexcept;

  /// Appends the elements of a span, vector or array of the C++ type that holds the object's dtype.
  /// Errors: as above; dtype_mismatch (expected = dtype of the elements, found = that of the object), after which the
  /// stream can continue.
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

  /// Ends an object after its last element.
  /// Errors: payload_size_mismatch (expected = bytes of all elements, found = bytes appended), call_out_of_order; those
  /// of the sink.
  void end_object();
  void end_object(failure&) noexcept;

  /// Writes the footer and the postamble. With `backfill`, also fills in the length in the preamble if the sink can
  /// overwrite; without it the length stays open.
  /// Errors: call_out_of_order (the stream is finished, or an object is open), out_of_memory; those of the sink.
  void finish(bool backfill = true);
  void finish(failure&) noexcept;
  void finish(bool backfill, failure&) noexcept;

  std::uint64_t bytes_written() const noexcept;  ///< bytes given to the sink
  std::size_t objects() const noexcept;          ///< number of whole objects written

 private:
  void append_typed(dtype, std::span<const std::byte> elements, failure&) noexcept;

  friend struct detail::append_state;  // it closes the stream even if this handle was moved
  std::shared_ptr<detail::stream_state> state_;
};

}  // namespace v0
}  // namespace tgmap
