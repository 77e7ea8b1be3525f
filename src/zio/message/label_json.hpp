// SPDX-License-Identifier: Apache-2.0
// The JSON of labels: read as a sequence of events, written byte for byte as ZIO's own writer formats it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/cbor_view.hpp>
#include <tgmap/zio/label.hpp>

#include "core/text/text_sink.hpp"
#include "json/value_builder.hpp"
#include "json/writer.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

[[noreturn]] inline void throw_bad_label() { detail::raise({.code = errc::bad_label}); }

/// Parses a label and passes its values to a handler. An empty label has no values.
/// Errors: bad_label, label_too_deep. The handler may have received values already.
failure read_json(std::string_view text, json_text::value_handler&);

/// A `label_writer` writes JSON to a string as ZIO's own writer formats it, without floats.
using label_writer = json_text::writer<core::text_builder>;

/// Writes a float. nlohmann-json prints it, as in ZIO: another last digit than the writer's, which is the nearest, in
/// 14 % of the values of float32.
void put_float(label_writer&, double);

/// Write text and keys.
/// Errors: bad_label (not UTF-8), thrown.
void put_text(label_writer&, std::string_view text);
label_writer& put_key(label_writer&, std::string_view name);

/// Writes numbers as an array.
void put_numbers(label_writer&, std::span<const std::uint64_t> numbers);

/// Writes a map with its pairs sorted by key. `put_member` writes the values.
/// Errors: bad_label (a key is not a text), thrown.
void put_object(label_writer&, const cbor_view& map, const std::function<void(const cbor_view&)>& put_member);

/// Writes any value.
/// Errors: bad_label (JSON has no such value), thrown.
/// Complexity: O(n log n) in the bytes.
void put_value(label_writer&, const cbor_view&);

/// Returns the JSON that `write(label_writer&)` writes.
template <class Write>
std::string json_of(Write&& write) {
  std::string out;
  core::text_builder to(out);
  label_writer json(to);
  write(json);
  return out;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
