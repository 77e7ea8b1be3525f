// SPDX-License-Identifier: Apache-2.0
// The JSON of labels in events: read by nlohmann-json, as ZIO itself does, or by simdjson where both see the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tgmap/zio/label.hpp>

#include "zio/quick_json.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

/// What readers of labels have in common: levels are counted, faults kept. Heirs have integer(std::int64_t),
/// natural(std::uint64_t), floating(double), text(), truth(bool), nothing(), begin(bool map), named(), end().
template <class Heir>
class label_events {
 public:
  bool null() { return heir().nothing(), true; }
  bool boolean(bool truth) { return heir().truth(truth), true; }
  bool number_integer(std::int64_t number) { return heir().integer(number), true; }
  bool number_unsigned(std::uint64_t number) { return heir().natural(number), true; }
  bool number_float(double number, const std::string&) { return heir().floating(number), true; }
  bool string(std::string& text) { return heir().text(text), true; }
  bool binary(std::vector<std::uint8_t>&) { return false; }  // JSON has none
  bool start_object(std::size_t) { return begin(true); }
  bool start_array(std::size_t) { return begin(false); }
  bool key(std::string& text) { return heir().named(text), true; }
  bool end_object() { return end(); }
  bool end_array() { return end(); }
  bool parse_error(std::size_t position, const std::string&, const std::exception&) {
    fault_ = {.code = errc::bad_label, .found = position};
    return false;
  }

  /// The whole text; an empty one is nothing at all.
  failure read(std::string_view text) {
    fault_ = {};
    depth_ = 0;
    if (text.empty()) return {};
    if (read_quickly(text, *this)) return fault_;
    if (!nlohmann::json::sax_parse(text.data(), text.data() + text.size(), this) && !fault_)
      fault_ = {.code = errc::bad_label};
    return fault_;
  }

 private:
  Heir& heir() noexcept { return static_cast<Heir&>(*this); }
  bool begin(bool map) {
    if (++depth_ > max_label_depth) {
      fault_ = {.code = errc::label_too_deep, .expected = max_label_depth};
      return false;
    }
    return heir().begin(map), true;
  }
  bool end() {
    --depth_;
    return heir().end(), true;
  }

  failure fault_{};
  std::size_t depth_ = 0;
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
