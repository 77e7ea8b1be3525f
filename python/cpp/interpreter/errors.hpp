// SPDX-License-Identifier: Apache-2.0
// Failures of the library as exceptions of Python.
#pragma once

#include <string>
#include <tgmap/error.hpp>

#include "cpp/interpreter/python.hpp"

namespace tgmap_python {

/// Raises the exception of a failure: IndexError, MemoryError, OSError and its subclasses, or else `tgmap.Error`.
/// `path`: the file at fault, if one is.
[[noreturn]] void raise(const tgmap::failure&, const std::string& path = {});

inline void raise_if(const tgmap::failure& why, const std::string& path = {}) {
  if (why) [[unlikely]]
    raise(why, path);
}

/// Raises an exception that is a ValueError and an OverflowError, for a number that does not fit.
[[noreturn]] void raise_out_of_range(const std::string& text);

/// Lets `tgmap::error` of all functions of the module become such an exception.
void register_errors();

}  // namespace tgmap_python
