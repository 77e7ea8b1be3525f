// SPDX-License-Identifier: Apache-2.0
// The arrays of .npy, .npz and raw files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tgmap/write/new_message.hpp>
#include <vector>

#include "convert/npy.hpp"

namespace tgmap::convert {

/// A `file_array` is one array of a file.
struct file_array {
  std::string member{};                  ///< member of an .npz; empty otherwise
  std::string name{};                    ///< the member's name without extension
  npy_array array{};                     ///< refers to `memory`
  std::shared_ptr<const void> memory{};  ///< owns the elements
};

/// Calls `take` with every array of a file: the one of an .npy, or each member of an .npz. The content decides the kind
/// of file. `memory` owns the bytes; deflated members get memory of their own.
/// Errors: conversion_error, with the name of the member; also for a member that inflates to more than `max_decoded`
/// bytes, a member that is not an .npy, and an .npz without members.
void for_each_array(std::span<const std::byte> file, const std::shared_ptr<const void>& memory,
                    std::uint64_t max_decoded, const std::function<void(file_array&&)>& take);

/// Returns the elements of a file without a header, in C order. With `dtype::bitmask` each byte is a bit.
/// Errors: conversion_error.
npy_array raw_array(std::span<const std::byte> file, dtype, std::vector<std::uint64_t> shape, byte_order);

/// Returns an array as an object to be written; only dtype, shape, byte order and data are set. With `as_bits` it
/// becomes a bitmask, as by `pack_bits`, and `memory` owns that. Errors: those of `pack_bits`. Lifetime: borrows
/// `memory`.
new_object make_object(file_array&, bool as_bits);

}  // namespace tgmap::convert
