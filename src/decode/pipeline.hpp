// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <tgmap/object.hpp>

#include "decode/plan.hpp"

namespace tgmap::decode {

/// Fills `out`, which is of `plan.decoded` bytes, with the elements of the object that was planned for.
/// After a failure `out` holds anything. Errors: as object::decode.
failure decode_elements(const plan&, const object& from, const decode_options&, std::span<std::byte> out) noexcept;

}  // namespace tgmap::decode
