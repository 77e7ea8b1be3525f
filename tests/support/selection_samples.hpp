// SPDX-License-Identifier: Apache-2.0
// Sample archives of docs/selection.md and of the recorded results of the reference implementation, and lookups in
// them.
#pragma once

#include <string>
#include <string_view>
#include <support/numbered.hpp>
#include <tgmap/query/selection.hpp>

namespace tgmap_test {

inline bytes mars(std::string_view param, std::int64_t step) {
  return cbor::map({cbor::key("class", cbor::text("od")), cbor::key("step", cbor::integer(step)),
                    cbor::key("param", cbor::text(param)), cbor::key("levelist", cbor::numbers({500, 850}))});
}

inline object_spec grid() {
  object_spec out = numbers_object<float>("float32", {1, 2, 3, 4, 5, 6});
  out.shape = {2, 3};
  return out;
}

/// Returns six messages: params 2t and 10u in turn, steps 0, 0, 6, 6, 12, 12, message-wide keys source, ok and x.
inline bytes six_messages() {
  bytes out;
  for (int i = 0; i < 6; ++i) {
    const std::string_view param = i % 2 == 0 ? "2t" : "10u";
    out +=
        message({.objects = {grid()},
                 .base = {cbor::map({cbor::key("name", cbor::text(param)), cbor::key("mars", mars(param, i / 2 * 6))})},
                 .extra = {cbor::key("x", cbor::real(1.5)), cbor::key("ok", cbor::boolean(true)),
                           cbor::key("source", cbor::text("demo"))}});
  }
  return out;
}

/// Returns a message of two objects, a and b, with the message-wide key title. Only b has a unit.
inline bytes two_named_objects() {
  const auto named = [](std::string_view name) { return std::vector{cbor::key("name", cbor::text(name))}; };
  auto b = named("b");
  b.push_back(cbor::key("unit", cbor::text("K")));
  return message({.objects = {grid(), bytes_object("abcd")},
                  .base = {cbor::map(named("a")), cbor::map(b)},
                  .extra = {cbor::key("title", cbor::text("two")), cbor::key("name", cbor::text("message-wide"))}});
}

/// Returns a message of one object with these keys.
inline bytes with_keys(const std::vector<cbor::pair>& keys) {
  return message({.objects = {bytes_object("abcd")}, .base = {cbor::map(keys)}});
}

/// Returns the printed text of a key, or "-" if there is none.
inline std::string text_of(const tgmap::message& m, std::string_view key) {
  tgmap::key_lookup lookup(m);
  const tgmap::key_result found = lookup.find(tgmap::metadata_key(key));
  return found ? found.text() : "-";
}

inline std::string text_of(const tgmap::message& m, std::size_t object, std::string_view key) {
  tgmap::key_lookup lookup(m, m[object]);
  const tgmap::key_result found = lookup.find(tgmap::metadata_key(key));
  return found ? found.text() : "-";
}

/// Returns the numbers of the selected messages: "0 2 4".
inline std::string selected(const bytes& data, const tgmap::selection& wanted) {
  const auto archive = open(data);
  std::string out;
  for (const tgmap::message& m : archive)
    if (wanted.matches(m)) out += (out.empty() ? "" : " ") + std::to_string(*m.index());
  return out;
}

inline std::string selected(const bytes& data, std::string_view text) { return selected(data, tgmap::selection(text)); }

}  // namespace tgmap_test
