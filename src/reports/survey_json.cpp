// SPDX-License-Identifier: Apache-2.0
#include "reports/survey_json.hpp"

namespace tgmap::reports {

namespace {

json kinds_json(const std::map<std::string, std::uint64_t>& kinds) {
  json out = json::object();
  for (const auto& [name, count] : kinds) add_member(out, name, count);
  return out;
}

json key_json(const surveyed_key& of) {
  json values = json::array();
  for (const surveyed_value& value : of.values) values.push_back(value.text);
  json out{{"key", of.path}, {"objects", of.objects}, {"distinct", of.distinct}, {"values", std::move(values)}};
  if (of.range) {
    out["first"] = of.range->first;
    out["last"] = of.range->last;
    out["step"] = or_null(of.range->step);
  }
  return out;
}

template <class Share>
json ranked_json(const std::map<std::string, Share>& of) {
  json out = json::object();
  for (const auto& [name, part] : ranked(of)) add_member(out, name, to_json(part));
  return out;
}

}  // namespace

json to_json(const surveyed_content& of) {
  json keys = json::array();
  for (const surveyed_key& each : of.keys) keys.push_back(key_json(each));
  return {{"is_sample", of.is_sample},      {"messages", of.messages},         {"objects", of.objects},
          {"keys", std::move(keys)},        {"dtypes", kinds_json(of.dtypes)}, {"shapes", kinds_json(of.shapes)},
          {"codecs", kinds_json(of.codecs)}};
}

json to_json(const part_usage& of) { return {{"count", of.count}, {"bytes", of.bytes}}; }

json to_json(const object_usage& of) {
  return {{"count", of.count}, {"bytes", of.bytes}, {"decoded_bytes", of.decoded}, {"ratio", or_null(of.ratio())}};
}

std::uint64_t total_bytes(const std::map<std::string, part_usage>& of) {
  std::uint64_t out = 0;
  for (const auto& [name, part] : of) out += part.bytes;
  return out;
}

json to_json(const std::string& file, const disk_usage& used, const std::string& key) {
  json out{{"file", file},
           {"bytes", total_bytes(used.parts)},
           {"parts", ranked_json(used.parts)},
           {"objects", to_json(used.objects)},
           {"dtypes", ranked_json(used.dtypes)},
           {"codecs", ranked_json(used.codecs)}};
  if (!key.empty()) out["keys"] = {{key, ranked_json(used.by_value)}};
  return out;
}

json to_json(const archive_summary& s) {
  json versions = json::object(), gaps = json::array(), errors = json::array();
  for (const auto& [version, messages] : s.versions) versions[std::to_string(version)] = messages;
  for (const gap& g : s.gaps) gaps.push_back(to_json(g));
  for (const failure& f : s.unreadable)
    errors.push_back({{"offset", f.offset}, {"message", or_null(f.message)}, {"error", f.text()}});
  json out{{"file", s.file},
           {"size", s.size_bytes},
           {"messages", s.messages},
           {"objects", s.objects},
           {"versions", versions},
           {"version_1", s.version_1()},
           {"streamed", s.streamed},
           {"incomplete", s.incomplete},
           {"gaps", gaps},
           {"incomplete_tail", to_json(s.tail)},
           {"errors", errors},
           {"io_mode", s.io_mode},
           {"io_reason", s.io_reason},
           {"elapsed_ms", s.elapsed_ms}};
  if (s.content) out["content"] = to_json(*s.content);
  if (!s.usage) return out;
  json codecs = json::object();
  for (const auto& [name, part] : s.usage->codecs) add_member(codecs, name, to_json(part));
  out["decoded"] = to_json(s.usage->objects);
  out["codecs"] = std::move(codecs);
  return out;
}

}  // namespace tgmap::reports
