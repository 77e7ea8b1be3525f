// SPDX-License-Identifier: Apache-2.0
#include "zio/bridge/zio_headers.hpp"

#include <string_view>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

/// Returns bytes as a text if they are UTF-8, otherwise as a byte string.
cbor_value text_or_bytes(std::string_view bytes) {
  cbor_value text(bytes);
  if (text.view().get<std::string_view>() == bytes) return text;
  return cbor_value::bytes(std::as_bytes(std::span(bytes)));
}

std::optional<std::string> read_bytes(const cbor_view& from) {
  if (const auto text = from.get<std::string_view>()) return std::string(*text);
  if (from.kind() == cbor_kind::text) return from.text();
  if (from.kind() != cbor_kind::bytes) return std::nullopt;
  const cbor_value whole = cbor_value::copy(from);  // joins a string in pieces
  const auto bytes = whole.view().as<std::span<const std::byte>>();
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace

std::optional<zio_headers> read_zio_headers(const cbor_view& map) {
  if (map.kind() != cbor_kind::map) return std::nullopt;
  zio_headers out;
  std::optional<std::uint64_t> level, origin, granule, seqno;
  std::optional<std::string> form;
  bool has_label = false;
  // A lookup of each key would be a scan each.
  map.visit([&](const cbor_view& key, const cbor_view& value) {
    const std::string_view name = key.get<std::string_view>().value_or(std::string_view());
    if (name == "level") level = value.get<std::uint64_t>();
    if (name == "origin") origin = value.get<std::uint64_t>();
    if (name == "granule") granule = value.get<std::uint64_t>();
    if (name == "seqno") seqno = value.get<std::uint64_t>();
    if (name == "form") form = read_bytes(value);
    if (name == "label") {
      has_label = true;
      out.label = read_bytes(value);
    }
    if (name == "encoded") out.encoded = value.get<bool>() == true;
    if (name == "raw_words") out.raw_words = value.get<bool>() == true;
    if (name == "long_lengths")
      value.visit([&](std::uint64_t, const cbor_view& number) {
        if (const auto n = number.get<std::uint64_t>()) out.format.long_lengths.push_back(*n);
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

cbor_value write_zio_headers(const message& m, const frame_format& format, const zio_extra& extra) {
  std::vector<cbor_value::pair> pairs{{"level", static_cast<std::uint64_t>(m.level)},
                                      {"form", text_or_bytes(m.form.text())},
                                      {"origin", m.origin},
                                      {"granule", m.granule},
                                      {"seqno", m.seqno}};
  if (extra.label) pairs.emplace_back("label", text_or_bytes(m.label));
  if (!format.long_lengths.empty()) pairs.emplace_back("long_lengths", cbor_value::array(format.long_lengths));
  if (extra.metadata.kind() != cbor_kind::null) pairs.emplace_back("metadata", extra.metadata);
  if (extra.encoded) pairs.emplace_back("encoded", true);
  if (extra.raw_words) pairs.emplace_back("raw_words", true);
  return cbor_value::map(pairs);
}

bool has_headers(const message& m, const frame_format& format) noexcept {
  return m.level != level::undefined || m.form != tens_form || m.origin != 0 || m.granule != 0 || m.seqno != 0 ||
         !format.long_lengths.empty();
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
