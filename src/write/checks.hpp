// SPDX-License-Identifier: Apache-2.0
// Checks of what programs pass to writers.
#pragma once

#include <cstdint>
#include <tgmap/descriptor.hpp>
#include <tgmap/error.hpp>
#include <tgmap/write/cbor_value.hpp>
#include <tgmap/write/writer.hpp>

#include "cbor/canonical/canonical_map.hpp"

namespace tgmap::write {

/// The alignment of frames, and the smallest one of payloads.
inline constexpr std::uint64_t min_alignment = 8;

/// Depth in a metadata frame of the keys of one object, and of those of the message.
inline constexpr std::uint32_t base_depth = 2, extra_depth = 1;

/// Largest depth of containers in a descriptor that readers accept.
inline constexpr std::uint32_t max_descriptor_depth = 256;

/// Checks the version and the alignment. Errors: invalid_option.
failure check_options(const write_options&) noexcept;

/// Checks that metadata is a map with text keys that readers accept at `depth`. Errors: wrong_kind, cbor_too_deep.
failure check_map(const cbor_value&, std::uint32_t depth) noexcept;

/// Checks keys of a program: they must be such a map, without `_reserved_`. The second form returns the place where
/// `_reserved_` would be. Errors: those of check_map; reserved_key.
failure check_keys(const cbor_value&, std::uint32_t depth) noexcept;
failure check_keys(const cbor_value&, std::uint32_t depth, cbor::key_place& reserved) noexcept;

/// Checks the descriptor of an object that another program has encoded, without running a codec: numbers of
/// dimensions, sizes, and the parameters that stages of this library need, under their names in that wire version.
/// `payload_size` excludes masks.
/// Errors: unsupported_wire_version, bad_descriptor, shape_overflow, bad_parameter, payload_size_mismatch,
/// unknown_codec.
failure check_stored_descriptor(const descriptor&, std::uint64_t payload_size, int version) noexcept;

}  // namespace tgmap::write
