// SPDX-License-Identifier: Apache-2.0
#include "validate/body.hpp"

#include "validate/collector.hpp"

namespace tgmap::checks {

body load_body(raw_message& raw, std::uint64_t at, std::uint64_t size, const open_options& limits, failure& why) {
  body out;
  if (size > limits.max_metadata_bytes) {
    out.too_large = true;
    out.problem = say("it has ", size, " bytes, more than the limit of ", limits.max_metadata_bytes);
    return out;
  }
  const auto bytes = raw.load(at, size, why);
  if (why) return out;
  out.report = check_cbor(bytes, limits.max_cbor_depth);
  if (out.report.state == cbor_state::sound)
    out.item = value(bytes.first(out.report.size));
  else
    out.problem = say("it ", phrase(out.report.state), " at byte ", out.report.size);
  return out;
}

namespace {

bool count_numbers(value from, std::uint64_t& count) {
  if (from.type() != kind::array) return false;
  return from.visit([&](std::uint64_t, value item) {
    ++count;
    return item.get<std::uint64_t>().has_value();
  });
}

/// Version 2 states how many objects there are; version 3 takes no notice.
std::string hold_count(value map, int version, std::uint64_t listed) {
  if (version != 2) return {};
  const auto count = map.find("object_count");
  const auto n = count ? count->get<std::uint64_t>() : std::nullopt;
  if (!n) return "object_count is missing";
  return *n == listed ? std::string() : say("object_count ", *n, " != ", listed, " entries");
}

}  // namespace

bool has_text_keys(value map) {
  return map.type() == kind::map && map.visit([](value key, value) { return key.type() == kind::text; });
}

std::string read_index(value map, int version, index_lists& out) {
  out = {};
  if (map.type() != kind::map) return "it is not a map";
  if (!has_text_keys(map)) return "a key is not text";
  out.offsets = map.find("offsets").value_or(value());
  out.lengths = map.find("lengths").value_or(value());
  if (out.offsets.type() != kind::null && !count_numbers(out.offsets, out.offset_count))
    return "offsets are no array of numbers";
  if (out.lengths.type() != kind::null && !count_numbers(out.lengths, out.length_count))
    return "lengths are no array of numbers";
  if (version == 3 && out.offset_count != out.length_count)
    return say("index offsets.len() (", out.offset_count, ") != lengths.len() (", out.length_count, ")");
  return hold_count(map, version, out.offset_count);
}

std::string read_hashes(value map, int version, hash_list& out) {
  out = {};
  if (map.type() != kind::map) return "it is not a map";
  if (!has_text_keys(map)) return "a key is not text";
  if (const auto algorithm = map.find(version == 2 ? "hash_type" : "algorithm")) {
    if (algorithm->type() != kind::text) return "the name of the algorithm is not text";
    out.algorithm = algorithm->text();
  }
  out.hashes = map.find("hashes").value_or(value());
  if (out.hashes.type() == kind::null) return hold_count(map, version, 0);
  if (out.hashes.type() != kind::array) return "hashes are no array";
  const bool texts = out.hashes.visit([&](std::uint64_t, value hash) {
    ++out.count;
    return hash.type() == kind::text;
  });
  return texts ? hold_count(map, version, out.count) : "a hash is not text";
}

}  // namespace tgmap::checks
