// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <tgmap/object.hpp>

#include "decode/encoded_source.hpp"
#include "decode/plan.hpp"

namespace tgmap::decode {

/// Fills `out`, which is of `plan.decoded` bytes, with the elements of the object that was planned for.
/// After a failure `out` holds anything. Errors: as object::decode.
failure run(const plan&, const object& from, const decode_options&, workspace&, std::span<std::byte> out) noexcept;

}  // namespace tgmap::decode
