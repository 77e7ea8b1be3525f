// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <tgmap/constant/write.hpp>

#include "cli/app/session.hpp"
#include "cli/output/output_options.hpp"

namespace tgmap::cli {

/// The options for writing constants.
struct constant_output_options {
  constant::write_options how{};
  bool has_form = false;  ///< otherwise the shortest form of the type is used
  bool typed_binary = false;
  std::string to = "-";
  output_options output{};
};

/// Adds --form, --style, --sorted, --output and the options of outputs.
void add_constant_output_options(CLI::App&, constant_output_options& into);

/// Writes a constant to its output. Ends the line at a terminal. Errors: throws tgmap::error, file_error, cli_error.
void write_constant(const constant::tensor_constant&, const constant_output_options&, session&);

}  // namespace tgmap::cli
