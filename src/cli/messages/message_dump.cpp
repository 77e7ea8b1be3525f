// SPDX-License-Identifier: Apache-2.0
#include "cli/messages/message_dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <tgmap/mapping_guard.hpp>
#include <vector>

#include "cli/input/archives.hpp"
#include "cli/print/json_stream.hpp"
#include "core/text/escape.hpp"
#include "core/text/hex.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::cli {

namespace {

using names = std::vector<std::string>;

void name_bits(unsigned bits, std::initializer_list<const char*> known, names& out) {
  for (unsigned bit = 0; bit < 16; ++bit) {
    if ((bits >> bit & 1) == 0) continue;
    out.push_back(bit < known.size() ? known.begin()[bit] : fmt::format("BIT_{}", bit));
  }
}

names message_flags(const message& m) {
  names out;
  name_bits(m.flags(),
            {"HEADER_METADATA", "FOOTER_METADATA", "HEADER_INDEX", "FOOTER_INDEX", "HEADER_HASHES", "FOOTER_HASHES",
             "PRECEDER_METADATA", "HASHES_PRESENT"},
            out);
  return out;
}

names frame_flags(const frame& f) {
  names out;
  name_bits(f.flags(), {"CBOR_AFTER_PAYLOAD", "HASH_PRESENT"}, out);
  return out;
}

/// Copies the body of a frame, since a mapped file may shrink while it is read.
std::string copy_of(std::span<const std::byte> bytes) {
  std::string out(bytes.size(), '\0');
  detail::raise_if(mapping_guard::run([&]() noexcept { std::memcpy(out.data(), bytes.data(), bytes.size()); }));
  return out;
}

/// The facts to print about one frame.
struct frame_facts {
  tgmap::frame frame;
  std::optional<tgmap::object> object{};                  ///< of an object frame that can be read
  std::string problem{};                                  ///< why the frame cannot be read
  std::shared_ptr<const tgmap::descriptor> descriptor{};  ///< of the object
  std::string body{};                                     ///< of a known frame of another kind
  bool has_body = false;

