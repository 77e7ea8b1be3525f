// SPDX-License-Identifier: Apache-2.0
// The common case of reaching an object, in two looks.
#pragma once

#include <cstdint>
#include <tgmap/frame.hpp>

#include "archive/object_facts.hpp"
#include "io/window.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Object `j` of a message with few objects, a header index right before them, nothing behind them, and a descriptor
/// without masks that follows its payload. Agrees with find_object and read_object, or knows nothing (false), whatever
/// the bytes: then those say what there is, and what is wrong.
bool quick_facts(const archive_state&, io::window&, const message_position&, std::uint64_t j, object_facts&) noexcept;

/// The same of an object that a quick_header has found.
bool quick_object(io::window&, const message_position&, const object_place&, object_facts&) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
