// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>

#include "reports/json.hpp"

namespace tgmap::reports {

/// A row of a listing: members of JSON, as docs/schema/ls.json describes them, and what a table says beside them.
struct listed_row {
  json members = json::object();
  std::string notes{};  ///< may quote the archive, unescaped
  std::string name{};   ///< of an object, short and safe to print; its member "name" is as stored
};

/// Returns the row of a message. What cannot be read is an error in the row.
listed_row message_row(const message&);

/// Returns the row of an object.
listed_row object_row(const message&, const object&);

/// Returns the row of an object that cannot be read.
listed_row broken_object_row(const message&, std::size_t number, const failure&);

/// Adds an error to a row.
void add_failure(listed_row&, const message&, const failure&);

/// Returns true if the row has an error.
bool is_broken(const listed_row&);

}  // namespace tgmap::reports
