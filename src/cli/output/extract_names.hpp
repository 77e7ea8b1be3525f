// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <vector>

#include "cli/output/extract_destination.hpp"

namespace tgmap::cli {

/// An object to be extracted.
struct extracted_object {
  message in;
  object of;
  std::string archive;        ///< path of its archive
  std::string message_label;  ///< "14", or "@1234" for a message named by its offset
  std::string address;        ///< "forecast.tgm:14:0"
};

/// Returns the name of the file, or of the member of an .npz, of each object. All names differ.
///
/// Members have the `name` of the object, with the number of its message if there are several messages. Objects without
/// a name of their own have the numbers of message and object.
/// Errors: usage_error if two names are equal; cli_error if the keys of a name cannot be read.
std::vector<std::string> extract_names(const extract_destination&, std::span<const extracted_object>);

}  // namespace tgmap::cli
