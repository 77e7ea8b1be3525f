// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/examine/explain/print_access.hpp"

#include <fmt/format.h>

#include <string>

#include "cli/print/table.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

std::string why_unused(const index_status& index) {
  if (index.refusal) return "not used: " + core::escaped(index.refusal.text());
  return index.is_used ? "not current" : "none";
}

namespace {

using side = table::align;

/// Returns the name of an obstacle: "compression", "byte order".
std::string_view obstacle_name(errc what) noexcept {
  switch (what) {
    case errc::compressed: return "compression";
    case errc::filtered: return "filter";
    case errc::encoded: return "encoding";
    case errc::masked: return "mask";
    case errc::foreign_byte_order: return "byte order";
    case errc::unsupported_strides: return "strides";
    case errc::payload_size_mismatch: return "size";
    case errc::misaligned: return "alignment";
    case errc::not_mapped: return "not mapped";
    default: return to_string_view(what);
  }
}

std::string or_dash(const std::optional<std::uint64_t>& number) { return number ? std::to_string(*number) : "-"; }

std::string shape_text(std::span<const std::uint64_t> shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

/// Returns the stages of the pipeline, "shuffle, zstd", or "nothing".
std::string codec_names(const descriptor& of) {
  std::string out;
  const auto add = [&](bool done, const short_name& by) {
    if (done) out += (out.empty() ? "" : ", ") + core::escaped(by.view());
  };
  add(of.encoding != encoding::none, of.encoding_name);
  add(of.filter != filter::none, of.filter_name);
  add(of.compression != compression::none, of.compression_name);
  return out.empty() ? "nothing" : out;
}

/// Returns for example "sampled; it lists message and object".
std::string index_text(const access_report& what) {
  const index_status& index = what.index;
  if (!index.is_current) return why_unused(index);
  const char* const lists = what.is_object_listed    ? "lists message and object"
                            : what.is_message_listed ? "lists the message"
                                                     : "does not list the message";
  return fmt::format("{}; {}", to_string_view(index.trust), lists);
}

void print_facts(const access_report& what, output& out) {
  table facts(out, {{"fact", side::left}, {"value", side::left}});
  const auto fact = [&](std::string_view name, const std::string& value) { facts.row({std::string(name), value}); };
  const message_position& message = what.message;
  if (message.index()) fact("message", std::to_string(*message.index()));
  fact("offset", std::to_string(message.offset()));
  fact("length", std::to_string(message.length()));
  fact("version", std::to_string(message.version()));
  fact("objects", std::to_string(what.objects));
  fact("index_location", std::string(to_string_view(what.index_location)));
  fact("route", std::string(to_string_view(what.route)));
  fact("index file", index_text(what));
  fact("access", fmt::format("{} ({})", to_string_view(what.mode), what.mode_reason));
  if (what.object && what.descriptor) {
    fact("object", std::to_string(*what.object));
    fact("dtype", std::string(to_string_view(what.descriptor->dtype)));
    fact("shape", shape_text(what.descriptor->shape()));
    fact("codecs", codec_names(*what.descriptor));
    fact("payload", fmt::format("{}..{}", what.payload.begin, what.payload.end));
    fact("stored", std::to_string(what.payload.end - what.payload.begin));
    fact("decoded", or_dash(what.decoded_size));
    fact("in place", what.why_not_in_place ? "no: " + core::escaped(what.why_not_in_place.text()) : "yes");
  }
  facts.finish();
}

void print_obstacles(const access_report& what, output& out) {
  if (what.obstacles.empty()) return;
  out.write("\n");
  table rows(out, {{"undo", side::left}, {"by", side::left}, {"from", side::right}, {"to", side::right}});
  for (const access_obstacle& each : what.obstacles)
    rows.row({std::string(obstacle_name(each.code)), each.codec.view().empty() ? "-" : core::escaped(each.codec.view()),
              std::to_string(each.bytes_in), or_dash(each.bytes_out)});
  rows.finish();
}

std::string places_text(const access_step& of) {
  std::string out;
  for (const archive_range& each : of.ranges)
    if (each.begin != each.end) out += fmt::format("{}{}..{}", out.empty() ? "" : ", ", each.begin, each.end);
  return out.empty() ? "-" : out;
}

void print_steps(const access_report& what, output& out) {
  out.write("\n");
  table rows(out, {{"step", side::left},
                   {"us", side::right},
                   {"reads", side::right},
                   {"bytes", side::right},
                   {"minor", side::right},
                   {"major", side::right},
                   {"pages", side::right},
                   {"cached", side::right},
                   {"within", side::left}});
  const auto counted = [&](std::uint64_t n) { return what.has_read_counts ? std::to_string(n) : "-"; };
  for (const access_step& each : what.steps)
    rows.row({std::string(to_string_view(each.stage)),
              fmt::format("{:.1f}", static_cast<double>(each.cost.nanoseconds) / 1000), counted(each.cost.reads),
              counted(each.cost.bytes_read), std::to_string(each.cost.minor_faults),
              std::to_string(each.cost.major_faults), each.pages == 0 ? "-" : std::to_string(each.pages),
              each.pages == 0 ? "-" : or_dash(each.cached), places_text(each)});
  rows.finish();
}

}  // namespace

void print_access(const access_report& what, output& out) {
  print_facts(what, out);
  print_obstacles(what, out);
  print_steps(what, out);
}

}  // namespace tgmap::cli
