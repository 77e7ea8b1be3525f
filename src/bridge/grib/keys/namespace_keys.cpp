// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/keys/namespace_keys.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace tgmap::bridge::grib {

namespace {

// Numbers of eccodes.h.
enum native_type : int { type_long = 1, type_double = 2, type_string = 3, type_bytes = 4 };
constexpr unsigned long skip_duplicates = 1UL << 5U;

constexpr std::size_t max_array = 8192;
constexpr std::size_t max_text = 65536;

/// ecCodes has no other value for a missing number.
bool is_missing(long value) noexcept { return value == 2147483647 || value == -2147483647; }

}  // namespace

cbor_value map_of(const named_keys& keys) {
  std::vector<cbor_value::pair> pairs;
  pairs.reserve(keys.size());
  for (const auto& [name, value] : keys) pairs.emplace_back(name, value);
  return cbor_value::map(pairs);
}

std::string handle_reader::read_text(const char* key) const {
  std::size_t size = 0;
  if (library_.codes_get_length(handle_, key, &size) != 0 || size == 0 || size > max_text) return {};
  std::string out(size + 1, '\0');  // some accessors write the end that their length lacks
  if (library_.codes_get_string(handle_, key, out.data(), &size) != 0) return {};
  out.resize(std::strlen(out.c_str()));
  return out == "MISSING" || out == "not_found" ? std::string() : out;
}

long handle_reader::read_integer(const char* key, long absent) const {
  long out = 0;
  return library_.codes_get_long(handle_, key, &out) == 0 && !is_missing(out) ? out : absent;
}

double handle_reader::read_real(const char* key, double absent) const {
  double out = 0;
  return library_.codes_get_double(handle_, key, &out) == 0 && std::isfinite(out) ? out : absent;
}

bool handle_reader::read_array(const char* key, int type, std::size_t size, cbor_value& out) const {
  std::vector<cbor_value> items;
  if (type == type_long) {
    std::vector<long> values(size);
    if (library_.codes_get_long_array(handle_, key, values.data(), &size) != 0 || size > values.size()) return false;
    items.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(size));
  } else {
    std::vector<double> values(size);
    if (library_.codes_get_double_array(handle_, key, values.data(), &size) != 0 || size > values.size()) return false;
    if (!std::all_of(values.begin(), values.end(), [](double each) { return std::isfinite(each); })) return false;
    items.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(size));
  }
  out = cbor_value::array(items);
  return true;
}

bool handle_reader::read_bytes(const char* key, cbor_value& out) const {
  std::size_t size = 0;
  if (library_.codes_get_length(handle_, key, &size) != 0 || size > max_text) return false;
  std::vector<unsigned char> bytes(size + 1);
  if (library_.codes_get_bytes(handle_, key, bytes.data(), &size) != 0 || size > bytes.size()) return false;
  out = cbor_value::bytes(std::as_bytes(std::span(bytes).first(size)));
  return true;
}

bool handle_reader::read(const char* key, cbor_value& out) const {
  int type = 0;
  std::size_t size = 0;
  if (library_.codes_get_native_type(handle_, key, &type) != 0 || library_.codes_get_size(handle_, key, &size) != 0)
    return false;
  if ((type == type_long || type == type_double) && size != 1)
    return size > 1 && size <= max_array && read_array(key, type, size, out);
  switch (type) {
    case type_long: {
      long value = 0;
      if (library_.codes_get_long(handle_, key, &value) != 0 || is_missing(value)) return false;
      out = value;
      return true;
    }
    case type_double: {
      double value = 0;
      if (library_.codes_get_double(handle_, key, &value) != 0 || !std::isfinite(value)) return false;
      out = value;
      return true;
    }
    case type_string: {
      const std::string value = read_text(key);
      out = value;
      return !value.empty();
    }
    case type_bytes: return read_bytes(key, out);
    default: return false;
  }
}

/// ecCodes counts to the end of the forecast month by month, and never ends with a unit that is unknown.
bool handle_reader::has_valid_time() const {
  constexpr std::array<long, 10> units{0, 1, 2, 3, 10, 11, 12, 13, 14, 254};
  constexpr long max_step = 10'000'000;  // hours: a thousand years
  const long unit = read_integer("indicatorOfUnitOfTimeRange", 1), step = read_integer("endStep", 0);
  return std::find(units.begin(), units.end(), unit) != units.end() && step >= -max_step && step <= max_step;
}

named_keys handle_reader::read_namespace(const char* name) const {
  std::vector<std::string> names;
  grib_keys_iterator* const at = library_.codes_keys_iterator_new(handle_, skip_duplicates, name);
  if (at == nullptr) return {};
  try {
    while (library_.codes_keys_iterator_next(at) != 0)
      if (const char* const key = library_.codes_keys_iterator_get_name(at)) names.emplace_back(key);
  } catch (...) {
    library_.codes_keys_iterator_delete(at);
    throw;
  }
  library_.codes_keys_iterator_delete(at);

  named_keys out;
  cbor_value value;
  const bool skips_validity = std::string_view(name) == "time" && !has_valid_time();
  for (const std::string& each : names)
    if (!(skips_validity && each.starts_with("validity")) && read(each.c_str(), value)) out.emplace_back(each, value);
  return out;
}

}  // namespace tgmap::bridge::grib
