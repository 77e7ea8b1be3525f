// SPDX-License-Identifier: Apache-2.0
// Python, which runs what is written in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tgmap::cli {

/// Returns the interpreter that was named, else that of TGMAP_PYTHON, else "python3", which is looked for on PATH.
/// `python -m tgmap` sets the variable to its own interpreter.
std::string python_interpreter(std::string_view named);

/// Replaces this process by Python, which calls the function `main` of a module of the package tgmap with these
/// arguments. No shell is involved. Standard input and output, signals and the exit status are those of Python. If it
/// cannot import the module, it says in one line what to install. Never imports from the working folder.
/// Errors: cli_error if the interpreter cannot be started.
[[noreturn]] void run_python(const std::string& interpreter, std::string_view module, std::string_view verb,
                             const std::vector<std::string>& arguments);

/// A `python_state` describes an interpreter.
struct python_state {
  std::string version;  ///< "3.11.2"; empty if it cannot be started, or cannot import the package
  std::string package;  ///< version of the package tgmap
  std::string problem;  ///< why there is no version; not escaped
};

/// Starts an interpreter and asks. An answer that takes more than ten seconds is a problem.
python_state ask_python(const std::string& interpreter);

}  // namespace tgmap::cli
