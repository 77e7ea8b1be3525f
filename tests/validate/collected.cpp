// SPDX-License-Identifier: Apache-2.0
#include "collected.hpp"

#include <stdexcept>

namespace tgmap_test {

void collected::unclaimed_bytes(const tgmap::finding& found) { passages.push_back(found); }

void collected::message(const tgmap::message_report& found) {
  messages.push_back({found.index,
                      found.message.offset(),
                      found.objects,
                      found.objects_not_decoded,
                      found.hash_verified,
                      {found.findings.begin(), found.findings.end()}});
}

std::set<std::string> collected::said() const {
  std::set<std::string> out;
  for (const verdict& each : messages)
    for (const tgmap::finding& one : each.findings)
      out.insert(std::string(to_string_view(one.severity)) + ": " + std::string(to_string_view(one.code)));
  return out;
}

const tgmap::finding& collected::the(tgmap::finding_code code) const {
  const tgmap::finding* out = nullptr;
  for (const verdict& each : messages)
    for (const tgmap::finding& one : each.findings)
      if (one.code == code) {
        if (out != nullptr) throw std::runtime_error("more than one " + std::string(to_string_view(code)));
        out = &one;
      }
  if (out == nullptr) throw std::runtime_error("no " + std::string(to_string_view(code)));
  return *out;
}

collected check(const tgmap::archive& archive, const tgmap::validate_options& options) {
  collected out;
  out.result = tgmap::validate(archive, options, out);
  return out;
}

collected check(const bytes& data, tgmap::validation_mode what) {
  return check(tgmap::archive::from_memory(span_of(data), {.damage = tgmap::on_damage::skip}), {.mode = what});
}

}  // namespace tgmap_test
