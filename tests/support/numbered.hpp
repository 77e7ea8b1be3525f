// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <support/bytes.hpp>
#include <support/samples.hpp>
#include <tgmap/tgmap.hpp>

namespace tgmap_test {

/// Returns the argument `n` of numbered() that made the message.
inline std::uint64_t number_of(const tgmap::message& m) { return m.base(0).get<std::uint64_t>("n").value(); }

/// Returns true if the message is the result of numbered().
inline bool sound(const tgmap::message& m) {
  const auto n = number_of(m);
  const auto payload = m[0].payload();
  return view_of(payload) == payload_of(static_cast<unsigned>(n), payload.size());
}

inline tgmap::archive open(const bytes& data, const tgmap::open_options& options = {}) {
  return tgmap::archive::from_memory(span_of(data), options);
}

inline tgmap::archive open_skipping(const bytes& data) { return open(data, {.damage = tgmap::on_damage::skip}); }

}  // namespace tgmap_test
