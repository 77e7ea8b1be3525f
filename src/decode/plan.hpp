// SPDX-License-Identifier: Apache-2.0
// What has to be undone to reach the elements of an object, and how many bytes there are at each stage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tgmap/descriptor.hpp>
#include <tgmap/error.hpp>
#include <tgmap/object.hpp>
#include <tgmap/options.hpp>

#include "codec/codec_parameters.hpp"
#include "codec/decompressor.hpp"
#include "codec/packing/packing_parameters.hpp"

namespace tgmap::decode {

/// The stages of one object, in the order in which they are undone. Sizes in bytes.
struct plan {
  tgmap::descriptor what{};

  std::uint64_t stored = 0;   ///< of the payload
  std::uint64_t encoded = 0;  ///< once it is decompressed; shuffled or not
  std::uint64_t decoded = 0;  ///< of the elements

  const codec::decompressor* compression = nullptr;  ///< none: the payload is not compressed
  codec::codec_parameters parameters{};
  codec_set allowed = codec_set::all();  ///< of compressions, for masks too
  std::size_t shuffle_size = 0;          ///< bytes of what is shuffled; 0: nothing is
  codec::packing_parameters packing{};

  bool packed() const noexcept { return what.encoding == encoding::simple_packing; }
  bool shuffled() const noexcept { return shuffle_size != 0; }
};

/// Sizes and encoding alone: what decoded_size() needs.
/// Errors: unknown_codec, bad_parameter, bad_combination, decoded_limit, shape_overflow.
failure plan_sizes(const descriptor&, std::uint64_t stored, std::uint64_t max_decoded_bytes, plan& out) noexcept;

/// All of it. `legacy_szip_flags`: see codec_parameters.hpp.
/// Errors: those of plan_sizes, codec_forbidden, codec_absent, decoded_size.
failure make_plan(const descriptor&, std::uint64_t stored, const open_options& limits, bool legacy_szip_flags,
                  plan& out) noexcept;

/// The failure, as it concerns that object.
failure concerning(const object& of, failure why) noexcept;

/// Errors: those of make_plan, of message::reserved; they concern that object.
failure plan_for(const object& of, const descriptor& what, plan& out) noexcept;

}  // namespace tgmap::decode
