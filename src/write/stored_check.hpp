// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/descriptor.hpp>
#include <tgmap/error.hpp>

namespace tgmap::write {

/// What can be told, without a codec, of an object that somebody else has encoded: numbers of dimensions, sizes, and
/// the parameters that stages of this library need, in the spelling of that wire version. `payload`: bytes without
/// masks. Errors: wire_version, bad_descriptor, shape_overflow, bad_parameter, payload_size, unknown_codec.
failure check_stored(const descriptor&, std::uint64_t payload, int version) noexcept;

}  // namespace tgmap::write
