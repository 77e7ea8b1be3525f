// SPDX-License-Identifier: Apache-2.0
// The keys of one namespace of ecCodes, in their own types.
#pragma once

#include <string>
#include <string_view>
#include <tgmap/write/cbor_value.hpp>
#include <utility>
#include <vector>

#include "bridge/grib/eccodes/eccodes_library.hpp"

namespace tgmap::bridge::grib {

/// Keys of a map, which are not sorted yet.
using named_keys = std::vector<std::pair<std::string, cbor_value>>;

/// Returns the map of some keys. Errors: throws std::bad_alloc.
cbor_value map_of(const named_keys&);

/// A `handle_reader` reads keys of a handle. Keys without a value, or with one that ecCodes calls missing, are absent.
/// Thread safety, lifetime: within an `eccodes_call` and the life of the handle.
class handle_reader {
 public:
  handle_reader(const eccodes_library& library, grib_handle* handle) noexcept : library_(library), handle_(handle) {}

  /// Returns the keys of a namespace, such as "mars", in ecCodes' order. Arrays of more than 8192 numbers are left out.
  /// Errors: throws std::bad_alloc.
  named_keys read_namespace(const char* name) const;

  /// Returns a key as text, "" if it is absent. Errors: throws std::bad_alloc.
  std::string read_text(const char* key) const;
  /// Returns a number, or `absent`.
  long read_integer(const char* key, long absent) const;
  double read_real(const char* key, double absent) const;

 private:
  bool has_valid_time() const;
  bool read(const char* key, cbor_value& out) const;
  bool read_array(const char* key, int type, std::size_t size, cbor_value& out) const;
  bool read_bytes(const char* key, cbor_value& out) const;

  const eccodes_library& library_;
  grib_handle* handle_;
};

}  // namespace tgmap::bridge::grib
