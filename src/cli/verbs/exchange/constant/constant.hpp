// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/constant/read.hpp>
#include <tgmap/constant/tensor_constant.hpp>
#include <tgmap/constant/write.hpp>
#include <vector>

#include "cli/app/session.hpp"
#include "cli/command/verb.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/json.hpp"

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

/// Appends a value with the fewest digits that identify it in its cell type, or NaN, -NaN, Infinity, -Infinity.
void append_cell_value(std::string& to, double value, dtype cells);

/// Writes a value as JSON: exact as a double, with NaN and infinities as strings.
void put_cell(json_text::writer<>&, double value);

/// A `cell_addresses` object iterates over the addresses of the cells of one block.
class cell_addresses {
 public:
  /// Errors: throws tgmap::error (bad_constant).
  cell_addresses(const constant::tensor_constant& of, std::uint64_t block);

  void append_text(std::string& to) const;  ///< `key=abc x=2`, as `tgmap constant get` takes it; escapes labels
  void put(json_text::writer<>&) const;     ///< `{"key":"abc","x":2}`
  void advance() noexcept;                  ///< moves to the next cell of the block

 private:
  const constant::tensor_type* type_;
  std::vector<std::string_view> labels_{};
  std::vector<std::uint64_t> indices_{};
};

}  // namespace tgmap::cli
