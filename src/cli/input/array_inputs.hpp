// SPDX-License-Identifier: Apache-2.0
// Arrays in .npy, .npz and raw files, to be written into archives.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "convert/array_reader.hpp"

namespace tgmap::cli {

/// Values of --dtype, --shape and --byte-order.
using array_options = convert::array_rules;

/// Declares --dtype, --shape and --byte-order.
void add_array_options(CLI::App&, array_options& into);

/// An array of a file, as an object to be written.
struct array_input : convert::read_array {
  std::string file;  ///< as given

  /// Returns "a.npy" or "b.npz:x.npy".
  std::string label() const;
};

/// Returns true if the name ends with .npy or .npz.
bool names_arrays(const std::string& file);

/// Calls `take` with every array of a file, as convert::read_arrays does.
///
/// Errors: file_error; usage_error; cli_error for an unsupported array, or a member that inflates to more than
/// `max_decoded` bytes.
void for_each_array(const std::string& file, const array_options&, std::uint64_t max_decoded,
                    const std::function<void(array_input&&)>& take);

/// Checks the options against each other, for example --shape without --dtype. Errors: usage_error.
void check_array_options(const array_options&);

}  // namespace tgmap::cli
