// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <tgmap/object.hpp>
#include <tgmap/options.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// How the other objects are treated after one could not be decoded.
enum class on_failure : std::uint8_t {
  stop,        ///< no further object is begun; the result has the first failure in the order of the objects
  keep_going,  ///< all others are decoded; the result has every failure
};

/// How several objects are decoded at once. Aggregate: `{.failures = tgmap::on_failure::keep_going}`.
struct decode_many_options {
  /// How each object is decoded. `decode.executor` runs the work. Default: null, for `shared_executor()`.
  decode_options decode{};

  /// Default: stop, as other calls end at their first error.
  on_failure failures = on_failure::stop;

  /// After a stop request no further object is begun; those begun are finished. Default: none.
  std::stop_token stop{};

  /// Maximum number of bytes of decoded objects that `decode_each` holds at once. One object is always allowed. Buffers
  /// of codecs come on top, for each thread. Default: 1 GiB, several large fields.
  std::uint64_t max_bytes = std::uint64_t{1} << 30;
};

/// A `failed_object` is an object that could not be decoded.
struct failed_object {
  std::size_t index = 0;  ///< in the span of objects
  failure cause{};
};

/// Result of decode_many or decode_each. The failures are the same with any number of threads.
struct decode_many_result {
  std::size_t decoded = 0;  ///< number of objects decoded, and with decode_each handed over
  bool stopped = false;     ///< ended before all objects were begun, or handed over: by a failure, the stop token or
                            ///< the receiver
  std::vector<failed_object> failures{};  ///< in the order of the objects; with `on_failure::stop` at most one
};

/// Decodes object i into `out[i]`, which has exactly its decoded_size() bytes.
///
/// Several objects are decoded at once. One large object is decoded on several threads if they would be idle otherwise.
/// The objects may belong to several archives, and one object may be listed twice. The output of an object that failed
/// or was not begun is unspecified.
/// Errors: those of object::decode_into; invalid_option (expected = objects, found = outputs); out_of_memory. The first
/// failure is thrown, or stored in `failure&`, after all work has ended. With `on_failure::keep_going` the result has
/// all failures; the throwing form does not return it then.
TGMAP_API decode_many_result decode_many(std::span<const object>, std::span<const std::span<std::byte>> out,
                                         const decode_many_options& = {});
TGMAP_API decode_many_result decode_many(std::span<const object>, std::span<const std::span<std::byte>> out,
                                         const decode_many_options&, failure&) noexcept;
inline decode_many_result decode_many(std::span<const object> objects, std::span<const std::span<std::byte>> out,
                                      failure& why) noexcept {
  return decode_many(objects, out, {}, why);
}

/// Decodes the same box of each object into `out[i]`, which has exactly the size of the box. Reads and decodes of each
/// object only what the box needs, as part_reader does. All else is as above.
/// Errors: those of part_reader::slab; out_of_range (an object does not have all elements of the box); invalid_option
/// (expected = objects, found = outputs, or the sizes of an output); out_of_memory.
TGMAP_API decode_many_result decode_many(std::span<const object>, const slab&,
                                         std::span<const std::span<std::byte>> out, const decode_many_options& = {});
TGMAP_API decode_many_result decode_many(std::span<const object>, const slab&,
                                         std::span<const std::span<std::byte>> out, const decode_many_options&,
                                         failure&) noexcept;
inline decode_many_result decode_many(std::span<const object> objects, const slab& box,
                                      std::span<const std::span<std::byte>> out, failure& why) noexcept {
  return decode_many(objects, box, out, {}, why);
}

/// Receives one decoded object: its index in the span, and its tensor or the failure. Returns false to stop.
using tensor_receiver = std::function<bool(std::size_t index, tensor&&, const failure&)>;

/// Decodes several objects at once and hands them over in order, one at a time. The receiver runs in the calling thread
/// while other objects are being decoded.
///
/// The memory is bounded by `max_bytes`, however many objects there are. Failures of objects go to the receiver and
/// into the result.
/// Errors: std::bad_alloc, or out_of_memory in `failure&`. Exceptions of the receiver pass through both forms, after
/// all work that was begun has ended.
TGMAP_API decode_many_result decode_each(std::span<const object>, const tensor_receiver&,
                                         const decode_many_options& = {});
TGMAP_API decode_many_result decode_each(std::span<const object>, const tensor_receiver&, const decode_many_options&,
                                         failure&);
inline decode_many_result decode_each(std::span<const object> objects, const tensor_receiver& receiver, failure& why) {
  return decode_each(objects, receiver, {}, why);
}

}  // namespace v0
}  // namespace tgmap
