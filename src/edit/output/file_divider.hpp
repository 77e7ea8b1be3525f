// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/query/metadata_key.hpp>
#include <utility>
#include <vector>

#include "core/seeded_hash.hpp"

namespace tgmap::edit {

/// How messages are divided among files. One of the members is given.
struct division {
  std::uint64_t messages = 0;        ///< the most in each file
  std::uint64_t bytes = 0;           ///< the most in each file, unless one message alone is larger
  std::vector<metadata_key> keys{};  ///< one file for each combination of their values
};

/// A `file_divider` assigns the number of a file to each message, from 0 in order of first use.
class file_divider {
 public:
  explicit file_divider(division rule) : rule_(std::move(rule)) {}

  /// Returns the number of the file for the next message. Errors: throws tgmap::error if the keys cannot be read.
  std::uint64_t file_for(const message& m, key_lookup& in) {
    if (!rule_.keys.empty()) return numbers_.emplace(group_key(rule_.keys, in), numbers_.size()).first->second;
    if (begun_ == 0 || !has_room_for(m)) {
      ++begun_;
      messages_ = bytes_ = 0;
    }
    ++messages_;
    bytes_ += m.length();
    return begun_ - 1;
  }

 private:
  bool has_room_for(const message& m) const {
    return rule_.messages != 0 ? messages_ < rule_.messages
                               : bytes_ <= rule_.bytes && m.length() <= rule_.bytes - bytes_;
  }

  division rule_;
  core::text_map<std::uint64_t> numbers_{};             ///< of files, by their values
  std::uint64_t begun_ = 0, messages_ = 0, bytes_ = 0;  ///< files; of the current file
};

}  // namespace tgmap::edit
