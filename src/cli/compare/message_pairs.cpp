// SPDX-License-Identifier: Apache-2.0
#include "cli/compare/message_pairs.hpp"

#include <algorithm>
#include <deque>
#include <string_view>
#include <unordered_map>

#include "cli/input/archives.hpp"
#include "cli/input/selector.hpp"

namespace tgmap::cli {

namespace {

std::string key_text(const std::vector<metadata_key>& keys, key_lookup& in) {
  std::string out;
  for (const metadata_key& each : keys) out += (out.empty() ? "" : ",") + each.text() + "=" + in.find(each).text();
  return out;
}

/// Pairs element `i` of the left side with element `j` of the right side. Either may not exist.
message_pair pair_of(const archive_side& left, std::size_t i, const archive_side& right, std::size_t j) {
  message_pair out;
  if (i < left.messages.size()) {
    out.left = &left.messages[i];
    out.left_object = left.objects[i];
  }
  if (j < right.messages.size()) {
    out.right = &right.messages[j];
    out.right_object = right.objects[j];
  }
  return out;
}

}  // namespace

archive_side read_side(const std::string& address, const selection_options& chosen, const std::vector<metadata_key>& by,
                       session& run) {
  archive_side out{.address = parse_target(address)};
  const selector which(chosen);
  const auto take = [&](const message& m, key_lookup& in, std::optional<std::size_t> object) {
    std::string values = group_key(by, in), text = key_text(by, in);
    out.messages.push_back(m);
    out.objects.push_back(object);
    out.keys.push_back(std::move(text));
    out.values.push_back(std::move(values));
    return true;
  };
  run.report.guard(out.address.file, [&] {
    const archive from = open_archive(out.address, run);
    tally counts;
    for_each_message(from, out.address, run, [&](const message& m) {
      which.look_at(out.address, m, take, counts);
      return true;
    });
    which.report(out.address, from, counts, run);
    out.opened = from;
  });
  return out;
}

std::vector<message_pair> pair_by_position(const archive_side& left, const archive_side& right) {
  std::vector<message_pair> out;
  for (std::size_t i = 0; i < std::max(left.messages.size(), right.messages.size()); ++i)
    out.push_back(pair_of(left, i, right, i));
  return out;
}

std::vector<message_pair> pair_by_keys(const archive_side& left, const archive_side& right) {
  std::vector<message_pair> out;
  std::unordered_map<std::string_view, std::deque<std::size_t>> unmatched;
  for (std::size_t i = 0; i < right.messages.size(); ++i) unmatched[right.values[i]].push_back(i);
  std::vector<bool> matched(right.messages.size());
  constexpr std::size_t none = SIZE_MAX;
  for (std::size_t i = 0; i < left.messages.size(); ++i) {
    const auto same = unmatched.find(left.values[i]);
    const bool is_matched = same != unmatched.end() && !same->second.empty();
    out.push_back(pair_of(left, i, right, is_matched ? same->second.front() : none));
    out.back().key = left.keys[i];
    if (!is_matched) continue;
    matched[same->second.front()] = true;
    same->second.pop_front();
  }
  for (std::size_t i = 0; i < right.messages.size(); ++i)
    if (!matched[i]) {
      out.push_back(pair_of(left, none, right, i));
      out.back().key = right.keys[i];
    }
  return out;
}

}  // namespace tgmap::cli
