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

/// What happens to the other objects when one cannot be decoded.
enum class on_failure : std::uint8_t {
  stop,        ///< none is begun any more; the first failure is told, first in the order of the objects
  keep_going,  ///< all others are decoded; every failure is told
};

/// How many objects are decoded at once. Aggregate: `{.failures = tgmap::on_failure::go_on}`.
struct decode_many_options {
  /// How each is decoded. `how.on`: whose threads; null: `shared_executor()`.
  decode_options decode{};

  on_failure failures = on_failure::stop;

  /// When it is asked to stop, no object is begun any more; those begun are finished.
  std::stop_token stop{};

  /// Bytes of decoded objects that `decode_each` holds at once; one object may always be held.
  /// Default: 1 GiB. Buffers that codecs need on the way come on top, for each thread.
  std::uint64_t max_bytes = std::uint64_t{1} << 30;
};

/// An object that could not be decoded: its number in the span, and why.
struct failed_object {
  std::size_t index = 0;
  failure cause{};
};

/// What came of it. The failures are the same with any number of threads.
struct decode_many_result {
  std::size_t decoded = 0;  ///< objects; of decode_each: that were handed over
  bool stopped = false;     ///< before all were begun, or handed over: by a failure, the stop token, or the receiver
  std::vector<failed_object> failures{};  ///< in the order of the objects; with `on_failure::stop` one at the most
};

/// Decodes object i into `out[i]`, which has exactly its decoded_size() bytes. Several at once, and one large object on
/// several threads where others would have nothing to do. `out` of objects that failed or were not begun hold anything.
/// The objects may be of several archives, and the same one may be there twice.
/// Failures: the first of all, also stored in `failure&` or thrown, once all has ended; with `on_failure::go_on` the
/// outcome has them all, which only the second form returns then.
/// Errors: as object::decode_into; invalid_option (expected = objects, found = outputs); out_of_memory.
TGMAP_API decode_many_result decode_many(std::span<const object>, std::span<const std::span<std::byte>> out,
                                         const decode_many_options& = {});
TGMAP_API decode_many_result decode_many(std::span<const object>, std::span<const std::span<std::byte>> out,
                                         const decode_many_options&, failure&) noexcept;
inline decode_many_result decode_many(std::span<const object> objects, std::span<const std::span<std::byte>> out,
                                      failure& why) noexcept {
  return decode_many(objects, out, {}, why);
}

/// Takes one decoded object: its number in the span and its tensor, or the failure. False: no more, please.
using tensor_receiver = std::function<bool(std::size_t number, tensor&&, const failure&)>;

/// Decodes several objects at once and hands them over in order, one at a time, in the calling thread, while others are
/// being decoded. Memory is bounded by `max_bytes`, not by the objects. A failure of an object goes to the receiver,
/// and into the outcome. Exceptions of the receiver pass through, once what was begun has ended.
/// Errors: std::bad_alloc, which the second form stores as out_of_memory; what the receiver throws, in both.
TGMAP_API decode_many_result decode_each(std::span<const object>, const tensor_receiver&,
                                         const decode_many_options& = {});
TGMAP_API decode_many_result decode_each(std::span<const object>, const tensor_receiver&, const decode_many_options&,
                                         failure&);
inline decode_many_result decode_each(std::span<const object> objects, const tensor_receiver& receiver, failure& why) {
  return decode_each(objects, receiver, {}, why);
}

}  // namespace v0
}  // namespace tgmap
