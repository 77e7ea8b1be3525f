// SPDX-License-Identifier: Apache-2.0
#include "validate/cbor/cbor_body.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/text/utf8.hpp"

namespace tgmap::validation {

namespace {

constexpr std::size_t max_path = 160, max_key = 80;  // bytes shown, because keys of a file can have any length

/// Returns the whole characters of at most `max_size` bytes of text, and an ellipsis if there are more.
std::string shorten(std::string_view text, std::size_t max_size) {
  if (text.size() <= max_size) return std::string(text);
  return std::string(text.substr(0, core::code_point_begin(text, max_size))) + "…";
}

class key_search {
 public:
  key_search(cbor_item root, std::string_view name, location where, message_findings& findings)
      : root_(root), name_(name), where_(where), findings_(findings) {}

  void run() { search(root_); }

 private:
  /// One step of the path from the root: a key of a map, or an index of an array.
  struct step {
    cbor_item key{};  ///< absent in an array
    std::uint64_t index = 0;
  };

  void search(cbor_item at) {
    at = at.untagged();
    if (at.is_map()) return search_map(at);
    at.for_each_element([&](std::uint64_t i, cbor_item each) {
      if (each.can_contain_items()) search_inner({.index = i}, each);
      return true;
    });
  }

  void search_inner(const step& next, cbor_item inner) {
    path_.push_back(next);
    search(inner);
    path_.pop_back();
  }

  void search_map(cbor_item map) {
    const std::size_t first = keys_.size();
    bool is_sorted = true;
    map.for_each_pair([&](cbor_item key, cbor_item inner) {
      if (key.can_contain_items()) search(key);
      is_sorted = is_sorted && (keys_.size() == first || keys_.back().compare(key) < 0);
      keys_.push_back(key);
      if (inner.can_contain_items()) search_inner({.key = key}, inner);
      return true;
    });
    if (!is_sorted) report_duplicates(first);
    keys_.resize(first);
  }

  void report_duplicates(std::size_t first) {
    const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, keys_.end(), [this](const cbor_item& a, const cbor_item& b) {
      const int order = a.compare(b);
      return order != 0 ? order < 0 : a.offset_in(root_) < b.offset_in(root_);
    });
    for (std::size_t i = first + 1; i < keys_.size(); ++i)
      if (keys_[i - 1].compare(keys_[i]) == 0) report(keys_[i]);
  }

  void report(cbor_item key) {
    std::string path;
    for (const step& each : path_) {
      if (path.size() > max_path) break;
      path += each.key ? concat(path.empty() ? "" : ".", text_of(each.key)) : concat("[", each.index, "]");
    }
    path = shorten(path, max_path);
    findings_.error(finding_code::duplicate_key, validation_level::metadata, where_,
                    concat("key '", path, path.empty() ? "" : ".", text_of(key), "' of the ", name_,
                           " comes twice, again at byte ", key.offset_in(root_)));
  }

  std::string text_of(cbor_item key) {
    if (const auto number = key.number()) return std::to_string(*number);
    return key.is_text() ? shorten(key.text(storage_), max_key) : "(a key that is not text)";
  }

  cbor_item root_;
  std::string_view name_;
  location where_;
  message_findings& findings_;
  std::vector<step> path_{};
  std::vector<cbor_item> keys_{};  ///< keys of the maps on the path, those of the innermost last
  std::string storage_{};
};

/// Counts the elements of an array. Returns false unless all are integers that are not negative.
bool count_numbers(cbor_item array, std::uint64_t& count) {
  return array.is_array() && array.for_each_element([&](std::uint64_t, cbor_item each) {
    ++count;
    return each.number().has_value();
  });
}

/// Checks the number of objects that version 2 states. Returns the problem; empty if there is none.
std::string check_object_count(cbor_item map, std::uint64_t listed) {
  const auto stated = map.find("object_count").number();
  if (!stated) return "object_count is missing";
  return *stated == listed ? std::string() : concat("object_count ", *stated, " != ", listed, " entries");
}

}  // namespace

cbor_body load_cbor(message_bytes& source, std::uint64_t at, std::uint64_t size, const open_options& limits,
                    bool canonical, failure& why) {
  cbor_body out;
  if (size > limits.max_metadata_bytes) {
    out.is_too_large = true;
    out.problem = concat("it has ", size, " bytes, more than the limit of ", limits.max_metadata_bytes);
    return out;
  }
  const auto bytes = source.load(at, size, why);
  if (why) return out;
  out.report = check_cbor(bytes, limits.max_cbor_depth, canonical);
  if (out.report.state == cbor_state::sound)
    out.root = cbor_item(bytes.data());
  else
    out.problem = concat("it ", phrase(out.report.state), " at byte ", out.report.size);
  return out;
}

void report_duplicate_keys(cbor_item root, std::string_view name, location where, message_findings& findings) {
  key_search(root, name, where, findings).run();
}

std::string read_index(cbor_item map, int version, index_lists& out) {
  out = {};
  if (!map.is_map()) return "it is not a map";
  std::string storage;
  const bool has_texts = map.for_each_pair([&](cbor_item key, cbor_item value) {
    const std::string_view name = key.text(storage);
    if (name == "offsets") out.offsets = value;
    if (name == "lengths") out.lengths = value;
    return key.is_text();
  });
  if (!has_texts) return "a key is not text";
  if (!out.offsets) return "offsets are missing";
  if (!count_numbers(out.offsets, out.offset_count)) return "offsets are no array of numbers";
  if (out.lengths && !count_numbers(out.lengths, out.length_count)) return "lengths are no array of numbers";
  if ((version == 3 || out.lengths) && out.offset_count != out.length_count)
    return concat("index offsets.len() (", out.offset_count, ") != lengths.len() (", out.length_count, ")");
  // Writers of version 3 state no count, but readers check it if it is there.
  return version == 2 || map.find("object_count") ? check_object_count(map, out.offset_count) : std::string();
}

std::string read_hash_list(cbor_item map, int version, hash_list& out) {
  out = {};
  if (!map.is_map()) return "it is not a map";
  std::string storage;
  cbor_item algorithm;
  const bool has_texts = map.for_each_pair([&](cbor_item key, cbor_item value) {
    const std::string_view name = key.text(storage);
    if (name == (version == 2 ? "hash_type" : "algorithm")) algorithm = value;
    if (name == "hashes") out.hashes = value;
    return key.is_text();
  });
  if (!has_texts) return "a key is not text";
  if (algorithm && !algorithm.is_text()) return "the name of the algorithm is not text";
  out.algorithm = algorithm.text(storage);
  if (out.hashes && !out.hashes.is_array()) return "hashes are no array";
  const bool hashes_are_text = out.hashes.for_each_element([&](std::uint64_t, cbor_item hash) {
    ++out.count;
    return hash.is_text();
  });
  if (!hashes_are_text) return "a hash is not text";
  return version == 2 ? check_object_count(map, out.count) : std::string();  // no reader uses the count in version 3
}

}  // namespace tgmap::validation
