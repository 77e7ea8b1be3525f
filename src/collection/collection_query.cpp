// SPDX-License-Identifier: Apache-2.0
// Selections, order, facets and groups over all archives of a collection.
#include <algorithm>
#include <cerrno>
#include <map>
#include <tgmap/tools/collection.hpp>
#include <utility>

#include "collection/archive_rows.hpp"
#include "collection/collection_state.hpp"
#include "collection/match_sorter.hpp"
#include "core/or_throw.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

/// A match, and the number of its group.
struct found_match {
  collection_address address{};
  std::size_t group = 0;
};

/// Runs one query over all archives.
class query_run {
 public:
  query_run(const collection& all, const collection_query& wanted)
      : all_(all), wanted_(wanted), chosen_(wanted.where, wanted.of_objects) {}

  std::vector<collection_failure> failures() && { return std::move(failures_); }

  /// Calls `take(archive, number of the archive)` for each archive that can be opened, until it returns false.
  template <class Take>
  void for_each_archive(const Take& take, failure& why) {
    for (std::size_t n = 0; n < all_.archive_count(); ++n) {
      if (wanted_.stop.stop_requested()) why = {.code = {ECANCELED, std::system_category()}};
      if (why) return;
      failure unreadable;
      const archive from = all_.archive(n, unreadable);
      bool more = true;
      if (!unreadable) try {
          const archives::tally sum = take(from, n);
          more = sum.more;
          if (!sum.problems.empty()) note(n, sum.problems.front().second, sum.problem_count);
        } catch (const error& broken) {
          unreadable = broken.details();
        }
      note_damage(n, from, unreadable);
      if (!more) return;
    }
  }

  /// Calls `take(address, values of the keys)` for each match, in the order of the collection, until it returns false.
  template <class Take>
  void for_each_row(std::span<const metadata_key> keys, const Take& take, failure& why) {
    for_each_archive(
        [&](const archive& from, std::size_t n) {
          return archives::for_each_row(
              chosen_, from, keys,
              [&](std::size_t message, std::optional<std::size_t> object, std::span<const key_result> values) {
                if (wanted_.stop.stop_requested()) return false;
                return take(collection_address{.archive = n, .message = message, .object = object}, values);
              });
        },
        why);
    if (!why && wanted_.stop.stop_requested()) why = {.code = {ECANCELED, std::system_category()}};
  }

  /// Returns the matches in their order, as many as wanted. `see` gets the values of further keys of each match, and
  /// returns the number of its group.
  template <class See>
  std::vector<found_match> matches(std::span<const metadata_key> further, const See& see, failure& why) {
    archives::match_sorter<found_match> sorter(wanted_.sort);
    if (wanted_.limit == 0) return {};
    std::vector<metadata_key> keys(further.begin(), further.end());
    for (const sort_column& each : wanted_.sort) keys.push_back(each.key);
    const auto take = [&](const collection_address& address, std::span<const key_result> values) {
      sorter.add(values.subspan(further.size()), {.address = address, .group = see(values.first(further.size()))});
      return sorter.has_columns() || sorter.size() < wanted_.limit;
    };
    for_each_row(keys, take, why);
    if (why) return {};
    std::vector<found_match> out = sorter.take();
    if (out.size() > wanted_.limit) out.resize(static_cast<std::size_t>(wanted_.limit));
    return out;
  }

  std::vector<found_match> matches(failure& why) {
    return matches(
        {}, [](std::span<const key_result>) { return std::size_t{0}; }, why);
  }

  /// Calls the visitor with each match as it is found.
  void visit_unsorted(const collection::visitor& take, failure& why) {
    std::uint64_t left = wanted_.limit;
    if (left == 0) return;
    for_each_archive(
        [&](const archive& from, std::size_t n) {
          return chosen_.visit_all({}, from,
                                   [&](const message& m, key_lookup& keys, std::optional<std::size_t> object) {
                                     if (wanted_.stop.stop_requested()) return false;
                                     const collected_message match{{n, m.index().value(), object}, from, m};
                                     return take(match, keys) && --left != 0;
                                   });
        },
        why);
    if (!why && wanted_.stop.stop_requested()) why = {.code = {ECANCELED, std::system_category()}};
  }

  /// Opens each match again.
  void visit_sorted(const collection::visitor& take, failure& why) {
    for (const found_match& sorted : matches(why)) {
      const collection_address& each = sorted.address;
      if (!why && wanted_.stop.stop_requested()) why = {.code = {ECANCELED, std::system_category()}};
      if (why) return;
      failure unreadable;
      const collected_message match = all_.at(each, unreadable);
      const object one = unreadable || !each.object ? object() : match.message.at(*each.object, unreadable);
      if (!unreadable) {
        key_lookup keys = each.object ? key_lookup(match.message, one) : key_lookup(match.message);
        if (!each.object) wanted_.where.first_match(keys, unreadable);  // its keys are those of the match
        try {
          if (!unreadable && !take(match, keys)) return;
        } catch (const error& broken) {
          unreadable = broken.details();
        }
      }
      if (unreadable) note(each.archive, unreadable, 1);
    }
  }

