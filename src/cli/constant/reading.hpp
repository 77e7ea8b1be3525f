// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <tgmap/constant/read.hpp>

#include "cli/app/session.hpp"

namespace tgmap::cli {

/// What people say about how constants are read.
struct constant_reading {
  std::string type;       ///< empty: as the file says
  std::string cell_type;  ///< empty: that of the type
  bool extended = false, empty_labels = false, nearest = false;
};

/// Adds --type, --cell-type, --extended, --empty-labels and --nearest, and the limits of decoding.
void add_constant_reading(CLI::App&, constant_reading& into, session&);

/// The declared type, with the cell type that was asked for. Throws usage_error: it is no type.
constant::tensor_type type_from(const std::string& text);

/// A cell type. Throws usage_error.
dtype cell_type_from(const std::string& text);

/// As the library wants it. Throws usage_error.
constant::read_options options_of(const constant_reading&, session&);

}  // namespace tgmap::cli
