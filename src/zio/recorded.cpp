// SPDX-License-Identifier: Apache-2.0
#include "zio/recorded.hpp"

#include <string_view>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

/// Bytes as text where they are UTF-8.
item text_or_bytes(std::string_view bytes) {
  item text(bytes);
  if (text.view().get<std::string_view>() == bytes) return text;
  return item::bytes(std::as_bytes(std::span(bytes)));
}

std::optional<std::string> bytes_in(const std::optional<value>& from) {
  if (!from) return std::nullopt;
  if (from->type() == kind::text) return from->text();
  if (from->type() != kind::bytes) return std::nullopt;
  const item whole = item::copy(*from);  // which may lie in pieces
  const auto bytes = whole.view().as<std::span<const std::byte>>();
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::optional<std::uint64_t> number_in(const value& map, std::string_view key) {
  const auto found = map.find(key);
  return found ? found->get<std::uint64_t>() : std::nullopt;
}

bool is_true(const value& map, std::string_view key) {
  const auto found = map.find(key);
  return found && found->get<bool>() == true;
}

}  // namespace

std::optional<recorded_headers> read_recorded(const value& map) {
  if (map.type() != kind::map) return std::nullopt;
  const auto level = number_in(map, "level"), origin = number_in(map, "origin"), granule = number_in(map, "granule"),
             seqno = number_in(map, "seqno");
  const auto form = bytes_in(map.find("form"));
  if (!level || *level > static_cast<std::uint64_t>(level::fatal) || !origin || !granule || !seqno || !form ||
      form->size() != 4)
    return std::nullopt;
  recorded_headers out;
  out.level = static_cast<zio::level>(*level);
  out.form = std::string_view(*form);
  out.origin = *origin;
  out.granule = *granule;
  out.seqno = *seqno;
  if (const auto label = map.find("label")) {
    out.label = bytes_in(label);
    if (!out.label) return std::nullopt;
  }
  out.encoded = is_true(map, "encoded");
  out.raw_words = is_true(map, "raw_words");
  if (const auto long_ones = map.find("long_lengths"))
    long_ones->visit([&](std::uint64_t, const value& number) {
      if (const auto n = number.get<std::uint64_t>()) out.spelling.long_lengths.push_back(*n);
      return true;
    });
  return out;
}

item write_recorded(const message& m, const frame_spelling& spelling, const recorded_besides& more) {
  std::vector<item::pair> pairs{{"level", static_cast<std::uint64_t>(m.level)},
                                {"form", text_or_bytes(m.form.text())},
                                {"origin", m.origin},
                                {"granule", m.granule},
                                {"seqno", m.seqno}};
  if (more.label) pairs.emplace_back("label", text_or_bytes(m.label));
  if (!spelling.long_lengths.empty()) pairs.emplace_back("long_lengths", item::array(spelling.long_lengths));
  if (more.metadata.type() != kind::null) pairs.emplace_back("metadata", more.metadata);
  if (more.encoded) pairs.emplace_back("encoded", true);
  if (more.raw_words) pairs.emplace_back("raw_words", true);
  return item::map(pairs);
}

bool has_headers(const message& m, const frame_spelling& spelling) noexcept {
  return m.level != level::undefined || m.form != tens_form || m.origin != 0 || m.granule != 0 || m.seqno != 0 ||
         !spelling.long_lengths.empty();
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
