// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <tgmap/write/cbor_value.hpp>
#include <utility>
#include <vector>

#include "json/reader.hpp"

namespace tgmap::json_text {

/// A `value_builder` makes a CBOR value from the values of a JSON text.
class value_builder final : public value_handler {
 public:
  /// The rules for what JSON allows and CBOR lacks.
  enum class rules : std::uint8_t {
    lenient,  ///< the last of repeated keys counts; integers beyond 64 bits become floating
    strict,   ///< both are refused
  };

  explicit value_builder(rules how = rules::lenient) noexcept : is_strict_(how == rules::strict) {}

  void null() override { add({}); }
  void boolean(bool value) override { add(value); }
  void signed_integer(std::int64_t number) override { add(number); }
  void unsigned_integer(std::uint64_t number) override { add(number); }
  void floating(double number) override { add(number); }
  void large_integer(double nearest, std::string_view digits) override;
  void text(std::string_view value) override { add(value); }
  void key(std::string_view name) override;
  void begin(bool is_object) override { open_.push_back({.is_object = is_object}); }
  void end() override;

  /// Returns the number of containers that have begun and not ended.
  std::size_t depth() const noexcept { return open_.size(); }
  /// Returns the value and starts again.
  cbor_value take() noexcept { return std::exchange(value_, cbor_value()); }

 private:
  struct container {
    bool is_object = false;
    std::string key{};  ///< the last one
    std::vector<std::pair<std::string, cbor_value>> members{};
    std::set<std::string, std::less<>> keys{};  ///< with strict rules; not hashed, so that no input makes it slow
  };
  void add(cbor_value);

  bool is_strict_;
  std::vector<container> open_{};
  cbor_value value_{};
};

}  // namespace tgmap::json_text
