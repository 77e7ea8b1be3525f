// SPDX-License-Identifier: Apache-2.0
// The JSON of labels: read as a sequence of events, written byte for byte as ZIO's own writer formats it.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tgmap/cbor_view.hpp>
#include <tgmap/write/cbor_value.hpp>
#include <tgmap/zio/label.hpp>
#include <utility>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace zio {

[[noreturn]] inline void throw_bad_label() { detail::raise({.code = errc::bad_label}); }

/// A `json_handler` receives the values of a JSON text in order. A key comes before its value.
class json_handler {
 public:
  virtual ~json_handler() = default;
  virtual void null() = 0;
  virtual void boolean(bool) = 0;
  virtual void signed_integer(std::int64_t) = 0;  ///< below 0
  virtual void unsigned_integer(std::uint64_t) = 0;
  virtual void floating(double) = 0;
  virtual void text(std::string_view) = 0;
  virtual void key(std::string_view) = 0;
  virtual void begin(bool is_object) = 0;  ///< of an object or an array
  virtual void end() = 0;
};

/// Parses a label and passes its values to a handler. An empty label has no values.
/// Errors: bad_label, label_too_deep. The handler may have received values already.
failure read_json(std::string_view text, json_handler&);

/// A `cbor_builder` makes a CBOR value from the events of `read_json`.
class cbor_builder final : public json_handler {
 public:
  void null() override { add({}); }
  void boolean(bool value) override { add(value); }
  void signed_integer(std::int64_t number) override { add(number); }
  void unsigned_integer(std::uint64_t number) override { add(number); }
  void floating(double number) override { add(number); }
  void text(std::string_view value) override { add(value); }
  void key(std::string_view name) override { open_.back().key = name; }
  void begin(bool is_object) override { open_.push_back({.is_object = is_object}); }
  void end() override;

  /// Returns the number of containers that have begun and not ended.
  std::size_t depth() const noexcept { return open_.size(); }
  /// Returns the value and starts again.
  cbor_value take() noexcept { return std::exchange(value_, cbor_value()); }

 private:
  struct container {
    bool is_object = false;
    std::string key{};
    std::vector<std::pair<std::string, cbor_value>> members{};
  };
  void add(cbor_value);

  std::vector<container> open_{};
  cbor_value value_{};
};

inline void append_number(std::string& out, std::integral auto number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, end);
}

/// Appends a text in quotes. Throws nlohmann::json::exception if it is not UTF-8.
void append_quoted(std::string& out, std::string_view text);

/// Appends a map with its pairs sorted by key. `append_member` writes the values.
/// Errors: bad_label (a key is not a text), thrown.
void append_object(std::string& out, const cbor_view& map, const std::function<void(const cbor_view&)>& append_member);

/// Appends any value.
/// Errors: bad_label (JSON has no such value), thrown.
/// Complexity: O(n log n) in the bytes.
void append_json(std::string& out, const cbor_view&);

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
