// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tgmap/archive.hpp>

#include "cli/input/target.hpp"

namespace tgmap::cli {

/// Returns the message that a target names, or the only message of the archive. `what` and `address` complete the error
/// if there are several: "name WHAT, for example FILE" + `address`.
/// Errors: usage_error if there are several messages; cli_error if there is none; tgmap::error.
message find_one_message(const archive&, const target&, std::string_view what, std::string_view address);

/// An object, its message and its address.
struct one_object {
  tgmap::message message;
  tgmap::object object;
  std::string name;  ///< address: "forecast.tgm:14:0"
};

/// Returns the object that a target names, or the only object of the message.
/// Errors: usage_error, which lists the objects, if there are several; tgmap::error.
one_object find_one_object(const archive&, const target&);

}  // namespace tgmap::cli
