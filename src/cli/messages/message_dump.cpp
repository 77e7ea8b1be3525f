// SPDX-License-Identifier: Apache-2.0
#include "cli/messages/message_dump.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <vector>

#include "collection/message_walk.hpp"
#include "core/text/escape.hpp"
#include "json/cbor_text.hpp"
#include "reports/message_frames.hpp"

namespace tgmap::cli {

using reports::json_limit;

namespace {

std::string list(const std::vector<std::string>& of) {
  return of.empty() ? "-" : fmt::format("{}", fmt::join(of, " "));
}

/// Reads from a copy: keys that are lost are an error, never absent. Errors: tgmap::error.
std::string key_lines(const metadata& layers) {
  const metadata_copy copy(layers);
  std::map<std::string, std::string> lines;  // of several equal keys the last one counts
  for (const metadata::entry& each : copy.keys().entries()) {
    std::string& line = lines[each.key] = fmt::format("    {}: ", core::escaped(each.key));
    core::text_builder text(line);
    json_text::writer<> to(text, json_text::reference_style);
    json_text::memory_limit no_limit;
    json_text::put_cbor(to, each.value, no_limit);
    line += '\n';
  }
  std::string out;
  for (const auto& [key, line] : lines) out += line;
  return out;
}

}  // namespace

std::optional<json_limit> dump_frames_text(const message& m, std::optional<std::size_t> object,
                                           const std::optional<std::uint64_t>& max_memory, output& out) {
  const auto number = m.index();
  out.write(fmt::format("=== Message {} ===\noffset: {}\nlength: {}\nversion: {}\nflags: {}\n",
                        number ? std::to_string(*number) : "-", m.offset(), m.length(), m.version(),
                        list(reports::flag_names(m))));
  std::optional<json_limit> exceeded;
  const auto print = [&](std::size_t i, const reports::frame_content& about) {
    const frame& f = about.frame;
    out.write(fmt::format("  frame[{}]: type={} ({}), offset={}, length={}, padding={}, flags={}, hash={}\n", i,
                          static_cast<unsigned>(f.type()), to_string_view(f.type()), f.offset(), f.length(),
                          f.padding(), list(reports::flag_names(f)), reports::hash_text(f).value_or("-")));
    if (const auto& o = about.object)
      out.write(fmt::format("    object[{}]: payload={} bytes at {}, masks={} bytes\n", o->index(), o->payload_size(),
                            o->payload_offset(), o->payload_and_masks_size() - o->payload_size()));
    if (!about.problem.empty()) out.write(fmt::format("    {}\n", about.problem));
    if (const cbor_view content = about.content(); content.kind() != cbor_kind::null) {
      out.write("    ");
      reports::json_stream line(out, false, about.limit(max_memory));
      line.put(content);
      exceeded = line.exceeded();
      if (!exceeded) out.write("\n");
    }
    return !exceeded;
  };
  if (m.version() != 1) reports::for_each_frame(m, object, print);
  if (!exceeded) out.write("\n");
  return exceeded;
}

std::string dump_text(const message& m, number_bounds objects) {
  std::string out = fmt::format("=== Message {} ===\nversion: {}\n", archives::message_label(m), m.version());
  if (m.version() == 1) return out + "\n";  // only its position is known
  out += fmt::format("objects: {}\n", m.size());
  for (auto j = static_cast<std::size_t>(objects.begin); j < objects.end; ++j) {
    const auto what = shared_descriptor(m[j]);
    out += fmt::format("  object[{}]: type={}, dtype={}, shape=[{}]\n", j, core::escaped(what->type.text()),
                       to_string_view(what->dtype), fmt::join(what->shape(), ", "));
  }
  for (auto j = static_cast<std::size_t>(objects.begin); j < objects.end; ++j)
    out += fmt::format("  base[{}]:\n", j) + key_lines(m.base(j));
  const std::string extra = key_lines(m.metadata());
  if (!extra.empty()) out += "  extra:\n" + extra;
  return out + "\n";
}

}  // namespace tgmap::cli
