// SPDX-License-Identifier: Apache-2.0
// Reading of JSON, as a sequence of events or as a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/write/cbor_value.hpp>
#include <utility>

namespace tgmap::json_text {

enum class read_fault : std::uint8_t {
  none,
  malformed,          ///< not JSON
  incomplete,         ///< the text ends too early
  too_deep,           ///< containers are nested deeper than allowed
  number_too_large,   ///< for a float64
  integer_too_large,  ///< for 64 bits
  repeated_key,
};

/// A `read_error` says why a text cannot be read.
struct read_error {
  read_fault fault = read_fault::none;
  std::size_t position = 0;  ///< bytes that were read; the fault is at the last of them
  std::string quoted{};      ///< the number or the key

  explicit operator bool() const noexcept { return fault != read_fault::none; }
};

/// A line and a column, counted from 1. Columns are bytes.
struct text_position {
  std::size_t line = 1, column = 1;
};

/// Returns the position of an error in the text.
text_position position_of(std::string_view text, const read_error&) noexcept;

/// A `value_handler` receives the values of a JSON text in order. A key comes before its value.
class value_handler {
 public:
  virtual ~value_handler() = default;
  virtual void null() = 0;
  virtual void boolean(bool) = 0;
  virtual void signed_integer(std::int64_t) = 0;  ///< below 0
  virtual void unsigned_integer(std::uint64_t) = 0;
  virtual void floating(double) = 0;
  virtual void large_integer(double nearest, std::string_view /*digits*/) { floating(nearest); }  ///< beyond 64 bits
  virtual void text(std::string_view) = 0;
  virtual void key(std::string_view) = 0;
  virtual void begin(bool is_object) = 0;  ///< of an object or an array
  virtual void end() = 0;

  /// Returns the reason for which the handler wants no more values.
  const read_error& refusal() const noexcept { return refusal_; }

 protected:
  void refuse(read_fault fault, std::string_view quoted) { refusal_ = {.fault = fault, .quoted = std::string(quoted)}; }

 private:
  read_error refusal_{};
};

/// Parses a JSON text (RFC 8259) and passes its values to a handler, which may have received values before an error.
/// Containers may be nested `max_depth` deep. Integers of up to 64 bits are integers; -0 is 0.
/// Complexity: linear. Errors that simdjson finds have no position.
read_error read(std::string_view text, value_handler&, std::size_t max_depth);

/// The nesting that `read_value` accepts.
inline constexpr std::size_t max_value_depth = 64;

/// Parses a JSON text into a CBOR value. Integers of up to 64 bits stay integers; numbers with a point or an exponent
/// become floating. Repeated keys and numbers that fit no type are errors.
/// Complexity: O(n log n) in the keys of a map, otherwise linear.
cbor_value read_value(std::string_view text, read_error& why);

}  // namespace tgmap::json_text
