// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <tgmap/constant/read.hpp>
#include <tgmap/constant/tensor_constant.hpp>
#include <tgmap/constant/write.hpp>
#include <vector>

#include "cli/app/session.hpp"
#include "cli/command/verb.hpp"
#include "cli/output/output_options.hpp"
#include "edit/output/output_sink.hpp"

namespace tgmap::cli {

// The verbs of `constant`.
action declare_constant_check(CLI::App&, session&);
action declare_constant_cells(CLI::App&, session&);
action declare_constant_get(CLI::App&, session&);
action declare_constant_import(CLI::App&, session&);
action declare_constant_export(CLI::App&, session&);
action declare_constant_sample(CLI::App&, session&);

/// The options for reading constants.
struct constant_input_options {
  std::string type;       ///< empty for the type in the file
  std::string cell_type;  ///< empty for the cell type of the type
  bool extended = false, empty_labels = false, nearest = false;
};

/// Adds --type, --cell-type, --extended, --empty-labels, --nearest, and the limits of decoding.
void add_constant_input_options(CLI::App&, constant_input_options& into, session&);

/// Parses a type. Errors: throws usage_error.
constant::tensor_type parse_type(const std::string& text);

/// Parses a cell type. Errors: throws usage_error.
dtype parse_cell_type(const std::string& text);

/// Returns the options for the library. Errors: throws usage_error.
constant::read_options read_options_of(const constant_input_options&, session&);

/// Reads a constant from a file of JSON (also in an LZ4 frame, or from standard input), from typed binary, or from a
/// message of an archive: FILE.tgm:MESSAGE, or FILE.tgm with one message. For archives only the options about types
/// apply. Content errors are in the report. Errors: throws usage_error if the address names objects or several
/// messages; tgmap::error and cli_error for archives.
constant::tensor_constant read_constant(const std::string& from, const constant::read_options&, session&,
                                        constant::report&);

/// Reads a constant and reports its warnings. Errors: as read_constant; cli_error for content errors.
constant::tensor_constant read_valid_constant(const std::string& from, const constant::read_options&, session&);

/// Returns true if the file is an archive or the address names a message.
bool names_archive(const std::string& from);

/// Returns the location of a problem, such as `FILE:12:7`, or the file if the location is unknown.
std::string problem_location(const std::string& file, const constant::problem&);

/// Returns true if a file of JSON that has this problem can be read with --extended. Reads it again.
bool needs_extended(const std::string& from, const constant::problem&, const constant::read_options&, session&);

/// Returns the next step after a problem. `extended`: the file can be read with --extended.
std::string next_step_of_constant(const constant::problem&, const std::string& file, bool extended);

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

/// A `session_sink` writes to standard output through the session.
class session_sink final : public edit::throwing_sink {
 public:
  explicit session_sink(output& to) noexcept : to_(to) {}

 private:
  void write_pieces(std::span<const std::span<const std::byte>>) override;

  output& to_;
};

}  // namespace tgmap::cli
