// SPDX-License-Identifier: Apache-2.0
#include "constant/json/address.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

namespace {

constexpr std::size_t no_dimension = SIZE_MAX;

/// A few digits and nothing else.
bool plain_index(std::string_view text, std::uint64_t& index) noexcept {
  if (text.empty() || text.size() > 9) return false;
  std::uint64_t out = 0;
  for (const char c : text) {
    if (digit_of(c) > 9) return false;
    out = out * 10 + digit_of(c);
  }
  index = out;
  return true;
}

}  // namespace

address_reader::address_reader(parser& in, const tensor_type& type, bool mapped_alone) : in_(in) {
  std::uint64_t stride = type.block_cells();
  for (const dimension& one : type.dimensions()) {
    known k{.name = one.name, .quoted = '"' + one.name + '"', .size = one.size};
    if (one.is_mapped()) {
      k.mapped = mapped_++;
    } else {
      stride /= one.size;
      k.stride = stride;
      k.wanted = !mapped_alone;
    }
    if (k.quoted.size() <= 8) {
      std::memcpy(&k.word, k.quoted.data(), k.quoted.size());
      std::memset(&k.mask, 0xFF, k.quoted.size());
    }
    if (k.wanted) order_.push_back(all_.size());
    all_.push_back(std::move(k));
  }
  wanted_ = order_.size();
  seen_.resize(all_.size());
  copies_.resize(mapped_);
}

bool address_reader::is_here(const known& one) const noexcept {
  if (one.mask != 0) {
    std::uint64_t word;
    std::memcpy(&word, in_.at.here(), 8);
    return (word & one.mask) == one.word;
  }
  // Behind a window is room for short names; long ones may be longer than what is left of it.
  const std::size_t length = one.quoted.size();
  if (length > 64 && static_cast<std::size_t>(in_.at.window_end() - in_.at.here()) < length) return false;
  return std::memcmp(in_.at.here(), one.quoted.data(), length) == 0;
}

/// The dimension that the name here is of. Stays at it.
std::size_t address_reader::find_here(outcome& told) {
  for (std::size_t d = 0; d < all_.size(); ++d)
    if (is_here(all_[d])) return d;
  const auto name = in_.string_here(scratch_);
  if (!name) {
    told = outcome::stop;
    return no_dimension;
  }
  for (std::size_t d = 0; d < all_.size(); ++d)
    if (all_[d].name == *name) return d;
  return no_dimension;
}

outcome address_reader::read() {
  if (in_.at.kind() != '{') return in_.wrong_value(errc::unexpected_token, "an object");
  // Where all of it is in this window labels are used where they are.
  const bool keep = in_.at.left() <= 4 * wanted_ + 2;
  bool wrong = false;
  std::size_t count = 0;  // of names seen that are wanted
  cell_ = 0;
  std::fill(seen_.begin(), seen_.end(), false);
  in_.at.next();
  for (bool first = true; first ? in_.at.kind() != '}' : true; first = false) {
    if (in_.at.kind() != '"') return in_.bad_json("a name in quotes");
    const std::uint64_t offset = in_.at.offset();
    std::size_t d = count < wanted_ ? order_[count] : no_dimension;
    outcome told = outcome::got;
    if (d == no_dimension || !is_here(all_[d])) d = find_here(told);
    if (told == outcome::stop) return told;
    if (d == no_dimension || !all_[d].wanted) {
      told = in_.tell({.why = {.code = errc::unknown_dimension},
                       .expected = d == no_dimension ? "a dimension of the type" : "mapped dimensions alone",
                       .found = in_.found_here()},
                      offset);
    } else if (seen_[d]) {
      told = in_.tell({.why = {.code = errc::repeated_dimension},
                       .expected = "another dimension",
                       .found = in_.found_here() + " for the second time"},
                      offset);
    }
    if (told == outcome::stop) return told;
    in_.at.next();
    if (in_.at.kind() != ':') return in_.bad_json("a colon");
    in_.at.next();
    if (told == outcome::wrong) {
      if (in_.skip() == outcome::stop) return outcome::stop;
    } else {
      seen_[d] = true;
      if (order_[count] != d) std::swap(order_[count], *std::find(order_.begin(), order_.end(), d));
      ++count;
      told = label_here(all_[d], keep);
      if (told == outcome::stop) return told;
    }
    wrong = wrong || told == outcome::wrong;
    if (in_.at.kind() == '}') break;
    if (in_.at.kind() != ',') return in_.bad_json("a comma or }");
    in_.at.next();
  }
  if (count != wanted_) {
    if (missing() == outcome::stop) return outcome::stop;
    wrong = true;
  }
  in_.at.next();
  return wrong ? outcome::wrong : outcome::got;
}

