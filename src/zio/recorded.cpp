// SPDX-License-Identifier: Apache-2.0
#include "zio/recorded.hpp"

#include <string_view>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

/// Bytes as text where they are UTF-8.
cbor_value text_or_bytes(std::string_view bytes) {
  cbor_value text(bytes);
  if (text.view().get<std::string_view>() == bytes) return text;
  return cbor_value::bytes(std::as_bytes(std::span(bytes)));
}

std::optional<std::string> bytes_in(const cbor_view& from) {
  if (const auto text = from.get<std::string_view>()) return std::string(*text);
  if (from.kind() == cbor_kind::text) return from.text();
  if (from.kind() != cbor_kind::bytes) return std::nullopt;
  const cbor_value whole = cbor_value::copy(from);  // which may lie in pieces
  const auto bytes = whole.view().as<std::span<const std::byte>>();
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace

std::optional<recorded_headers> read_recorded(const cbor_view& map) {
  if (map.kind() != cbor_kind::map) return std::nullopt;
  recorded_headers out;
  std::optional<std::uint64_t> level, origin, granule, seqno;
  std::optional<std::string> form;
  bool has_label = false;
  // One walk: looking each key up by itself would be one for each.
  map.visit([&](const cbor_view& key, const cbor_view& one) {
    const std::string_view name = key.get<std::string_view>().value_or(std::string_view());
    if (name == "level") level = one.get<std::uint64_t>();
    if (name == "origin") origin = one.get<std::uint64_t>();
    if (name == "granule") granule = one.get<std::uint64_t>();
    if (name == "seqno") seqno = one.get<std::uint64_t>();
    if (name == "form") form = bytes_in(one);
    if (name == "label") {
      has_label = true;
      out.label = bytes_in(one);
    }
    if (name == "encoded") out.encoded = one.get<bool>() == true;
    if (name == "raw_words") out.raw_words = one.get<bool>() == true;
    if (name == "long_lengths")
      one.visit([&](std::uint64_t, const cbor_view& number) {
        if (const auto n = number.get<std::uint64_t>()) out.spelling.long_lengths.push_back(*n);
        return true;
      });
    return true;
  });
  if (!level || *level > static_cast<std::uint64_t>(zio::level::fatal) || !origin || !granule || !seqno || !form ||
      form->size() != 4 || (has_label && !out.label))
    return std::nullopt;
  out.level = static_cast<zio::level>(*level);
  out.form = std::string_view(*form);
  out.origin = *origin;
  out.granule = *granule;
  out.seqno = *seqno;
  return out;
}

cbor_value write_recorded(const message& m, const frame_format& spelling, const recorded_besides& more) {
  std::vector<cbor_value::pair> pairs{{"level", static_cast<std::uint64_t>(m.level)},
                                      {"form", text_or_bytes(m.form.text())},
                                      {"origin", m.origin},
                                      {"granule", m.granule},
                                      {"seqno", m.seqno}};
  if (more.label) pairs.emplace_back("label", text_or_bytes(m.label));
  if (!spelling.long_lengths.empty()) pairs.emplace_back("long_lengths", cbor_value::array(spelling.long_lengths));
  if (more.metadata.kind() != cbor_kind::null) pairs.emplace_back("metadata", more.metadata);
  if (more.encoded) pairs.emplace_back("encoded", true);
  if (more.raw_words) pairs.emplace_back("raw_words", true);
  return cbor_value::map(pairs);
}

bool has_headers(const message& m, const frame_format& spelling) noexcept {
  return m.level != level::undefined || m.form != tens_form || m.origin != 0 || m.granule != 0 || m.seqno != 0 ||
         !spelling.long_lengths.empty();
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
