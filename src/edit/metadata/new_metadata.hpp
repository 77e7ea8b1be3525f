// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tgmap/write/cbor_value.hpp>
#include <utility>
#include <vector>

#include "edit/metadata/editable_key.hpp"

namespace tgmap::edit {

/// Why a value is no metadata of new objects and messages.
struct new_metadata_fault {
  enum class kind : std::uint8_t {
    none,
    no_map,        ///< the value is not a map
    other_keys,    ///< it has keys besides `base` and `extra`, or one of these has the wrong type
    no_base_map,   ///< element `number` of `base` is not a map
    reserved_key,  ///< a map has the key `_reserved_`, which belongs to the writer
  };
  kind what = kind::none;
  std::uint64_t number = 0;
};

/// A `new_metadata` object has the metadata for new objects and messages.
class new_metadata {
 public:
  /// Takes a map: keys for every object, or {"base": [{…}, …], "extra": {…}} for each object and the message.
  new_metadata_fault take(const cbor_value&);

  /// Sets a key of every object, or of the message if it begins with "extra.". Errors: those of
  /// editable_key::parse_new; bad_key (no_object: the key belongs to one object; no_element). Calls `value` if the key
  /// is one of these; what it throws passes through.
  void set(std::string_view key, const std::function<cbor_value()>& value, failure&);

  /// Returns false if the number of objects of which the keys are listed is too small for `objects`.
  bool covers(std::size_t objects) const noexcept { return !is_listed_ || objects <= each_.size(); }

  /// Returns the number of objects of which the keys are listed; 0 if they are the same for all.
  std::size_t listed() const noexcept { return each_.size(); }

  /// Returns the keys of object `j`, which must be covered: `name` if not empty, then those that were taken, then those
  /// that were set; later ones win.
  cbor_value base(std::size_t j, std::string_view name) const;

  /// Returns the keys of every message.
  const cbor_value& extra() const noexcept { return extra_; }

 private:
  std::vector<cbor_value> each_{};  ///< keys of each object, if `is_listed_`
  bool is_listed_ = false;
  cbor_value all_ = cbor_value::map(), extra_ = cbor_value::map();
  std::vector<std::pair<std::string, cbor_value>> assigned_{};
};

}  // namespace tgmap::edit
