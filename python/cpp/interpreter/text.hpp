// SPDX-License-Identifier: Apache-2.0
// Text of Python as UTF-8, and text of files as Python shows it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cpp/interpreter/python.hpp"

namespace tgmap_python {

/// Returns a str as UTF-8, also if it has a NUL. Returns nothing for a lone surrogate, which no text in UTF-8 has.
std::optional<std::string> utf8_of(nb::handle text);

/// Returns the same, with the three bytes of its number in place of a lone surrogate: for names that are looked for,
/// and are then not found. Raises TypeError, with the name of the argument, for other values than str.
std::string name_to_find(nb::handle text, const char* argument);

/// Returns such a name as str again.
nb::str found_name(std::string_view name);

/// Returns a str that is to be written, as UTF-8. Raises ValueError for a lone surrogate; `where` names the value.
std::string utf8_to_write(nb::handle text, const std::string& where);

/// Returns text of a file for people, as str: control characters, characters that deceive a reader and ill-formed bytes
/// are escaped as the command does it.
std::string shown(std::string_view text);
nb::str shown_text(std::string_view text);

/// Returns a name of a file or of a caller for a message: escaped.
std::string shown(nb::handle text);

/// Lets modules of Python do the same.
void register_text(nb::module_&);

}  // namespace tgmap_python
