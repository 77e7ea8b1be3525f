// SPDX-License-Identifier: Apache-2.0
#include "cli/verdict.hpp"

#include <fmt/format.h>

#include "cli/escape.hpp"

namespace tgmap::cli {

namespace {

/// Whether the reference states an offset with findings of this code. Ours always have one.
bool states_offset(finding_code code) noexcept {
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

json finding_json(const finding& what, std::uint64_t message_offset, bool with_offset) {
  json out{{"code", to_string_view(what.code)},
           {"level", to_string_view(what.level)},
           {"severity", to_string_view(what.severity)}};
  if (what.object) out["object_index"] = *what.object;
  if (states_offset(what.code)) out["byte_offset"] = what.offset - message_offset;
  if (with_offset) out.update({{"archive_offset", what.offset}, {"message", *what.message}});
  out["description"] = what.text;
  return out;
}

std::string_view heading(severity how) noexcept {
  return how == severity::error ? "FAILED" : how == severity::warning ? "WARNING" : "NOTE";
}

}  // namespace

std::string passage_line(const std::string& file, const finding& what) {
  return fmt::format("{}: WARNING — {} (at byte offset {}, {} bytes)\n", escaped(file), escaped(what.text), what.offset,
                     what.length);
}

std::string finding_line(const std::string& file, const finding& what, std::uint64_t message_offset, bool with_offset) {
  const std::string object = what.object ? fmt::format(", object {}", *what.object + 1) : "";
  const std::string place = states_offset(what.code) ? fmt::format(" (at byte {})", what.offset - message_offset) : "";
  const std::string offset = with_offset ? fmt::format(" (archive offset {})", what.offset) : "";
  return fmt::format("{}: {} — message {}{}: {}{}{}\n", escaped(file), heading(what.severity), *what.message + 1,
                     object, escaped(what.text), place, offset);
}

std::string summary_line(const std::string& file, const validation_result& found) {
  if (found.errors == 0)
    return fmt::format("{}: OK ({} messages, {} objects{})\n", escaped(file), found.messages, found.objects,
                       hash_verified(found) ? ", hash verified" : "");
  return fmt::format("{}: FAILED ({} {}, {} messages, {} objects)\n", escaped(file), found.errors,
                     found.errors == 1 ? "error" : "errors", found.messages, found.objects);
}

json passage_json(const finding& what) {
  return {{"byte_offset", what.offset}, {"length", what.length}, {"description", what.text}};
}

json report_json(const message_report& verdict, bool with_offsets) {
  json issues = json::array();
  for (const finding& each : verdict.findings)
    if (each.severity != severity::note) issues.push_back(finding_json(each, verdict.message.offset(), with_offsets));
  return {{"issues", issues}, {"object_count", verdict.objects}, {"hash_verified", verdict.hash_verified}};
}

bool hash_verified(const validation_result& found) noexcept {
  return found.messages > 0 && found.messages_verified == found.messages;
}

}  // namespace tgmap::cli
