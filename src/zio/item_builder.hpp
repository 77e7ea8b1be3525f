// SPDX-License-Identifier: Apache-2.0
// JSON as it comes, piece by piece, made into an item.
#pragma once

#include <cstddef>
#include <string>
#include <tgmap/write/cbor_value.hpp>
#include <utility>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// Takes values, keys and the ends of containers in the order of a text; the text was proven to be JSON by whoever
/// calls. Throws std::bad_alloc, and error as item does.
class item_builder {
 public:
  void clear() noexcept {
    open_.clear();
    whole_ = {};
  }

  void key(const std::string& text) { open_.back().key = text; }
  void begin(bool map) { open_.push_back({.map = map}); }

  void end() {
    container last = std::move(open_.back());
    open_.pop_back();
    if (last.map) {
      std::vector<cbor_value::pair> pairs;
      pairs.reserve(last.members.size());
      for (auto& [key, value] : last.members) pairs.emplace_back(key, std::move(value));
      value(cbor_value::map(pairs));
    } else {
      std::vector<cbor_value> values;
      values.reserve(last.members.size());
      for (auto& member : last.members) values.push_back(std::move(member.second));
      value(cbor_value::array(values));
    }
  }

  void value(cbor_value one) {
    if (open_.empty()) {
      whole_ = std::move(one);
    } else {
      open_.back().members.emplace_back(open_.back().key, std::move(one));
    }
  }

  std::size_t depth() const noexcept { return open_.size(); }
  cbor_value take() noexcept { return std::exchange(whole_, cbor_value()); }

 private:
  struct container {
    bool map = false;
    std::string key{};
    std::vector<std::pair<std::string, cbor_value>> members{};
  };
  std::vector<container> open_{};
  cbor_value whole_{};
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
