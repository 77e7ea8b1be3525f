// SPDX-License-Identifier: Apache-2.0
// One phrase for each errc. "{e}" and "{f}" stand for `expected` and `found`, "{e:x}" for the
// number in hexadecimal, "{e:d}", "{e:k}" and "{e:w}" for the name of a dtype, of a kind or of a fault in a selection.
#pragma once

#include <string_view>
#include <tgmap/error.hpp>

namespace tgmap {
inline namespace v0 {
namespace detail {

/// The phrase with places for the two numbers.
std::string_view phrase(errc) noexcept;

/// The same without numbers, for std::error_code::message().
std::string_view plain_phrase(errc) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
