// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/message.hpp>

#include "cli/json.hpp"

namespace tgmap::cli {

/// One row of a listing: members for programs, of which a table shows some, and remarks for people.
struct row {
  json members = json::object();
  std::string notes;
};

row message_row(const message&);
row object_row(const message&, const object&);
/// An object that cannot be read.
row broken_object_row(const message&, std::size_t number, const failure&);
/// Bytes between messages: `kind` is "gap" or "incomplete_tail".
row damage_row(std::string_view kind, const gap&);

/// Makes the row say why something could not be read.
void add_failure(row&, const message&, const failure&);

/// A message or object cannot be read as it should be: the row says why.
bool is_broken(const row&);

}  // namespace tgmap::cli
