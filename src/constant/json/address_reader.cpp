// SPDX-License-Identifier: Apache-2.0
#include "constant/json/address_reader.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "constant/json/json_string.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

namespace {

constexpr std::size_t no_dimension = SIZE_MAX;

/// Parses up to 9 digits.
bool parse_short_index(std::string_view text, std::uint64_t& index) noexcept {
  if (text.empty() || text.size() > 9) return false;
  std::uint64_t out = 0;
  for (const char c : text) {
    if (digit_value(c) > 9) return false;
    out = out * 10 + digit_value(c);
  }
  index = out;
  return true;
}

}  // namespace

address_reader::address_reader(parser& in, const tensor_type& type, bool only_mapped) : in_(in) {
  std::uint64_t stride = type.block_cells();
  for (const dimension& one : type.dimensions()) {
    known_dimension added{.name = one.name, .quoted = '"' + one.name + '"', .size = one.size};
    if (one.is_mapped()) {
      added.mapped_index = mapped_count_++;
    } else {
      stride /= one.size;
      added.stride = stride;
      added.is_expected = !only_mapped;
    }
    if (added.quoted.size() <= 8) {
      std::memcpy(&added.word, added.quoted.data(), added.quoted.size());
      std::memset(&added.mask, 0xFF, added.quoted.size());
    }
    if (added.is_expected) order_.push_back(dimensions_.size());
    dimensions_.push_back(std::move(added));
  }
  expected_count_ = order_.size();
  seen_.resize(dimensions_.size());
  copies_.resize(mapped_count_);
}

bool address_reader::is_current(const known_dimension& dimension) const noexcept {
  if (dimension.mask != 0) {
    std::uint64_t word;
    std::memcpy(&word, in_.tokens.current(), 8);
    return (word & dimension.mask) == dimension.word;
  }
  // Short names fit into the padding after a window. Long names may exceed the rest of the window.
  const std::size_t length = dimension.quoted.size();
  if (length > 64 && static_cast<std::size_t>(in_.tokens.window_end() - in_.tokens.current()) < length) return false;
  return std::memcmp(in_.tokens.current(), dimension.quoted.data(), length) == 0;
}

/// Returns the dimension that the current name is of, and stays at it.
std::size_t address_reader::find_dimension(read_status& result) {
  for (std::size_t d = 0; d < dimensions_.size(); ++d)
    if (is_current(dimensions_[d])) return d;
  const auto name = in_.string_here(scratch_);
  if (!name) {
    result = read_status::stop;
    return no_dimension;
  }
  for (std::size_t d = 0; d < dimensions_.size(); ++d)
    if (dimensions_[d].name == *name) return d;
  return no_dimension;
}

read_status address_reader::read() {
  if (in_.tokens.kind() != '{') return in_.report_wrong_value(errc::unexpected_token, "an object");
  // Labels are copied if the address may not be in this window as a whole.
  const bool copy = in_.tokens.left_in_window() <= 4 * expected_count_ + 2;
  bool is_invalid = false;
  std::size_t count = 0;  // of expected names so far
  cell_ = 0;
  std::fill(seen_.begin(), seen_.end(), false);
  in_.tokens.next();
  for (bool first = true; first ? in_.tokens.kind() != '}' : true; first = false) {
    if (in_.tokens.kind() != '"') return in_.report_bad_json("a name in quotes");
    const std::uint64_t offset = in_.tokens.offset();
    std::size_t d = count < expected_count_ ? order_[count] : no_dimension;
    read_status result = read_status::ok;
    if (d == no_dimension || !is_current(dimensions_[d])) d = find_dimension(result);
    if (result == read_status::stop) return result;
    if (d == no_dimension || !dimensions_[d].is_expected) {
      result = in_.report_problem({.why = {.code = errc::unknown_dimension},
                                   .expected = d == no_dimension ? "a dimension of the type" : "only mapped dimensions",
                                   .found = in_.describe_token()},
                                  offset);
    } else if (seen_[d]) {
      result = in_.report_problem({.why = {.code = errc::repeated_dimension},
                                   .expected = "another dimension",
                                   .found = "a second " + in_.describe_token()},
                                  offset);
    }
    if (result == read_status::stop) return result;
    in_.tokens.next();
    if (in_.tokens.kind() != ':') return in_.report_bad_json("a colon");
    in_.tokens.next();
    if (result == read_status::invalid) {
      if (in_.skip() == read_status::stop) return read_status::stop;
    } else {
      seen_[d] = true;
      if (order_[count] != d) std::swap(order_[count], *std::find(order_.begin(), order_.end(), d));
      ++count;
      result = read_label(dimensions_[d], copy);
      if (result == read_status::stop) return result;
    }
    is_invalid = is_invalid || result == read_status::invalid;
    if (in_.tokens.kind() == '}') break;
    if (in_.tokens.kind() != ',') return in_.report_bad_json("a comma or }");
    in_.tokens.next();
  }
  if (count != expected_count_) {
    if (report_missing() == read_status::stop) return read_status::stop;
    is_invalid = true;
  }
  in_.tokens.next();
  return is_invalid ? read_status::invalid : read_status::ok;
}

