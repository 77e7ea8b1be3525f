// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <tgmap/query/sort_reader.hpp>
#include <tgmap/tools/collection.hpp>
#include <utility>
#include <vector>

namespace tgmap::archives {

/// A `kept_match` is the place of a match in a collection. It keeps no archive open.
struct kept_match {
  std::size_t archive = 0;   ///< number in the collection
  optional_index message{};  ///< its number, if that is known
  std::uint64_t offset = 0;
  optional_index object{};   ///< nothing if the message matches
  optional_index keys_of{};  ///< the object in which keys are looked up

  /// Finds the message again. Its address has the number 0 if the number is not known. Errors: throws tgmap::error.
  collected_message find(const collection& in) const {
    const std::size_t number = message ? *message : 0;
    collected_message out{.address = {archive, number, object}, .archive = in.archive(archive)};
    out.message = message ? out.archive[number] : out.archive.at_offset(offset);
    return out;
  }
};

/// A `match_sorter` keeps what was found with its values, to sort it. Without columns, the order stays.
template <class Match>
class match_sorter {
 public:
  explicit match_sorter(std::vector<sort_column> columns) : reader_(std::move(columns)) {}

  bool has_columns() const noexcept { return !reader_.columns().empty(); }
  std::size_t size() const noexcept { return all_.size(); }

  /// Reads the values of a match. Errors: as sort_reader::read.
  sort_values read(key_lookup& in, failure& why) noexcept { return reader_.read(in, why); }
  sort_values read(key_lookup& in) { return reader_.read(in); }

  void add(sort_values values, Match of) { all_.push_back({std::move(values), std::move(of)}); }
  void add(std::span<const key_result> values, Match of) { add(reader_.read(values), std::move(of)); }

  /// Returns all matches in order, and keeps none. Equivalent ones stay in the order in which they were added.
  std::vector<Match> take() {
    if (has_columns())
      std::stable_sort(all_.begin(), all_.end(),
                       [&](const row& a, const row& b) { return comes_before(reader_.columns(), a.values, b.values); });
    std::vector<Match> out;
    out.reserve(all_.size());
    for (row& each : all_) out.push_back(std::move(each.of));
    all_.clear();
    return out;
  }

 private:
  struct row {
    sort_values values;
    Match of;
  };

  sort_reader reader_;
  std::vector<row> all_{};
};

}  // namespace tgmap::archives
