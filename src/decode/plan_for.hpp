// SPDX-License-Identifier: Apache-2.0
// The plan of an object, which is what its archive allows and what its message says of the encoder, beside its
// descriptor.
#pragma once

#include <tgmap/object.hpp>

#include "decode/plan.hpp"

namespace tgmap::decode {

/// The failure, as it concerns that object.
failure concerning(const object& of, failure why) noexcept;

/// Errors: those of make_plan, of message::reserved; they concern that object.
failure plan_for(const object& of, const descriptor& what, plan& out) noexcept;

}  // namespace tgmap::decode
