// SPDX-License-Identifier: Apache-2.0
#include "validate/body.hpp"

#include "validate/collector.hpp"

namespace tgmap::checks {

body load_body(raw_message& raw, std::uint64_t at, std::uint64_t size, const open_options& limits, bool form,
               failure& why) {
  body out;
  if (size > limits.max_metadata_bytes) {
    out.too_large = true;
    out.problem = say("it has ", size, " bytes, more than the limit of ", limits.max_metadata_bytes);
    return out;
  }
  const auto bytes = raw.load(at, size, why);
  if (why) return out;
  out.report = check_cbor(bytes, limits.max_cbor_depth, form);
  if (out.report.state == cbor_state::sound)
    out.item = item(bytes.data());
  else
    out.problem = say("it ", phrase(out.report.state), " at byte ", out.report.size);
  return out;
}

namespace {

bool count_numbers(item from, std::uint64_t& count) {
  return from.is_array() && from.elements([&](std::uint64_t, item each) {
    ++count;
    return each.number().has_value();
  });
}

/// Version 2 states how many objects there are.
std::string hold_count(item map, std::uint64_t listed) {
  const auto n = map.find("object_count").number();
  if (!n) return "object_count is missing";
  return *n == listed ? std::string() : say("object_count ", *n, " != ", listed, " entries");
}

}  // namespace

bool has_text_keys(item map) {
  return map.is_map() && map.pairs([](item key, item) { return key.is_text(); });
}

std::string read_index(item map, int version, index_lists& out) {
  out = {};
  if (!map.is_map()) return "it is not a map";
  std::string storage;
  const bool texts = map.pairs([&](item key, item value) {
    const std::string_view name = key.text(storage);
    if (name == "offsets") out.offsets = value;
    if (name == "lengths") out.lengths = value;
    return key.is_text();
  });
  if (!texts) return "a key is not text";
  if (!out.offsets) return "offsets are missing";
  if (!count_numbers(out.offsets, out.offset_count)) return "offsets are no array of numbers";
  if (out.lengths && !count_numbers(out.lengths, out.length_count)) return "lengths are no array of numbers";
  if ((version == 3 || out.lengths) && out.offset_count != out.length_count)
    return say("index offsets.len() (", out.offset_count, ") != lengths.len() (", out.length_count, ")");
  // Version 3 writes no count, but readers hold what they find.
  return version == 2 || map.find("object_count") ? hold_count(map, out.offset_count) : std::string();
}

std::string read_hashes(item map, int version, hash_list& out) {
  out = {};
  if (!map.is_map()) return "it is not a map";
  std::string storage;
  item algorithm;
  const bool texts = map.pairs([&](item key, item value) {
    const std::string_view name = key.text(storage);
    if (name == (version == 2 ? "hash_type" : "algorithm")) algorithm = value;
    if (name == "hashes") out.hashes = value;
    return key.is_text();
  });
  if (!texts) return "a key is not text";
  if (algorithm && !algorithm.is_text()) return "the name of the algorithm is not text";
  out.algorithm = algorithm.text(storage);
  if (out.hashes && !out.hashes.is_array()) return "hashes are no array";
  const bool all_text = out.hashes.elements([&](std::uint64_t, item hash) {
    ++out.count;
    return hash.is_text();
  });
  if (!all_text) return "a hash is not text";
  return version == 2 ? hold_count(map, out.count) : std::string();  // of version 3 nobody reads it
}

}  // namespace tgmap::checks
