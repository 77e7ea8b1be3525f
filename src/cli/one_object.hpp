// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tgmap/archive.hpp>

#include "cli/target.hpp"

namespace tgmap::cli {

/// The message that a target names, or the only one there is. Throws usage_error when there are several: `what` of them
/// "is to be named, as in FILE" and `address`; complaint when there is none; tgmap::error.
message find_one_message(const archive&, const target&, std::string_view what, std::string_view address);

struct one_object {
  tgmap::message message;
  tgmap::object object;
  std::string name;  ///< as a target: "forecast.tgm:14:0"
};

/// The object that a target names, or the only one there is. Throws usage_error, which lists the choices, when there
/// are several; tgmap::error.
one_object find_one_object(const archive&, const target&);

}  // namespace tgmap::cli
