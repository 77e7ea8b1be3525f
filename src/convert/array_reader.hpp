// SPDX-License-Identifier: Apache-2.0
// Arrays in .npy, .npz and raw files, as objects to be written.
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

#include "convert/conversion.hpp"

namespace tgmap::convert {

/// How arrays of files become objects.
struct array_rules {
  /// The dtype to be stored, if it is not that of the file: bitmask packs elements of 0 and 1, bfloat16 takes opaque
  /// pairs of bytes, uint8 takes bool. Raw bytes need one. Default: none.
  std::optional<tgmap::dtype> dtype{};

  /// The shape of raw elements in C order. Default: none; the file is an .npy or an .npz.
  std::optional<std::vector<std::uint64_t>> shape{};

  /// The byte order of raw elements. Default: none, for little.
  std::optional<tgmap::byte_order> order{};
};

/// An array as an object to be written; dtype, shape and data are set.
struct read_array {
  std::string member{};                  ///< of an .npz; empty otherwise
  std::string name{};                    ///< the member's name without extension
  new_object object{};                   ///< refers to `memory`
  std::shared_ptr<const void> memory{};  ///< owns the elements
};

/// An `array_error` is an error of an array in a file of the right kind.
class array_error : public conversion_error {
 public:
  using conversion_error::conversion_error;
};

/// A `dtype_conflict` says that elements cannot be stored with the dtype of the rules.
class dtype_conflict : public array_error {
 public:
  enum class kind : std::uint8_t {
    boolean,  ///< NumPy's bool, without a rule
    opaque,   ///< two opaque bytes each, without a rule
    other,    ///< another dtype than that of the rule
  };
  dtype_conflict(kind what, tgmap::dtype found)
      : array_error("the elements have another dtype", "name one that fits"), what_(what), found_(found) {}
  kind what_kind() const noexcept { return what_; }
  tgmap::dtype found() const noexcept { return found_; }  ///< of the elements

  /// The member of an .npz; empty otherwise.
  std::string member{};

 private:
  kind what_;
  tgmap::dtype found_;
};

/// Calls `take` with every array of a file: the one of an .npy, each member of an .npz, or the elements of a raw file.
/// The content decides the kind of file, not its name. No elements are converted but those of bitmasks, which have one
/// byte per bit in raw files. `memory` owns the bytes of the file.
/// Errors: conversion_error; array_error, also for a member that inflates to more than `max_decoded` bytes;
/// dtype_conflict; what `take` throws.
void read_arrays(std::span<const std::byte> file, const std::shared_ptr<const void>& memory, const array_rules&,
                 std::uint64_t max_decoded, const std::function<void(read_array&&)>& take);

}  // namespace tgmap::convert
