// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/query/metadata_key.hpp>
#include <variant>

#include "json/cbor_text.hpp"

namespace tgmap::json_text {

/// Writes the value that a key has, with its type: null if there is none.
struct key_writer {
  writer<>& to;
  void operator()(std::monostate) const { to.null(); }
  void operator()(const cbor_view& item) const {
    memory_limit no_limit;
    put_cbor(to, item, no_limit);
  }
  void operator()(std::uint64_t n) const { to.integer(n); }
  void operator()(bool b) const { to.boolean(b); }
  void operator()(std::string_view text) const { to.string(text); }
  void operator()(std::span<const std::uint64_t> list) const {
    to.begin_array();
    for (const std::uint64_t each : list) to.integer(each);
    to.end_array();
  }
};

inline void put_key(writer<>& to, const key_result& value) { std::visit(key_writer{to}, value.get()); }

}  // namespace tgmap::json_text
