// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <tgmap/constant/write.hpp>

#include "cli/app/session.hpp"
#include "cli/outputs/output_options.hpp"

namespace tgmap::cli {

/// What people say about how constants are written.
struct constant_writing {
  constant::write_options how{};
  bool form_chosen = false;  ///< else it is the shortest that constants of the type may have
  bool typed_binary = false;
  std::string to = "-";
  output_options output{};
};

/// Adds --form, --style, --sorted, --output and those of outputs.
void add_constant_writing(CLI::App&, constant_writing& into);

/// Writes it where it is to go; at a terminal the line is ended. Throws tgmap::error, file_error, cli_error.
void write_constant(const constant::tensor_constant&, const constant_writing&, session&);

}  // namespace tgmap::cli
