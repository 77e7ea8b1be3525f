// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/message.hpp>

#include "cli/print/json.hpp"

namespace tgmap::cli {

/// A row of a listing: JSON members, some of which are columns, and notes for people.
struct ls_row {
  json members = json::object();
  std::string notes{};
  std::string name{};  ///< of an object, short and safe to print; its member "name" is as stored
};

ls_row message_row(const message&);
ls_row object_row(const message&, const object&);
/// Returns the row of an object that cannot be read.
ls_row broken_object_row(const message&, std::size_t number, const failure&);
/// Returns the row of bytes between messages; `kind` is "gap" or "incomplete_tail".
ls_row damage_row(std::string_view kind, const gap&);

/// Adds an error to a row.
void add_failure(ls_row&, const message&, const failure&);

/// Returns true if the row has an error.
bool is_broken(const ls_row&);

}  // namespace tgmap::cli
