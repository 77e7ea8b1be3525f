// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/import/field_conversion.hpp"

#include <cmath>
#include <new>
#include <utility>

#include "bridge/grib/import/key_hash.hpp"
#include "bridge/grib/keys/eccodes_values.hpp"
#include "bridge/grib/sections/bitmap.hpp"

namespace tgmap::bridge::grib {

namespace {

/// Decodes a field by ecCodes, for carry_field().
void decode_values(const field& from, decoded_values& out, failure& why) {
  const bitmap bits = read_bitmap(from, why);
  if (why) return;
  out.values = read_values_by_eccodes(from, why);
  if (why) return;
  out.present.clear();
  if (!bits.present) return;
  out.present.assign(out.values.size() / 8 + (out.values.size() % 8 != 0 ? 1 : 0), std::byte{0});
  for (std::size_t i = 0; i < out.values.size(); ++i)
    if (!std::isnan(out.values[i])) out.present[i / 8] |= std::byte{0x80} >> (i % 8);
}

}  // namespace

field_converter::field_converter(const grib_import_options& options)
    : options_(options), keys_(key_options{.namespaces = options.namespaces}) {
  carry_.keep_original = options.keep_original;
  carry_.check = options.check;
  carry_.decode = decode_values;
}

std::unique_ptr<carry_memory> field_converter::take_memory() {
  {
    const std::lock_guard lock(mutex_);
    if (!unused_.empty()) {
      std::unique_ptr<carry_memory> out = std::move(unused_.back());
      unused_.pop_back();
      return out;
    }
  }
  return std::make_unique<carry_memory>();
}

void field_converter::put_back(std::unique_ptr<carry_memory> memory) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    unused_.push_back(std::move(memory));
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): the memory is freed instead
  }
}

void field_converter::convert_with(carry_memory& memory, converted_field& of) {
  cbor_value base = keys_.read(of.from, of.why);
  if (of.why) return;
  of.result = carry_field(of.from, carry_, memory, of.why);
  if (of.why) return;
  base.update(of.result.base, of.why);
  if (of.why) return;
  const auto hash = hash_of_keys(base.view(), of.why);
  if (of.why) return;
  base.set(key_hash_key, cbor_value::bytes(hash), of.why);
  if (of.why) return;
  of.result.object.base = std::move(base);
  of.result.base = {};
  if (options_.exact) check_exact(of.from, of.result.object, of.why);
}

void field_converter::convert(converted_field& of) noexcept {
  of.why = {};
  try {
    std::unique_ptr<carry_memory> memory = take_memory();
    convert_with(*memory, of);
    put_back(std::move(memory));
  } catch (const std::bad_alloc&) {
    of.why = {.code = tgmap::errc::out_of_memory};
  } catch (const error& thrown) {
    of.why = thrown.details();
  }
  if (of.why) of.result = {};
}

}  // namespace tgmap::bridge::grib