outcome address_reader::missing() {
  std::string names;
  std::size_t count = 0;
  for (std::size_t d = 0; d < all_.size(); ++d)
    if (all_[d].wanted && !seen_[d]) (names += count++ == 0 ? "" : ", ") += all_[d].name;
  return in_.tell({.why = {.code = errc::missing_dimension, .expected = wanted_, .found = wanted_ - count},
                   .expected = (count == 1 ? "the dimension " : "the dimensions ") + shown(names)},
                  in_.at.offset());
}

outcome address_reader::check_label(std::string_view label, std::uint64_t offset) {
  if (!label.empty() || in_.options.allow_empty_labels) return outcome::got;
  return in_.tell({.why = {.code = errc::empty_label}, .expected = "a label", .found = "\"\""}, offset);
}

void address_reader::keep_label(std::size_t mapped, std::string_view label, bool copy) {
  if (copy && label.data() != copies_[mapped].data()) {
    copies_[mapped] = label;
    label = copies_[mapped];
  }
  labels_[mapped] = label;
}

outcome address_reader::label_here(known& of, bool keep) {
  const std::uint64_t offset = in_.at.offset();
  outcome told = outcome::got;
  if (in_.at.kind() != '"') {
    if (in_.options.extended && in_.kind() == value_kind::number) return integer_here(of, keep);
    in_.where.member(of.name);
    told = in_.wrong_value(errc::bad_label, in_.options.extended ? "a string or an integer" : "a string");
    in_.where.pop();
    return told;
  }
  const std::string_view raw = in_.at.raw_string();
  std::uint64_t index = UINT64_MAX;
  if (of.size != 0 && plain_index(raw, index) && index < of.size) {
    cell_ += index * of.stride;
  } else {
    in_.where.member(of.name);
    const auto text = in_.text_of(raw, offset, of.size != 0 ? scratch_ : copies_[of.mapped]);
    if (!text)
      told = outcome::stop;
    else if (of.size != 0)
      told = index_here(of, *text, offset);
    else if ((told = check_label(*text, offset)) == outcome::got)
      keep_label(of.mapped, *text, keep);
    in_.where.pop();
  }
  if (told == outcome::stop) return told;
  in_.at.next();
  return told;
}

outcome address_reader::index_here(const known& of, std::string_view text, std::uint64_t offset) {
  std::string_view digits = text;
  if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
  const bool sound =
      !digits.empty() && std::all_of(digits.begin(), digits.end(), [](char c) { return digit_of(c) <= 9; });
  std::uint64_t index = 0;
  for (std::size_t i = 0; sound && i < digits.size() && index < of.size; ++i) index = index * 10 + digit_of(digits[i]);
  if (sound && index < of.size) {
    cell_ += index * of.stride;
    return outcome::got;
  }
  if (sound)  // the number as it stands, as far as one can hold it
    for (std::size_t i = index = 0; i < digits.size(); ++i)
      index = index > UINT64_MAX / 10 - 1 ? UINT64_MAX : index * 10 + digit_of(digits[i]);
  return in_.tell({.why = {.code = sound ? errc::index_range : errc::bad_index, .expected = of.size, .found = index},
                   .expected = "an index below " + std::to_string(of.size),
                   .found = in_.found_here()},
                  offset);
}

/// An integer of JSON as a label: its decimal digits.
outcome address_reader::integer_here(known& of, bool keep) {
  std::string_view text = in_.at.scalar();
  in_.where.member(of.name);
  outcome told = outcome::got;
  if (!any_number(text))
    told = in_.bad_json("a string or an integer");
  else if (text.find_first_of(".eE") != text.npos)
    told = in_.tell({.why = {.code = errc::bad_label}, .expected = "a string or an integer", .found = in_.found_here()},
                    in_.at.offset());
  else if (text == "-0")
    text.remove_prefix(1);
  if (told == outcome::got && of.size != 0)
    told = index_here(of, text, in_.at.offset());
  else if (told == outcome::got)
    keep_label(of.mapped, text, keep);
  in_.where.pop();
  if (told == outcome::stop) return told;
  in_.at.next();
  return told;
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