  /// Returns the contents; null if unknown or unreadable.
  cbor_view content() const {
    if (object) return descriptor->entries;
    return has_body ? cbor_view(std::as_bytes(std::span(body))) : cbor_view();
  }
  json_limit limit(const std::optional<std::uint64_t>& asked) const {
    return json_limit::for_metadata(object ? frame.body_size() - object->payload_and_masks_size() : frame.body_size(),
                                    asked);
  }
};

frame_facts facts_of(const message& m, const frame& f, std::size_t& objects) {
  frame_facts out{.frame = f};
  if (!f.is_object()) {
    if (!f.is_known()) return out;
    // The command opens archives with the library's default limits.
    if (const std::uint64_t limit = open_options().max_metadata_bytes; f.body_size() > limit) {
      out.problem = fmt::format("contents not shown: {} bytes exceed the limit of {}", f.body_size(), limit);
      return out;
    }
    out.body = copy_of(f.body());
    out.has_body = true;
    if (out.content().bytes().empty()) {
      out.has_body = false;
      out.problem = "contents are not CBOR";
    }
    return out;
  }
  failure why;
  const object found = m.at(objects++, why);
  if (!why) out.descriptor = shared_descriptor(found, why);
  if (why) {
    out.problem = failure_in(m, why).text();
    return out;
  }
  out.object = found;
  return out;
}

/// Visits all frames, or the frame of one object.
template <class Each>
void for_each_frame(const message& m, std::optional<std::size_t> object, Each&& each) {
  std::size_t objects = 0;
  frame_range range = m.frames();
  frame f;
  failure why;
  for (std::size_t i = 0; range.next(f, why); ++i) {
    const std::size_t number = objects;
    const frame_facts about = facts_of(m, f, objects);
    if (!object || (f.is_object() && number == *object)) each(i, about);
  }
  detail::raise_if(why);
}

std::string hash_text(const frame& f) {
  const auto hash = f.stored_hash();
  return hash ? fmt::format("{:016x}", *hash) : "-";
}

std::string list(const names& of) { return of.empty() ? "-" : fmt::format("{}", fmt::join(of, " ")); }

std::vector<std::size_t> numbered(number_bounds objects) {
  std::vector<std::size_t> out(static_cast<std::size_t>(objects.end - objects.begin));
  std::iota(out.begin(), out.end(), static_cast<std::size_t>(objects.begin));
  return out;
}

std::string number_of(const message& m) {
  const auto index = m.index();
  return index ? std::to_string(*index) : fmt::format("@{}", m.offset());
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

/// Returns true for keys of a descriptor that are not codec parameters.
bool is_fixed(std::string_view key) {
  static constexpr std::array<std::string_view, 10> fixed{"type",     "ndim",   "shape",       "strides",    "dtype",
                                                          "encoding", "filter", "compression", "byte_order", "masks"};
  return std::find(fixed.begin(), fixed.end(), key) != fixed.end();
}

void put_object(const descriptor& what, json_stream& to) {
  std::vector<json_stream::member> all{
      {"type", what.type.text()}, {"dtype", to_string_view(what.dtype)}, {"shape", to_json(what.shape())}};
  what.entries.visit([&](const cbor_view& key, const cbor_view& item) {
    if (std::string name = key.text(); !is_fixed(name)) all.push_back({std::move(name), item});
    return true;
  });
  to.put(std::move(all));
}

/// Returns the size of a message without the payloads of these objects, and checks that they can be read.
/// Errors: tgmap::error.
std::uint64_t bytes_of_metadata(const message& m, const std::vector<std::size_t>& objects) {
  std::uint64_t out = m.length();
  for (const std::size_t j : objects) {
    static_cast<void>(m.base(j));
    const object one = m[j];
    static_cast<void>(one.descriptor());
    out -= std::min(out, one.payload_and_masks_size());
  }
  return out;
}

}  // namespace

void dump_frames_text(const message& m, std::optional<std::size_t> object,
                      const std::optional<std::uint64_t>& max_memory, output& out) {
  const auto number = m.index();
  out.write(fmt::format("=== Message {} ===\noffset: {}\nlength: {}\nversion: {}\nflags: {}\n",
                        number ? std::to_string(*number) : "-", m.offset(), m.length(), m.version(),
                        list(message_flags(m))));
  if (m.version() == 1) return out.write("\n");
  for_each_frame(m, object, [&](std::size_t i, const frame_facts& about) {
    const frame& f = about.frame;
    out.write(fmt::format("  frame[{}]: type={} ({}), offset={}, length={}, padding={}, flags={}, hash={}\n", i,
                          static_cast<unsigned>(f.type()), to_string_view(f.type()), f.offset(), f.length(),
                          f.padding(), list(frame_flags(f)), hash_text(f)));
    if (const auto& o = about.object)
      out.write(fmt::format("    object[{}]: payload={} bytes at {}, masks={} bytes\n", o->index(), o->payload_size(),
                            o->payload_offset(), o->payload_and_masks_size() - o->payload_size()));
    if (!about.problem.empty()) out.write(fmt::format("    {}\n", about.problem));
    if (const cbor_view content = about.content(); content.kind() != cbor_kind::null) {
      out.write("    ");
      json_stream(out, false, about.limit(max_memory)).put(content);
      out.write("\n");
    }
  });
  out.write("\n");
}

void dump_frames_json(const std::string& file, const message& m, std::optional<std::size_t> object,
                      const std::optional<std::uint64_t>& max_memory, output& out) {
  const auto number = m.index();
  const std::vector<json_stream::member> of_message{{"file", file},
                                                    {"message", number ? json(*number) : json()},
                                                    {"message_offset", m.offset()},
                                                    {"version", m.version()},
                                                    {"message_flags", message_flags(m)}};
  const auto put_line = [&](std::vector<json_stream::member> line, const json_limit& limit) {
    line.insert(line.end(), of_message.begin(), of_message.end());
    if (!core::is_utf8(file)) line.push_back({"file_hex", core::hex_text(file)});
    json_stream(out, false, limit).put(std::move(line));
    out.write("\n");
  };
  if (m.version() == 1) return put_line({}, {.max_bytes = UINT64_MAX});
  for_each_frame(m, object, [&](std::size_t i, const frame_facts& about) {
    const frame& f = about.frame;
    std::vector<json_stream::member> line{{"content", about.content()},
                                          {"frame", i},
                                          {"type", static_cast<unsigned>(f.type())},
                                          {"type_name", to_string_view(f.type())},
                                          {"offset", f.offset()},
                                          {"length", f.length()},
                                          {"padding", f.padding()},
                                          {"frame_version", f.frame_version()},
                                          {"flags", frame_flags(f)},
                                          {"hash", f.stored_hash() ? json(hash_text(f)) : json()}};
    if (const auto& o = about.object) {
      line.push_back({"object", o->index()});
      line.push_back({"payload_offset", o->payload_offset()});
      line.push_back({"payload_length", o->payload_size()});
      line.push_back({"payload_and_masks_length", o->payload_and_masks_size()});
    }
    if (!about.problem.empty()) line.push_back({"error", about.problem});
    put_line(std::move(line), about.limit(max_memory));
  });
}

std::string dump_text(const message& m, number_bounds chosen) {
  std::string out = fmt::format("=== Message {} ===\nversion: {}\n", number_of(m), m.version());
  if (m.version() == 1) return out + "\n";  // only its position is known
  const auto objects = numbered(chosen);
  out += fmt::format("objects: {}\n", m.size());
  for (const std::size_t j : objects) {
    const auto what = shared_descriptor(m[j]);
    out += fmt::format("  object[{}]: type={}, dtype={}, shape=[{}]\n", j, core::escaped(what->type.text()),
                       to_string_view(what->dtype), fmt::join(what->shape(), ", "));
  }
  for (const std::size_t j : objects) out += fmt::format("  base[{}]:\n", j) + key_lines(m.base(j));
  const std::string extra = key_lines(m.metadata());
  if (!extra.empty()) out += "  extra:\n" + extra;
  return out + "\n";
}

void dump_json(const message& m, number_bounds chosen, const std::optional<std::uint64_t>& max_memory, output& out) {
  if (m.version() == 1) {
    json_stream(out, true, {.max_bytes = UINT64_MAX}).put({{"version", m.version()}});
    return out.write("\n");
  }
  const auto objects = numbered(chosen);
  const std::uint64_t input = bytes_of_metadata(m, objects);
  const metadata_copy wide(m.metadata());
  const metadata& extra = wide.keys();
  json_stream to(out, true, json_limit::for_metadata(input, max_memory));
  json_text::writer<>& document = to.writer();
  document.begin_object();
  if (!objects.empty()) {
    document.key("base").begin_array();
    for (const std::size_t j : objects) to.put(metadata_copy(m.base(j)).keys());
    document.end_array();
  }
  if (!extra.entries().empty()) {
    document.key("extra");
    to.put(extra);
  }
  document.key("objects").begin_array();
  for (const std::size_t j : objects) put_object(*shared_descriptor(m[j]), to);
  document.end_array();
  document.key("version").integer(m.version());
  document.end_object();
  out.write("\n");
}

}  // namespace tgmap::cli
