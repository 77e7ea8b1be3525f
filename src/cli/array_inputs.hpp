// SPDX-License-Identifier: Apache-2.0
// Arrays in files that are no archives, on their way into one.
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

struct array_options {
  std::optional<tgmap::dtype> dtype{};
  std::optional<std::vector<std::uint64_t>> shape{};
  std::optional<tgmap::byte_order> order{};
};

/// Declares --dtype, --shape and --byte-order.
void add_array_options(CLI::App&, array_options& into);

/// One array, as an object to be written: dtype, shape and elements of it are set.
struct array_input {
  std::string file;                      ///< as it was given
  std::string member{};                  ///< of an .npz; empty: the file is the array
  std::string name{};                    ///< of the member without its extension
  new_object object{};                   ///< borrows from `memory`
  std::shared_ptr<const void> memory{};  ///< whatever keeps the elements

  /// What people call it: "a.npy", "b.npz:x.npy".
  std::string label() const;
};

/// Whether a name is that of a file of arrays: .npy or .npz.
bool names_arrays(const std::string& file);

/// Gives every array of a file: of an .npy its one, of an .npz each; with --shape the bytes of any file as elements in
/// C order, of which the bits of a bitmask take a byte each, as `extract --format raw` writes them. What is in a file
/// says what it is, not its name. Members that inflate to more than `max_decoded` bytes are refused. With --dtype
/// bitmask arrays of 0 and 1 are packed.
///
/// Throws file_error, usage_error, and complaint for what cannot be taken: nothing is converted from one dtype into
/// another.
void for_each_array(const std::string& file, const array_options&, std::uint64_t max_decoded,
                    const std::function<void(array_input&&)>& take);

/// --shape without --dtype, and the like. Throws usage_error.
void check_array_options(const array_options&);

}  // namespace tgmap::cli
