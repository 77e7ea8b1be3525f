// SPDX-License-Identifier: Apache-2.0
// Reads the descriptor of an object, and its payload with it where that saves a read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/object.hpp>
#include <tgmap/options.hpp>
#include <tgmap/tensor.hpp>

#include "archive/lookup/frame_places.hpp"
#include "archive/owned_descriptor.hpp"
#include "decode/plan.hpp"

namespace tgmap::decode {

/// An `object_loader` reads what decoding all elements of one object needs. Where structure is read by system calls or
/// by requests, a payload of up to a megabyte is read with the descriptor. Its elements go straight to the output if
/// the object before was stored as its elements, since objects are mostly alike. For one thread, whose workspace keeps
/// the payload until it decodes the next object.
class object_loader {
 public:
  /// Payloads and masks up to this size are read with the descriptor.
  static constexpr std::uint64_t max_size = std::uint64_t{1} << 20;

  /// Says who owns the elements: the caller, or the archive if they are usable in place.
  enum class use : std::uint8_t { owned, may_borrow };

  /// Decides what load() reads. Returns whether the payload is best read into the output.
  bool begin(const object&, const decode_options&, use) noexcept;

  /// Reads the descriptor, and with it the payload, into `output` if that has its size. Errors: those of
  /// object::descriptor.
  failure load(const object&, std::span<std::byte> output) noexcept;

  /// Returns whether an object of which only the place is known is best read with one call.
  bool begin(const detail::archive_state&, const detail::object_place&, const decode_options&) noexcept;

  /// Reads the frame of such an object and adds it to the cache; into memory of `output` if the payload is expected
  /// there, and sets `object`. Returns false if it must be read in another way. Errors: those of object::descriptor.
  bool load(const detail::archive_state&, const message_position&, const detail::located_frame&, std::size_t j,
            tensor& output, object&, failure&) noexcept;

  const descriptor& get() const noexcept { return held_.get(); }

  /// Plans the decoding. From then on the output may be resized. Errors: those of plan_for; out_of_memory.
  failure plan_for(const object&, decode::plan&) noexcept;

  /// Decodes all elements into `out`, which has `plan.decoded` bytes. Errors: those of object::decode.
  failure decode(plan&, const object&, const decode_options&, std::span<std::byte> out) noexcept;

 private:
  detail::owned_descriptor held_{};
  bool reads_payload_ = false;
  std::span<std::byte> region_{};  ///< payload and masks; no data: they were not read
  std::span<std::byte> output_{};  ///< memory of the caller that `region_` is in; no data: it is in the workspace
};

}  // namespace tgmap::decode
