// SPDX-License-Identifier: Apache-2.0
// Arrays in .npy, .npz and raw files, to be written into archives.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tgmap/write/new_message.hpp>
#include <vector>

#include "convert/npy.hpp"

namespace tgmap::cli {

/// Values of --dtype, --shape and --byte-order.
struct array_options {
  std::optional<tgmap::dtype> dtype{};
  std::optional<std::vector<std::uint64_t>> shape{};
  std::optional<tgmap::byte_order> order{};
};

/// Declares --dtype, --shape and --byte-order.
void add_array_options(CLI::App&, array_options& into);

/// An array as an object to be written; dtype, shape and data are set.
struct array_input {
  std::string file;                      ///< as given
  std::string member{};                  ///< member of an .npz; empty otherwise
  std::string name{};                    ///< the member's name without extension
  new_object object{};                   ///< refers to `memory`
  std::shared_ptr<const void> memory{};  ///< owns the elements

  /// Returns "a.npy" or "b.npz:x.npy".
  std::string label() const;
};

/// Returns true if the name ends with .npy or .npz.
bool names_arrays(const std::string& file);

/// Calls `take` with every array of a file: the one of an .npy, each member of an .npz, or with --shape the bytes of
/// any file as elements in C order. The content decides the kind of file, not its name. With --dtype bitmask, arrays of
/// 0 and 1 are packed (one byte per bit in raw files, as `extract --format raw` writes them). No other conversion takes
/// place.
///
/// Errors: file_error; usage_error; cli_error for an unsupported array, or a member that inflates to more than
/// `max_decoded` bytes.
void for_each_array(const std::string& file, const array_options&, std::uint64_t max_decoded,
                    const std::function<void(array_input&&)>& take);

/// Checks the options against each other, for example --shape without --dtype. Errors: usage_error.
void check_array_options(const array_options&);

}  // namespace tgmap::cli
