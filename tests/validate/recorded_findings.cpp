// SPDX-License-Identifier: Apache-2.0
#include "recorded_findings.hpp"

#include <stdexcept>

namespace tgmap_test {

void recorded_findings::unclaimed_bytes(const tgmap::finding& found) { unclaimed.push_back(found); }

void recorded_findings::message(const tgmap::message_report& found) {
  messages.push_back({found.index,
                      found.message.offset(),
                      found.objects,
                      found.objects_not_decoded,
                      found.hash_verified,
                      {found.findings.begin(), found.findings.end()}});
}

std::set<std::string> recorded_findings::codes() const {
  std::set<std::string> out;
  for (const recorded_message& each : messages)
    for (const tgmap::finding& one : each.findings)
      out.insert(std::string(to_string_view(one.severity)) + ": " + std::string(to_string_view(one.code)));
  return out;
}

const tgmap::finding& recorded_findings::only(tgmap::finding_code code) const {
  const tgmap::finding* out = nullptr;
  for (const recorded_message& each : messages)
    for (const tgmap::finding& one : each.findings)
      if (one.code == code) {
        if (out != nullptr) throw std::runtime_error("more than one " + std::string(to_string_view(code)));
        out = &one;
      }
  if (out == nullptr) throw std::runtime_error("no " + std::string(to_string_view(code)));
  return *out;
}

recorded_findings check(const tgmap::archive& archive, const tgmap::validate_options& options) {
  recorded_findings out;
  out.result = tgmap::validate(archive, options, out);
  return out;
}

recorded_findings check(const bytes& data, tgmap::validation_mode mode) {
  return check(tgmap::archive::from_memory(span_of(data), {.damage = tgmap::on_damage::skip}), {.mode = mode});
}

}  // namespace tgmap_test
