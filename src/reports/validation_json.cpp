// SPDX-License-Identifier: Apache-2.0
#include "reports/validation_json.hpp"

#include <string_view>

#include "core/text/hex.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::reports {

namespace {

json finding_json(const finding& what, std::uint64_t message_offset, bool with_offset) {
  json out{{"code", to_string_view(what.code)},
           {"level", to_string_view(what.level)},
           {"severity", to_string_view(what.severity)}};
  if (what.object) out["object_index"] = *what.object;
  if (has_reference_offset(what.code)) out["byte_offset"] = what.offset - message_offset;
  if (with_offset) out.update({{"archive_offset", what.offset}, {"message", *what.message}});
  out["description"] = what.text;
  return out;
}

/// Returns an element of `message_reports`.
json report_json(const message_report& verdict, bool with_offsets) {
  json issues = json::array();
  for (const finding& each : verdict.findings)
    if (each.severity != severity::note) issues.push_back(finding_json(each, verdict.message.offset(), with_offsets));
  return {{"issues", issues}, {"object_count", verdict.objects}, {"hash_verified", verdict.hash_verified}};
}

std::string member(std::string_view before, std::string_view name, const json& value) {
  return std::string(before).append("\"").append(name).append("\": ").append(ascii_json(value));
}

}  // namespace

bool has_reference_offset(finding_code code) noexcept {
  if (code >= finding_code::metadata_cbor_parse_failed && code <= finding_code::reserved_missing_tensor) return false;
  switch (code) {
    case finding_code::footer_offset_mismatch:
    case finding_code::dangling_preceder:
    case finding_code::no_metadata_frame:
    case finding_code::no_hash_available:
    case finding_code::unknown_hash_algorithm: return false;
    default: return true;
  }
}

bool is_hash_verified(const validation_result& found) noexcept {
  return found.messages > 0 && found.messages_verified == found.messages;
}

validation_json::validation_json(const std::string& file, bool is_first, bool with_offsets, core::text_sink& out)
    : out_(out), with_offsets_(with_offsets) {
  std::string text = (is_first ? "\n" : ",\n") + member("  {", "file", file);
  if (!core::is_utf8(file)) text += ",\n   " + member("", "file_hex", core::hex_text(file));
  out_.take(text + ",\n   \"file_issues\": [");
}

void validation_json::unclaimed_bytes(const finding& what) {
  put_item({{"byte_offset", what.offset}, {"length", what.length}, {"description", what.text}});
}

void validation_json::message(const message_report& verdict) {
  begin_reports();
  put_item(report_json(verdict, with_offsets_));
}

void validation_json::finish(const validation_result& found, const failure& why) {
  begin_reports();
  std::string out = "],\n";
  out += member("   ", "status", found.is_sound() && !why ? "ok" : "failed") + ",\n";
  out += member("   ", "messages", found.messages) + ",\n" + member("   ", "objects", found.objects) + ",\n";
  out += member("   ", "hash_verified", is_hash_verified(found) && !why);
  if (found.objects_not_decoded != 0) out += ",\n" + member("   ", "not_decoded", found.objects_not_decoded);
  if (why) out += ",\n" + member("   ", "error", why.text());
  out_.take(out + "}");
}

void validation_json::put_item(const json& value) {
  out_.take((has_items_ ? ",\n     " : "\n     ") + ascii_json(value));
  has_items_ = true;
}

void validation_json::begin_reports() {
  if (in_reports_) return;
  out_.take("],\n   \"message_reports\": [");
  in_reports_ = true;
  has_items_ = false;
}

}  // namespace tgmap::reports
