// SPDX-License-Identifier: Apache-2.0
#include "cli/options/json_to_cbor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "core/seeded_hash.hpp"

namespace tgmap::cli {

namespace {

constexpr std::size_t max_open_containers = 64;

/// The position of the parser, which counting_iterator keeps up to date.
struct reading {
  std::string_view text;
  std::size_t at = 0;
};

class counting_iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  explicit counting_iterator(reading* from) noexcept : from_(from) {}
  reference operator*() const noexcept { return from_->text[from_->at]; }
  counting_iterator& operator++() noexcept {
    ++from_->at;
    return *this;
  }
  counting_iterator operator++(int) noexcept { return ++*this; }
  friend bool operator==(const counting_iterator& it, std::default_sentinel_t) noexcept {
    return it.from_->at == it.from_->text.size();
  }
  friend bool operator==(const counting_iterator& a, const counting_iterator& b) noexcept {
    const counting_iterator& it = a.from_ != nullptr ? a : b;  // one of the two is the end
    return it == std::default_sentinel;
  }
  friend bool operator!=(const counting_iterator& a, const counting_iterator& b) noexcept { return !(a == b); }

 private:
  reading* from_;
};

/// A container that is not yet complete. The keys of an array are empty.
struct open_container {
  bool map = false;
  std::vector<std::pair<std::string, cbor_value>> members{};
  core::text_set<> keys{};
};

cbor_value closed(const open_container& all) {
  if (!all.map) {
    std::vector<cbor_value> elements;
    for (const auto& [key, value] : all.members) elements.push_back(value);
    return cbor_value::array(elements);
  }
  std::vector<cbor_value::pair> pairs;
  for (const auto& [key, value] : all.members) pairs.emplace_back(key, value);
  return cbor_value::map(pairs);
}

/// Builds a value from the events of the parser.
class item_builder {
 public:
  using json = nlohmann::json;

  item_builder(const reading& at, std::string_view what) : at_(at), what_(what) {}

  cbor_value take() { return std::move(done_); }

  bool null() { return add({}); }
  bool boolean(bool truth) { return add(truth); }
  bool number_integer(json::number_integer_t number) { return add(number); }
  bool number_unsigned(json::number_unsigned_t number) { return add(number); }
  bool number_float(json::number_float_t number, const std::string& text) {
    if (text.find_first_of(".eE") == text.npos) refuse("the integer " + text + " does not fit into 64 bits");
    return add(number);
  }
  bool string(std::string& text) { return add(std::string_view(text)); }
  bool binary(json::binary_t&) { return false; }  // JSON has none

  bool start_object(std::size_t) { return begin(true); }
  bool start_array(std::size_t) { return begin(false); }
  bool end_object() { return end(); }
  bool end_array() { return end(); }

  bool key(std::string& name) {
    open_container& in = open_.back();
    if (!in.keys.insert(name).second) refuse("the key '" + name + "' occurs twice");
    in.members.emplace_back(std::move(name), cbor_value());
    return true;
  }

  template <class Exception>
  bool parse_error(std::size_t position, const std::string& last, const Exception& why) {
    const std::size_t size = at_.text.size();
    if (why.id == 406) refuse("the number " + last + " does not fit into a float64", position);  // the library's id
    const bool ended =
        position > size || std::string_view(why.what()).find("unexpected end of input") != std::string_view::npos;
    refuse(ended ? "the JSON ends too early" : "this is not valid JSON", std::min(position, size));
  }

 private:
  bool begin(bool map) {
    if (open_.size() == max_open_containers)
      refuse(fmt::format("containers are nested more than {} deep", max_open_containers));
    open_.push_back({.map = map});
    return true;
  }

  bool end() {
    const cbor_value whole = closed(open_.back());
    open_.pop_back();
    return add(whole);
  }

  bool add(const cbor_value& value) {
    if (open_.empty())
      done_ = value;
    else if (open_.back().map)
      open_.back().members.back().second = value;
    else
      open_.back().members.emplace_back("", value);
    return true;
  }

  [[noreturn]] void refuse(const std::string& why) const { refuse(why, at_.at); }

  /// Reports the last of the `read` characters.
  [[noreturn]] void refuse(const std::string& why, std::size_t read) const {
    const std::string_view before = at_.text.substr(0, read == 0 ? 0 : read - 1);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t newline = before.rfind('\n'), column = before.size() - (newline + 1);  // npos + 1 is 0
    throw usage_error(fmt::format("{}: {}, at line {}, column {}", what_, why, line, column + 1),
                      "correct the JSON there");
  }

  const reading& at_;
  std::string_view what_;
  std::vector<open_container> open_{};
  cbor_value done_{};
};

}  // namespace

cbor_value json_to_cbor(std::string_view text, std::string_view what) {
  reading from{.text = text};
  item_builder builder(from, what);
  nlohmann::json::sax_parse(counting_iterator(&from), counting_iterator(nullptr), &builder);
  return builder.take();
}

}  // namespace tgmap::cli
