// SPDX-License-Identifier: Apache-2.0
// One field of a GRIB message as an object with its keys.
#pragma once

#include <memory>
#include <mutex>
#include <tgmap/bridge/grib_import.hpp>
#include <vector>

#include "bridge/grib/carry/carry_field.hpp"
#include "bridge/grib/import/message_batch.hpp"
#include "bridge/grib/keys/key_reader.hpp"
#include "bridge/grib/sections/field.hpp"

namespace tgmap::bridge::grib {

/// A `converted_field` is a field and what was made of it.
/// Lifetime: borrows its message.
struct converted_field {
  field from{};
  std::size_t input = 0;
  std::uint64_t group = 0;
  carried_field result{};  ///< its object has all keys in `base`
  failure why{};           ///< the field cannot be written
};

/// A `field_converter` converts fields, from any number of threads.
/// Lifetime: borrows the options.
class field_converter {
 public:
  /// Errors: throws std::bad_alloc.
  explicit field_converter(const grib_import_options&);

  /// Reads the keys, makes the object of `of.from`, and checks it, as the options say. Errors go to `of.why`.
  void convert(converted_field& of) noexcept;

  /// Returns the keys of a field, without making an object. Errors: those of key_reader::read.
  cbor_value read_keys(const field& from, failure& why) noexcept { return keys_.read(from, why); }

  std::uint64_t key_calls() const noexcept { return keys_.calls(); }

 private:
  void convert_with(carry_memory&, converted_field& of);
  std::unique_ptr<carry_memory> take_memory();
  void put_back(std::unique_ptr<carry_memory>) noexcept;

  const grib_import_options& options_;
  carry_options carry_{};
  key_reader keys_;
  std::mutex mutex_{};
  std::vector<std::unique_ptr<carry_memory>> unused_{};  // one for each thread that converts
};

/// Compares the decoded object of a field with the values that ecCodes gives, bit for bit.
/// Errors: inexact_values (expected = points, found = number of values that differ), and those of reading both.
void check_exact(const field&, const stored_object&, failure& why);

}  // namespace tgmap::bridge::grib