read_status address_reader::report_missing() {
  std::string names;
  std::size_t count = 0;
  for (std::size_t d = 0; d < dimensions_.size(); ++d)
    if (dimensions_[d].is_expected && !seen_[d]) (names += count++ == 0 ? "" : ", ") += dimensions_[d].name;
  return in_.report_problem(
      {.why = {.code = errc::missing_dimension, .expected = expected_count_, .found = expected_count_ - count},
       .expected = (count == 1 ? "the dimension " : "the dimensions ") + printable(names)},
      in_.tokens.offset());
}

read_status address_reader::check_label(std::string_view label, std::uint64_t offset) {
  if (!label.empty() || in_.options.allow_empty_labels) return read_status::ok;
  return in_.report_problem({.why = {.code = errc::empty_label}, .expected = "a label", .found = "\"\""}, offset);
}

void address_reader::set_label(std::size_t mapped_index, std::string_view label, bool copy) {
  if (copy && label.data() != copies_[mapped_index].data()) {
    copies_[mapped_index] = label;
    label = copies_[mapped_index];
  }
  labels_[mapped_index] = label;
}

read_status address_reader::read_label(known_dimension& dimension, bool copy) {
  const std::uint64_t offset = in_.tokens.offset();
  read_status result = read_status::ok;
  if (in_.tokens.kind() != '"') {
    if (in_.options.extended && in_.kind() == value_kind::number) return read_integer_label(dimension, copy);
    in_.path.push_member(dimension.name);
    result = in_.report_wrong_value(errc::bad_label, in_.options.extended ? "a string or an integer" : "a string");
    in_.path.pop();
    return result;
  }
  const std::string_view raw = in_.tokens.raw_string();
  std::uint64_t index = UINT64_MAX;
  if (dimension.size != 0 && parse_short_index(raw, index) && index < dimension.size) {
    cell_ += index * dimension.stride;
  } else {
    in_.path.push_member(dimension.name);
    const auto text = in_.unescaped(raw, offset, dimension.size != 0 ? scratch_ : copies_[dimension.mapped_index]);
    if (!text)
      result = read_status::stop;
    else if (dimension.size != 0)
      result = read_index(dimension, *text, offset);
    else if ((result = check_label(*text, offset)) == read_status::ok)
      set_label(dimension.mapped_index, *text, copy);
    in_.path.pop();
  }
  if (result == read_status::stop) return result;
  in_.tokens.next();
  return result;
}

read_status address_reader::read_index(const known_dimension& dimension, std::string_view text, std::uint64_t offset) {
  std::string_view digits = text;
  if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
  const bool is_number =
      !digits.empty() && std::all_of(digits.begin(), digits.end(), [](char c) { return digit_value(c) <= 9; });
  std::uint64_t index = 0;
  for (std::size_t i = 0; is_number && i < digits.size() && index < dimension.size; ++i)
    index = index * 10 + digit_value(digits[i]);
  if (is_number && index < dimension.size) {
    cell_ += index * dimension.stride;
    return read_status::ok;
  }
  if (is_number)  // the index for the message, or the largest number
    for (std::size_t i = index = 0; i < digits.size(); ++i)
      index = index > UINT64_MAX / 10 - 1 ? UINT64_MAX : index * 10 + digit_value(digits[i]);
  return in_.report_problem(
      {.why = {.code = is_number ? errc::index_range : errc::bad_index, .expected = dimension.size, .found = index},
       .expected = "an index below " + std::to_string(dimension.size),
       .found = in_.describe_token()},
      offset);
}

/// Reads an integer as a label, which is its decimal digits.
read_status address_reader::read_integer_label(known_dimension& dimension, bool copy) {
  std::string_view text = in_.tokens.scalar();
  in_.path.push_member(dimension.name);
  read_status result = read_status::ok;
  if (!parse_number(text))
    result = in_.report_bad_json("a string or an integer");
  else if (text.find_first_of(".eE") != text.npos)
    result = in_.report_problem(
        {.why = {.code = errc::bad_label}, .expected = "a string or an integer", .found = in_.describe_token()},
        in_.tokens.offset());
  else if (text == "-0")
    text.remove_prefix(1);
  if (result == read_status::ok && dimension.size != 0)
    result = read_index(dimension, text, in_.tokens.offset());
  else if (result == read_status::ok)
    set_label(dimension.mapped_index, text, copy);
  in_.path.pop();
  if (result == read_status::stop) return result;
  in_.tokens.next();
  return result;
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
