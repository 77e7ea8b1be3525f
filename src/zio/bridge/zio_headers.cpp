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

bool is_string(const cbor_view& value) { return value.kind() == cbor_kind::text || value.kind() == cbor_kind::bytes; }

}  // namespace

void read_bytes(const cbor_view& value, std::string& into) {
  if (const auto text = value.get<std::string_view>()) {
    into = *text;
  } else if (value.kind() == cbor_kind::text) {
    into = value.text();
  } else {
    const cbor_value joined = cbor_value::copy(value);  // joins a string in pieces
    const auto bytes = joined.view().as<std::span<const std::byte>>();
    into.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
}

std::optional<zio_headers> read_zio_headers(const cbor_view& map) {
  if (map.kind() != cbor_kind::map) return std::nullopt;
  zio_headers out;
  std::optional<std::uint64_t> level, origin, granule, seqno;
  std::string form;
  bool is_valid = true;
  // A lookup of each key would be a scan each.
  map.visit([&](const cbor_view& key, const cbor_view& value) {
    const std::string_view name = key.get<std::string_view>().value_or(std::string_view());
    if (name == "level") {
      level = value.get<std::uint64_t>();
    } else if (name == "origin") {
      origin = value.get<std::uint64_t>();
    } else if (name == "granule") {
      granule = value.get<std::uint64_t>();
    } else if (name == "seqno") {
      seqno = value.get<std::uint64_t>();
    } else if (name == "form") {
      if (is_string(value)) read_bytes(value, form);
    } else if (name == "label") {
      is_valid = is_string(value);
      out.label = value;
    } else if (name == "encoded") {
      out.is_encoded = value.get<bool>() == true;
    } else if (name == "raw_words") {
      out.has_raw_words = value.get<bool>() == true;
    } else if (name == "long_lengths") {
      value.visit([&](std::uint64_t, const cbor_view& number) {
        if (const auto n = number.get<std::uint64_t>()) out.format.long_lengths.push_back(*n);
        return true;
      });
    }
    return true;
  });
  if (!is_valid || !level || *level > static_cast<std::uint64_t>(zio::level::fatal) || !origin || !granule || !seqno ||
      form.size() != 4)
    return std::nullopt;
  out.level = static_cast<zio::level>(*level);
  out.form = std::string_view(form);
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
  if (extra.has_label) pairs.emplace_back("label", text_or_bytes(m.label));
  if (!format.long_lengths.empty()) pairs.emplace_back("long_lengths", cbor_value::array(format.long_lengths));
  if (extra.metadata.kind() != cbor_kind::null) pairs.emplace_back("metadata", extra.metadata);
  if (extra.is_encoded) pairs.emplace_back("encoded", true);
  if (extra.has_raw_words) pairs.emplace_back("raw_words", true);
  return cbor_value::map(pairs);
}

bool has_headers(const message& m, const frame_format& format) noexcept {
  return m.level != level::undefined || m.form != tens_form || m.origin != 0 || m.granule != 0 || m.seqno != 0 ||
         !format.long_lengths.empty();
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
