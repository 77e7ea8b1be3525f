// SPDX-License-Identifier: Apache-2.0
#include "constant/json/address_reader.hpp"

#include "constant/json/json_string.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/same_text.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

namespace {

/// Parses digits, in a third of the time of std::from_chars. Returns the largest number if it is too large, and nothing
/// for other texts.
std::optional<std::uint64_t> parse_index(std::string_view text) noexcept {
  if (text.empty()) return {};
  std::uint64_t out = 0;
  for (const char c : text) {
    if (digit_value(c) > 9) return {};
    out = out * 10 + digit_value(c);
  }
  return text.size() < 20 ? out : core::parse_number<std::uint64_t>(text).value_or(UINT64_MAX);
}

}  // namespace

address_reader::address_reader(parser& in, const tensor_type& type, bool only_mapped) : in_(in) {
  std::uint64_t stride = type.block_cells();
  for (const dimension& one : type.dimensions()) {
    known_dimension added{.name = one.name, .size = one.size};
    if (one.is_mapped()) {
      added.mapped_index = copies_.size();
      copies_.emplace_back();
    } else {
      added.stride = stride /= one.size;
      added.is_expected = !only_mapped;
    }
    if (added.is_expected) ++expected_count_;
    dimensions_.push_back(added);
  }
}

/// Addresses mostly name dimensions in the same order, so the search begins after the last one.
address_reader::known_dimension* address_reader::find_dimension(std::string_view name) noexcept {
  for (std::size_t tries = dimensions_.size(); tries > 0; --tries) {
    known_dimension& one = dimensions_[next_];
    if (++next_ == dimensions_.size()) next_ = 0;
    if (core::same_text(name, one.name)) return &one;
  }
  return nullptr;
}

read_status address_reader::read() {
  if (in_.tokens.kind() != '{') return in_.report_wrong_value(errc::unexpected_token, "an object");
  cell_ = 0;
  seen_count_ = 0;
  next_ = 0;
  for (known_dimension& one : dimensions_) one.is_seen = false;
  const read_status result = in_.members([&](const member_name& name) { return read_member(name); });
  return result == read_status::stop || seen_count_ == expected_count_ ? result : report_missing();
}

read_status address_reader::read_member(const member_name& name) {
  known_dimension* found = find_dimension(name.raw);
  if (found == nullptr) {
    const auto text = in_.unescaped(name.raw, name.offset, scratch_);
    if (!text) return read_status::stop;
    found = find_dimension(*text);
  }
  if (found == nullptr || !found->is_expected)
    return in_.report_and_skip({.cause = {.code = errc::unknown_dimension, .offset = name.offset},
                                .expected = found == nullptr ? "a dimension of the type" : "only mapped dimensions",
                                .found = '"' + printable(name.raw) + '"'});
  if (found->is_seen)
    return in_.report_and_skip({.cause = {.code = errc::repeated_dimension, .offset = name.offset},
                                .expected = "another dimension",
                                .found = "a second \"" + printable(name.raw) + '"'});
  found->is_seen = true;
  ++seen_count_;
  const auto step = in_.path.add_member(found->name);
  return read_label(*found);
}

/// Reads the current value, a string or in extended documents an integer.
read_status address_reader::read_label(const known_dimension& dimension) {
  const bool is_string = in_.tokens.kind() == '"';
  std::string_view raw = is_string ? in_.tokens.raw_string() : in_.tokens.scalar();
  if (!is_string) {
    const bool is_integer = in_.options.extended && parse_number(raw) && raw.find_first_of(".eE") == raw.npos;
    if (!is_integer)
      return in_.report_wrong_value(errc::bad_label, in_.options.extended ? "a string or an integer" : "a string");
    if (raw == "-0") raw = "0";
  }
  const read_status result = dimension.size != 0 ? set_index(dimension, raw) : set_label(dimension, raw);
  if (result != read_status::stop) in_.tokens.next();
  return result;
}

/// Copies a label, because the window may move before the address ends.
read_status address_reader::set_label(const known_dimension& dimension, std::string_view raw) {
  std::string& copy = copies_[dimension.mapped_index];
  const auto text = in_.unescaped(raw, in_.tokens.offset(), copy);
  if (!text) return read_status::stop;
  if (text->data() != copy.data()) copy = *text;
  labels_[dimension.mapped_index] = copy;
  return in_.check_label(copy, in_.tokens.offset());
}

read_status address_reader::set_index(const known_dimension& dimension, std::string_view raw) {
  auto index = parse_index(raw);
  if (!index) {
    const auto text = in_.unescaped(raw, in_.tokens.offset(), scratch_);
    if (!text) return read_status::stop;
    index = parse_index(text->substr(text->starts_with('+') ? 1 : 0));
  }
  if (index && *index < dimension.size) {
    cell_ += *index * dimension.stride;
    return read_status::ok;
  }
  return in_.report_problem({.cause = {.code = index ? errc::index_range : errc::bad_index,
                                       .offset = in_.tokens.offset(),
                                       .expected = dimension.size,
                                       .found = index.value_or(0)},
                             .expected = "an index below " + std::to_string(dimension.size),
                             .found = in_.describe_token()});
}

read_status address_reader::report_missing() {
  std::string names;
  for (const known_dimension& one : dimensions_)
    if (one.is_expected && !one.is_seen) (names += names.empty() ? "" : ", ") += one.name;
  return in_.report_problem(
      {.cause = {.code = errc::missing_dimension,
                 .offset = in_.closing_offset(),
                 .expected = expected_count_,
                 .found = seen_count_},
       .expected = (expected_count_ - seen_count_ == 1 ? "the dimension " : "the dimensions ") + printable(names)});
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