 private:
  void note(std::size_t number, const failure& why, std::uint64_t count) {
    const auto at = std::lower_bound(failures_.begin(), failures_.end(), number,
                                     [](const collection_failure& a, std::size_t n) { return a.archive < n; });
    if (at != failures_.end() && at->archive == number)
      at->count += count;
    else
      failures_.insert(at, {number, all_.place(number).path, why, count});
  }

  void note_damage(std::size_t number, const archive& from, const failure& unreadable) {
    failure cause;
    const std::uint64_t damaged = detail::damage_of(from, cause);
    if (damaged != 0)
      note(number, cause, damaged);
    else if (unreadable)
      note(number, unreadable, 1);
  }

  const collection& all_;
  const collection_query& wanted_;
  archives::selector chosen_;
  std::vector<collection_failure> failures_{};  ///< in order
};

}  // namespace

std::vector<collection_failure> collection::visit(const collection_query& wanted, const visitor& take,
                                                  failure& why) const {
  why = {};
  query_run run(*this, wanted);
  wanted.sort.empty() ? run.visit_unsorted(take, why) : run.visit_sorted(take, why);
  return std::move(run).failures();
}

std::vector<collection_failure> collection::visit(const collection_query& wanted, const visitor& take) const {
  return core::or_throw([&](failure& why) { return visit(wanted, take, why); });
}

found_addresses collection::find(const collection_query& wanted, failure& why) const {
  why = {};
  query_run run(*this, wanted);
  found_addresses out;
  for (const found_match& each : run.matches(why)) out.addresses.push_back(each.address);
  out.failures = std::move(run).failures();
  return out;
}

found_addresses collection::find(const collection_query& wanted) const {
  return core::or_throw([&](failure& why) { return find(wanted, why); });
}

found_facets collection::facets(std::span<const metadata_key> keys, const collection_query& wanted,
                                failure& why) const {
  why = {};
  struct known_value {
    sort_key order;
    std::uint64_t count = 0;
  };
  std::vector<std::map<std::string, known_value>> values(keys.size());
  found_facets out;
  for (const metadata_key& each : keys) out.facets.push_back({.key = each.text()});
  std::uint64_t left = wanted.limit;
  const auto take = [&](const collection_address&, std::span<const key_result> row) {
    for (std::size_t k = 0; k < keys.size(); ++k) {
      if (!row[k]) {
        ++out.facets[k].missing;
        continue;
      }
      const auto [at, is_new] = values[k].try_emplace(row[k].text());
      if (is_new) at->second.order = sort_key(row[k]);
      ++at->second.count;
    }
    return --left != 0;
  };
  query_run run(*this, wanted);
  if (left != 0) run.for_each_row(keys, take, why);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    std::vector<std::pair<sort_key, facet::value>> sorted;
    for (auto& [text, known] : values[k]) sorted.push_back({known.order, {text, known.count}});
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [order, value] : sorted) out.facets[k].values.push_back(std::move(value));
  }
  out.failures = std::move(run).failures();
  return out;
}

found_facets collection::facets(std::span<const metadata_key> keys, const collection_query& wanted) const {
  return core::or_throw([&](failure& why) { return facets(keys, wanted, why); });
}

found_groups collection::group(std::span<const metadata_key> keys, const collection_query& wanted, failure& why) const {
  why = {};
  struct known_group {
    sort_values order{};
    collection_group found{};
  };
  std::vector<known_group> groups;
  std::map<std::string, std::size_t> numbers;  // of groups, by their values
  const auto see = [&](std::span<const key_result> values) {
    std::string name;
    for (const key_result& each : values) {
      const std::string text = each.text();
      name += each ? std::to_string(text.size()) + ":" + text : "-";
    }
    const auto [at, is_new] = numbers.try_emplace(std::move(name), groups.size());
    if (!is_new) return at->second;
    known_group& next = groups.emplace_back();
    for (const key_result& each : values) {
      next.order.emplace_back(each);
      next.found.values.push_back(each ? std::optional(each.text()) : std::nullopt);
    }
    return at->second;
  };
  query_run run(*this, wanted);
  for (const found_match& each : run.matches(keys, see, why))
    groups[each.group].found.addresses.push_back(each.address);
  std::erase_if(groups, [](const known_group& each) { return each.found.addresses.empty(); });  // beyond the limit
  std::vector<sort_column> columns;
  for (const metadata_key& each : keys) columns.push_back({.key = each});
  std::stable_sort(groups.begin(), groups.end(),
                   [&](const known_group& a, const known_group& b) { return comes_before(columns, a.order, b.order); });
  found_groups out;
  for (known_group& each : groups) out.groups.push_back(std::move(each.found));
  out.failures = std::move(run).failures();
  return out;
}

found_groups collection::group(std::span<const metadata_key> keys, const collection_query& wanted) const {
  return core::or_throw([&](failure& why) { return group(keys, wanted, why); });
}

}  // namespace v0
}  // namespace tgmap
