// SPDX-License-Identifier: Apache-2.0
#include "collection/survey_json.hpp"

#include <string_view>
#include <tgmap/enum_names.hpp>

namespace tgmap::archives {

namespace {

/// Returns the name of an error code for programs; "io" for system errors.
std::string_view code_of(const failure& why) {
  return why.code.category() == category() ? to_string_view(static_cast<errc>(why.code.value())) : "io";
}

void put_range(json_writer& to, std::uint64_t begin, std::uint64_t end, const failure& cause) {
  to.begin_object();
  to.key("begin").integer(begin);
  to.key("end").integer(end);
  to.key("code").string(code_of(cause));
  to.key("cause").string(cause.text());
  to.end_object();
}

void put(json_writer& to, const std::map<std::string, std::uint64_t>& kinds) {
  to.begin_object();
  for (const auto& [name, count] : kinds) to.key(name).integer(count);
  to.end_object();
}

void put(json_writer& to, const surveyed_key& of) {
  to.begin_object();
  to.key("key").string(of.path);
  to.key("objects").integer(of.objects);
  to.key("distinct").integer(of.distinct);
  to.key("values").begin_array();
  for (const surveyed_value& each : of.values) to.string(each.text);
  to.end_array();
  if (of.range) {
    to.key("first").floating(of.range->first);
    to.key("last").floating(of.range->last);
    of.range->step ? to.key("step").floating(*of.range->step) : to.key("step").null();
  }
  to.end_object();
}

void put(json_writer& to, const surveyed_content& of) {
  to.begin_object();
  to.key("is_sample").boolean(of.is_sample);
  to.key("messages").integer(of.messages);
  to.key("objects").integer(of.objects);
  to.key("keys").begin_array();
  for (const surveyed_key& each : of.keys) put(to, each);
  to.end_array();
  put(to.key("dtypes"), of.dtypes);
  put(to.key("shapes"), of.shapes);
  put(to.key("codecs"), of.codecs);
  to.end_object();
}

/// Writes an object with a member for each name, the largest first.
template <class Usage>
void put_by_bytes(json_writer& to, const std::map<std::string, Usage>& of) {
  to.begin_object();
  for (const auto& [name, part] : by_bytes(of)) archives::put(to.key(name), part);
  to.end_object();
}

}  // namespace

void put(json_writer& to, const gap& of) { put_range(to, of.begin, of.end, of.cause); }

void put(json_writer& to, const std::optional<incomplete_tail>& of) {
  of ? put_range(to, of->begin, of->end, of->cause) : to.null();
}

void put(json_writer& to, const part_usage& of) {
  to.begin_object();
  to.key("count").integer(of.count);
  to.key("bytes").integer(of.bytes);
  to.end_object();
}

void put(json_writer& to, const object_usage& of) {
  const auto ratio = of.ratio();
  to.begin_object();
  to.key("count").integer(of.count);
  to.key("bytes").integer(of.bytes);
  to.key("decoded_bytes").integer(of.decoded);
  ratio ? to.key("ratio").floating(*ratio) : to.key("ratio").null();
  to.end_object();
}

void put_members(json_writer& to, const archive_survey& of) {
  to.key("size").integer(of.size_bytes);
  to.key("messages").integer(of.messages);
  to.key("objects").integer(of.objects);
  to.key("versions").begin_object();
  for (const auto& [version, messages] : of.versions) to.key(std::to_string(version)).integer(messages);
  to.end_object();
  to.key("version_1").integer(of.versions.contains(1) ? of.versions.at(1) : 0);
  to.key("streamed").integer(of.streamed);
  to.key("incomplete").integer(of.incomplete);
  to.key("gaps").begin_array();
  for (const gap& each : of.gaps) put(to, each);
  to.end_array();
  put(to.key("incomplete_tail"), of.tail);
  to.key("errors").begin_array();
  for (const failure& each : of.unreadable) {
    to.begin_object();
    to.key("offset").integer(each.offset);
    each.message ? to.key("message").integer(*each.message) : to.key("message").null();
    to.key("error").string(each.text());
    to.end_object();
  }
  to.end_array();
}

void put_optional_members(json_writer& to, const archive_survey& of) {
  if (of.content) put(to.key("content"), *of.content);
  if (!of.usage) return;
  put(to.key("decoded"), of.usage->objects);
  to.key("codecs").begin_object();
  for (const auto& [name, part] : of.usage->codecs) put(to.key(name), part);
  to.end_object();
}

void put_members(json_writer& to, const disk_usage& of, const std::string& key) {
  to.key("bytes").integer(of.total_bytes());
  put_by_bytes(to.key("parts"), of.parts);
  put(to.key("objects"), of.objects);
  put_by_bytes(to.key("dtypes"), of.dtypes);
  put_by_bytes(to.key("codecs"), of.codecs);
  if (key.empty()) return;
  to.key("keys").begin_object();
  put_by_bytes(to.key(key), of.by_value);
  to.end_object();
}

}  // namespace tgmap::archives
