// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>
#include <exception>
#include <tgmap/tools/compare.hpp>
#include <utility>

#include "core/seeded_hash.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

constexpr std::size_t pairs_per_thread = 16;  // their results are in memory at once

bool are_in_lists(std::span<const compared_pair> pairs, std::size_t left_size, std::size_t right_size) {
  const auto is_in_list = [](optional_index i, std::size_t size) { return !i || *i < size; };
  return std::all_of(pairs.begin(), pairs.end(), [&](const compared_pair& each) {
    return is_in_list(each.left, left_size) && is_in_list(each.right, right_size);
  });
}

comparison only_in(difference_kind kind) {
  comparison out{.difference_count = 1};
  out.differences.push_back({.kind = kind});
  return out;
}

comparison compare_pair(const compared_list& left, const compared_list& right, const compared_pair& pair,
                        const compare_options& how, failure& why) {
  if (!pair.right) return only_in(difference_kind::only_left);
  if (!pair.left) return only_in(difference_kind::only_right);
  return compare(left.archive, left.parts[static_cast<std::size_t>(*pair.left)], right.archive,
                 right.parts[static_cast<std::size_t>(*pair.right)], how, why);
}

void add_to(comparison_summary& all, const comparison& one) {
  ++all.pairs;
  if (one.is_equal()) ++all.equal_pairs;
  all.differences += one.difference_count;
  all.failures += one.failures.size();
}

/// The result of one pair while it waits for its turn.
struct pair_result {
  comparison found{};
  failure why{};
  std::exception_ptr thrown{};
};

/// The messages of an archive to pair by keys.
struct keyed_messages {
  compared_list list{};
  std::vector<std::string> values{};       ///< of the messages whose keys can be read
  std::vector<std::uint64_t> positions{};  ///< of these messages
  std::vector<std::pair<std::uint64_t, failure>> unreadable{};
};

/// Lists the messages of an archive. Without keys all values are equal.
keyed_messages list_messages(const archive& from, std::span<const metadata_key> keys, failure& why) {
  keyed_messages out{.list = {.archive = from}};
  for (std::size_t i = 0;; ++i) {
    const message m = from.at(i, why);
    if (why.code == errc::out_of_range) break;
    if (why) return out;
    out.list.parts.push_back({.message = m});
    key_lookup in(m);
    failure unreadable;
    std::string values = group_key(keys, in, unreadable);
    if (unreadable) {
      out.unreadable.emplace_back(i, unreadable);
      continue;
    }
    out.values.push_back(std::move(values));
    out.positions.push_back(i);
  }
  why = {};
  return out;
}

}  // namespace

std::vector<compared_pair> pair_by_position(std::size_t left_size, std::size_t right_size) {
  std::vector<compared_pair> out(std::max(left_size, right_size));
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (i < left_size) out[i].left = i;
    if (i < right_size) out[i].right = i;
  }
  return out;
}

std::vector<compared_pair> pair_by_values(std::span<const std::string> left, std::span<const std::string> right) {
  std::vector<compared_pair> out;
  core::text_map<std::deque<std::size_t>, std::string_view> unmatched;
  for (std::size_t i = 0; i < right.size(); ++i) unmatched[right[i]].push_back(i);
  std::vector<bool> is_matched(right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    out.push_back({.left = i});
    const auto same = unmatched.find(left[i]);
    if (same == unmatched.end() || same->second.empty()) continue;
    out.back().right = same->second.front();
    is_matched[same->second.front()] = true;
    same->second.pop_front();
  }
  for (std::size_t i = 0; i < right.size(); ++i)
    if (!is_matched[i]) out.push_back({.right = i});
  return out;
}

comparison_summary compare(const compared_list& left, const compared_list& right, std::span<const compared_pair> pairs,
                           const compare_options& how, const comparison_callback& each, failure& why) {
  why = {};
  comparison_summary out;
  if (!are_in_lists(pairs, left.parts.size(), right.parts.size())) {
    why.code = errc::out_of_range;
    return out;
  }
  const auto alone = how.executor == nullptr ? make_executor(1) : nullptr;
  executor& threads = alone ? *alone : *how.executor;
  const std::size_t at_once = std::size_t{threads.concurrency()} * pairs_per_thread;
  while (out.pairs < pairs.size() && !out.stopped) {
    const auto some = pairs.subspan(static_cast<std::size_t>(out.pairs))
                          .first(std::min(at_once, pairs.size() - static_cast<std::size_t>(out.pairs)));
    std::vector<pair_result> results(some.size());
    auto piece = [&](std::size_t i) noexcept {
      try {
        results[i].found = compare_pair(left, right, some[i], how, results[i].why);
      } catch (...) {
        results[i].thrown = std::current_exception();
      }
    };
    threads.run(some.size(),
                {[](void* to, std::size_t i) noexcept { (*static_cast<decltype(piece)*>(to))(i); }, &piece});
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (results[i].thrown) std::rethrow_exception(results[i].thrown);
      why = results[i].why;
      if (why) return out;
      add_to(out, results[i].found);
      if (each) each(some[i], results[i].found);
    }
    out.stopped = how.stop.stop_requested() && out.pairs < pairs.size();
  }
  return out;
}

comparison_summary compare(const compared_list& left, const compared_list& right, std::span<const compared_pair> pairs,
                           const compare_options& how, const comparison_callback& each) {
  failure why;
  const auto out = compare(left, right, pairs, how, each, why);
  detail::raise_if(why);
  return out;
}

comparison_summary compare(const archive& left, const archive& right, const compare_options& how,
                           const comparison_callback& each, failure& why) {
  why = {};
  const keyed_messages a = list_messages(left, how.pair_by, why);
  if (why) return {};
  const keyed_messages b = list_messages(right, how.pair_by, why);
  if (why) return {};
  std::vector<compared_pair> pairs = how.pair_by.empty() ? pair_by_position(a.positions.size(), b.positions.size())
                                                         : pair_by_values(a.values, b.values);
  for (compared_pair& pair : pairs) {
    if (pair.left) pair.left = a.positions[static_cast<std::size_t>(*pair.left)];
    if (pair.right) pair.right = b.positions[static_cast<std::size_t>(*pair.right)];
  }
  comparison_summary out = compare(a.list, b.list, pairs, how, each, why);
  if (why || out.stopped) return out;
  const auto add_unreadable = [&](const compared_pair& pair, bool is_right, const failure& unread) {
    comparison found;
    found.failures.push_back({.is_right = is_right, .why = unread});
    add_to(out, found);
    if (each) each(pair, found);
  };
  for (const auto& [number, unread] : a.unreadable) add_unreadable({.left = number}, false, unread);
  for (const auto& [number, unread] : b.unreadable) add_unreadable({.right = number}, true, unread);
  return out;
}

comparison_summary compare(const archive& left, const archive& right, const compare_options& how,
                           const comparison_callback& each) {
  failure why;
  const auto out = compare(left, right, how, each, why);
  detail::raise_if(why);
  return out;
}

}  // namespace v0
}  // namespace tgmap
