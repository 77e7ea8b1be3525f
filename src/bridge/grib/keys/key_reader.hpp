// SPDX-License-Identifier: Apache-2.0
// Keys of GRIB fields, as ecCodes names them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <tgmap/write/cbor_value.hpp>
#include <utility>
#include <vector>

#include "bridge/grib/keys/namespace_keys.hpp"
#include "bridge/grib/sections/field.hpp"
#include "bridge/grib/sections/packing.hpp"

namespace tgmap::bridge::grib {

/// Options of key_reader.
struct key_options {
  /// Namespaces of ecCodes that are stored as `grib.NAME`: "ls", "geography", "time", "vertical", "parameter". Default:
  /// none. "statistics" is empty, since ecCodes does not get the values.
  std::vector<std::string> namespaces{};
  /// Results that are kept, at most. Default: enough for an hour of an ensemble.
  std::size_t max_cached_fields = 4096;
  std::size_t max_cached_bytes = std::size_t{32} << 20U;
};

/// A `key_reader` gives the keys of fields that `base[i]` of a message has:
///
/// - `mars.*`: the keys of ecCodes' namespace in their own types, without missing ones. `mars.grid` is the type of the
///   grid ("regular_ll"), or its name ("O320", "N320", "F320", "H128") if it covers the globe and is not rotated;
///   `mars.area` has north, west, south and east of regular_ll in the default scanning order. `mars.number` is 0 for
///   the control forecast of an ensemble, `mars.ordering` "nested" for such a HEALPix grid.
/// - `name`: the short name, "2t", unless it is unknown.
/// - `grib.geography.NAME` = 1 for flags of the scanning order that are not the default ones.
/// - `grib.*`: the namespaces of the options.
///
/// Fields of equal sections 1 to 4 need one call of ecCodes.
/// Thread safety: any number of threads; ecCodes serves one at a time.
class key_reader {
 public:
  explicit key_reader(key_options options = {}) : options_(std::move(options)) {}

  /// Returns the keys of a field as a map.
  /// Complexity: that of ecCodes, about a millisecond; linear in sections 1 to 4 if they were read before.
  /// Errors: eccodes_absent, eccodes_failed, those of read_grid_shape, of read_packing for namespaces, out_of_memory.
  cbor_value read(const field&, failure& why) noexcept;

  /// Returns the number of fields that ecCodes has read.
  std::uint64_t calls() const noexcept;

 private:
  using digest = std::pair<std::uint64_t, std::uint64_t>;
  /// The bytes that a result depends on. They are compared, too, because digests may be forged to be equal.
  struct cache_key {
    grib::key_reader::digest digest{};
    std::vector<std::byte> sections{};
  };
  struct cache_entry {
    grib::key_reader::digest digest{};
    std::vector<std::byte> sections{};
    cbor_value keys{};
  };

  bool find(const cache_key&, cbor_value& out);
  void remember(cache_key, const cbor_value& keys);
  cbor_value read_by_eccodes(const field&, failure&);
  cbor_value read_handle(const handle_reader&) const;
  void count_call() noexcept;

  key_options options_;
  std::mutex reading_{};              // of a result that is not in the cache
  mutable std::mutex mutex_{};        // of the members below
  std::list<cache_entry> entries_{};  // the most recent first
  std::map<digest, std::list<cache_entry>::iterator> places_{};
  std::size_t bytes_ = 0;
  std::uint64_t calls_ = 0;
};

}  // namespace tgmap::bridge::grib
