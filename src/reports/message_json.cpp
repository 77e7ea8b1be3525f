// SPDX-License-Identifier: Apache-2.0
#include "reports/message_json.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/text/hex.hpp"
#include "core/text/utf8.hpp"
#include "reports/message_frames.hpp"

namespace tgmap::reports {

namespace {

using stream_member = json_stream::member;

/// Returns true for keys of a descriptor that are not codec parameters.
bool is_fixed(std::string_view key) {
  static constexpr std::array<std::string_view, 10> fixed{"type",     "ndim",   "shape",       "strides",    "dtype",
                                                          "encoding", "filter", "compression", "byte_order", "masks"};
  return std::ranges::find(fixed, key) != fixed.end();
}

void put_object(const descriptor& what, json_stream& to) {
  std::vector<stream_member> all{
      {"type", what.type.text()}, {"dtype", to_string_view(what.dtype)}, {"shape", to_json(what.shape())}};
  what.entries.visit([&](const cbor_view& key, const cbor_view& item) {
    if (std::string name = key.text(); !is_fixed(name)) all.push_back({std::move(name), item});
    return true;
  });
  to.put(std::move(all));
}

/// Returns the size of a message without the payloads of these objects, and checks that they can be read.
/// Errors: throws tgmap::error.
std::uint64_t bytes_of_metadata(const message& m, number_bounds objects) {
  std::uint64_t out = m.length();
  for (auto j = static_cast<std::size_t>(objects.begin); j < objects.end; ++j) {
    static_cast<void>(m.base(j));
    const object one = m[j];
    static_cast<void>(one.descriptor());
    out -= std::min(out, one.payload_and_masks_size());
  }
  return out;
}

std::vector<stream_member> members_of(std::size_t number, const frame_content& of) {
  const frame& f = of.frame;
  std::vector<stream_member> out{{"content", of.content()},
                                 {"frame", number},
                                 {"type", static_cast<unsigned>(f.type())},
                                 {"type_name", to_string_view(f.type())},
                                 {"offset", f.offset()},
                                 {"length", f.length()},
                                 {"padding", f.padding()},
                                 {"frame_version", f.frame_version()},
                                 {"flags", flag_names(f)},
                                 {"hash", or_null(hash_text(f))}};
  if (const auto& o = of.object) {
    out.push_back({"object", o->index()});
    out.push_back({"payload_offset", o->payload_offset()});
    out.push_back({"payload_length", o->payload_size()});
    out.push_back({"payload_and_masks_length", o->payload_and_masks_size()});
  }
  if (!of.problem.empty()) out.push_back({"error", of.problem});
  return out;
}

}  // namespace

std::optional<json_limit> write_message_json(const message& m, number_bounds objects,
                                             const std::optional<std::uint64_t>& max_bytes, core::text_sink& out) {
  if (m.version() == 1) {  // only its position is known
    json_stream(out, true, {.max_bytes = UINT64_MAX}).put({{"version", m.version()}});
    out.take("\n");
    return std::nullopt;
  }
  const std::uint64_t input = bytes_of_metadata(m, objects);
  const metadata_copy wide(m.metadata());
  const metadata& extra = wide.keys();
  json_stream to(out, true, json_limit::for_metadata(input, max_bytes));
  json_text::writer<>& document = to.writer();
  document.begin_object();
  if (objects.begin != objects.end) {
    document.key("base").begin_array();
    for (auto j = static_cast<std::size_t>(objects.begin); j < objects.end && !to.exceeded(); ++j)
      to.put(metadata_copy(m.base(j)).keys());
    document.end_array();
  }
  if (!extra.entries().empty()) {
    document.key("extra");
    to.put(extra);
  }
  document.key("objects").begin_array();
  for (auto j = static_cast<std::size_t>(objects.begin); j < objects.end && !to.exceeded(); ++j)
    put_object(*shared_descriptor(m[j]), to);
  document.end_array();
  document.key("version").integer(m.version());
  document.end_object();
  if (!to.exceeded()) out.take("\n");
  return to.exceeded();
}

std::optional<json_limit> write_frames_json(const std::string& file, const message& m,
                                            std::optional<std::size_t> object,
                                            const std::optional<std::uint64_t>& max_bytes, core::text_sink& out) {
  std::optional<json_limit> exceeded;
  const std::vector<stream_member> of_message{{"file", file},
                                              {"message", or_null(m.index())},
                                              {"message_offset", m.offset()},
                                              {"version", m.version()},
                                              {"message_flags", flag_names(m)}};
  const auto put_line = [&](std::vector<stream_member> line, const json_limit& limit) {
    line.insert(line.end(), of_message.begin(), of_message.end());
    if (!core::is_utf8(file)) line.push_back({"file_hex", core::hex_text(file)});
    json_stream to(out, false, limit);
    to.put(std::move(line));
    exceeded = to.exceeded();
    if (!exceeded) out.take("\n");
  };
  if (m.version() == 1)
    put_line({}, {.max_bytes = UINT64_MAX});
  else
    for_each_frame(m, object, [&](std::size_t i, const frame_content& each) {
      put_line(members_of(i, each), each.limit(max_bytes));
      return !exceeded;
    });
  return exceeded;
}

}  // namespace tgmap::reports
