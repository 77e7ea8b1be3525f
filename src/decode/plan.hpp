// SPDX-License-Identifier: Apache-2.0
// The stages that decoding an object reverses, and the bytes at each stage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/descriptor.hpp>
#include <tgmap/error.hpp>
#include <tgmap/object.hpp>
#include <tgmap/options.hpp>

#include "codec/codec_parameters.hpp"
#include "codec/decompressor.hpp"
#include "codec/packing/packing_parameters.hpp"

namespace tgmap::decode {

/// A `plan` has the stages of one object in the order of decoding. Sizes are in bytes.
struct plan {
  tgmap::descriptor descriptor{};

  std::uint64_t stored = 0;   ///< of the payload
  std::uint64_t encoded = 0;  ///< after decompression, before unshuffling
  std::uint64_t decoded = 0;  ///< of the elements

  const codec::decompressor* compression = nullptr;  ///< null if the payload is not compressed
  codec::codec_parameters parameters{};
  codec_set allowed = codec_set::all();  ///< of compressions, for masks too
  std::size_t shuffle_size = 0;          ///< bytes of a shuffled element; 0 if nothing is shuffled
  codec::packing_parameters packing{};

  /// Copies of the payload and the masks: of what was read before, or whose hash was compared. Null: the bytes are read
  /// from the archive.
  std::span<const std::byte> verified_payload{}, verified_masks{};

  bool packed() const noexcept { return descriptor.encoding == encoding::simple_packing; }
  bool shuffled() const noexcept { return shuffle_size != 0; }
};

/// Plans only sizes and encoding, for decoded_size().
/// Errors: unknown_codec, bad_parameter, bad_combination, decoded_limit, shape_overflow;
/// decoded_size_mismatch, instead of decoded_limit, for a payload of another size that is not compressed.
failure plan_sizes(const descriptor&, std::uint64_t stored, std::uint64_t max_decoded_bytes, plan& out) noexcept;

/// Plans all stages. `legacy_szip_flags`: see codec_parameters.hpp.
/// Errors: those of plan_sizes, codec_forbidden, codec_absent, decoded_size_mismatch.
failure make_plan(const descriptor&, std::uint64_t stored, const open_options& limits, bool legacy_szip_flags,
                  plan& out) noexcept;

/// Adds the location of an object to a failure.
failure with_location(const object& object, failure why) noexcept;

/// Plans an object by the limits of its archive and the encoder that its message names.
/// Errors: those of make_plan and message::reserved, with the location of the object.
failure plan_for(const object& object, const descriptor& descriptor, plan& out) noexcept;

/// Does the same for parts, which may be small in an object over the limit: elements that are neither compressed nor
/// shuffled are read without the others. What a part takes is then checked by require_within_limit().
failure plan_for_parts(const object& object, const descriptor& descriptor, plan& out) noexcept;

/// Checks bytes that are to be allocated for an object. Errors: decoded_limit, with the location of the object.
failure require_within_limit(const object& object, std::uint64_t bytes) noexcept;

}  // namespace tgmap::decode
