// SPDX-License-Identifier: Apache-2.0
#include "cli/compare/sides.hpp"

#include <algorithm>
#include <deque>
#include <string_view>
#include <unordered_map>

#include "cli/input/archives.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/selector.hpp"

namespace tgmap::cli {

namespace {

std::string shown(const std::vector<metadata_key>& keys, key_lookup& in) {
  std::string out;
  for (const metadata_key& each : keys) out += (out.empty() ? "" : ",") + each.text() + "=" + in.find(each).text();
  return out;
}

/// Number `i` of the left one and number `j` of the right one, as far as there are such.
message_pair pair_of(const side& left, std::size_t i, const side& right, std::size_t j) {
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

side side_of(const std::string& address, const selection_options& chosen, const std::vector<metadata_key>& by,
             session& run) {
  side out{.from = parse_target(address)};
  const selector which(chosen);
  const auto take = [&](const message& m, key_lookup& in, std::optional<std::size_t> object) {
    std::string values = group_key(by, in), text = shown(by, in);
    out.messages.push_back(m);
    out.objects.push_back(object);
    out.keys.push_back(std::move(text));
    out.values.push_back(std::move(values));
    return true;
  };
  run.report.guard(out.from.file, [&] {
    const archive from = open_archive(out.from, run);
    tally sum;
    for_each_message(from, out.from, run, [&](const message& m) {
      which.look_at(out.from, m, take, sum);
      return true;
    });
    which.report(out.from, from, sum, run);
    out.in = from;
  });
  return out;
}

std::vector<message_pair> pairs_by_place(const side& left, const side& right) {
  std::vector<message_pair> out;
  for (std::size_t i = 0; i < std::max(left.messages.size(), right.messages.size()); ++i)
    out.push_back(pair_of(left, i, right, i));
  return out;
}

std::vector<message_pair> pairs_by_keys(const side& left, const side& right) {
  std::vector<message_pair> out;
  std::unordered_map<std::string_view, std::deque<std::size_t>> there;
  for (std::size_t i = 0; i < right.messages.size(); ++i) there[right.values[i]].push_back(i);
  std::vector<bool> found(right.messages.size());
  constexpr std::size_t none = SIZE_MAX;
  for (std::size_t i = 0; i < left.messages.size(); ++i) {
    const auto at = there.find(left.values[i]);
    const bool known = at != there.end() && !at->second.empty();
    out.push_back(pair_of(left, i, right, known ? at->second.front() : none));
    out.back().key = left.keys[i];
    if (!known) continue;
    found[at->second.front()] = true;
    at->second.pop_front();
  }
  for (std::size_t i = 0; i < right.messages.size(); ++i)
    if (!found[i]) {
      out.push_back(pair_of(left, none, right, i));
      out.back().key = right.keys[i];
    }
  return out;
}

}  // namespace tgmap::cli
