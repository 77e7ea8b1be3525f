// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/options.hpp>

#include "constant/json/json_string.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

/// A `json_path` is the path of the current value: names, indexes and labels. It becomes text only for a problem. It
/// borrows names and labels.
class json_path {
 public:
  /// A `step` removes what was added with it at its end.
  class [[nodiscard]] step {
   public:
    step(json_path& path, std::size_t size) noexcept : path_(path), size_(size) {}
    ~step() { path_.size_ = size_; }
    step(const step&) = delete;
    step& operator=(const step&) = delete;

   private:
    json_path& path_;
    std::size_t size_;  // of the path before
  };
  step add_member(std::string_view name) noexcept { return add({.name = name, .kind = part_kind::member}); }
  step add_label(std::string_view name) noexcept { return add({.name = name, .kind = part_kind::label}); }
  step add_index(std::uint64_t index) noexcept { return add({.index = index, .kind = part_kind::index}); }
  step add_indexes(std::span<const std::uint64_t> indexes) noexcept {
    const std::size_t before = size_;
    for (const std::uint64_t index : indexes) parts_[size_++] = {.index = index, .kind = part_kind::index};
    return {*this, before};
  }

  /// Changes the last part, an index.
  void set_index(std::uint64_t index) noexcept { parts_[size_ - 1].index = index; }

  std::string text() const {
    std::string out;
    for (const part& each : std::span(parts_).first(size_)) {
      switch (each.kind) {
        case part_kind::member: (out += out.empty() ? "" : ".") += printable(each.name); break;
        case part_kind::label: out += '[' + printable_quoted(each.name) + ']'; break;
        case part_kind::index: out += '[' + std::to_string(each.index) + ']'; break;
      }
    }
    return out;
  }

 private:
  enum class part_kind : std::uint8_t { member, label, index };
  struct part {
    std::string_view name{};
    std::uint64_t index = 0;
    part_kind kind = part_kind::member;
  };
  step add(const part& part) noexcept {
    parts_[size_] = part;
    return {*this, size_++};
  }

  std::array<part, max_rank + 8> parts_{};
  std::size_t size_ = 0;
};

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
