// SPDX-License-Identifier: Apache-2.0
// Items that a program makes. Copies of what lies in archives are in item_copy.cpp, changes in item_edit.cpp.
#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <tgmap/item.hpp>

#include "cbor/canonical.hpp"
#include "cbor/look.hpp"
#include "cbor/text.hpp"
#include "cbor/writer.hpp"
#include "wire/bytes.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

constexpr std::array<std::byte, 1> encoded_null{
    std::byte{static_cast<unsigned>(cbor::major::simple) << 5 | cbor::simple_null}};

void write_text(cbor::writer& to, std::string_view text) {
  if (cbor::is_well_formed(text))
    to.text(text);
  else
    to.text(cbor::well_formed(std::string(text)));
}

/// Refuses what no reader follows.
void require_shallow(std::span<const std::byte> encoded) {
  if (cbor::levels_of(encoded) > cbor::most_levels)
    detail::raise({.code = errc::cbor_too_deep, .expected = cbor::most_levels});
}

}  // namespace

item item::simple(bool truth) {
  item out;
  cbor::writer(out.encoded_).boolean(truth);
  return out;
}

item item::of(std::int64_t number) {
  item out;
  cbor::writer(out.encoded_).integer(number);
  return out;
}

item item::of(std::uint64_t number) {
  item out;
  cbor::writer(out.encoded_).integer(number);
  return out;
}

item item::of(double number) {
  item out;
  cbor::writer(out.encoded_).real(number);
  return out;
}

item item::of(std::string_view text) {
  item out;
  cbor::writer to(out.encoded_);
  write_text(to, text);
  return out;
}

item item::negative(std::uint64_t n) {
  item out;
  cbor::writer(out.encoded_).negative(n);
  return out;
}

item item::bytes(std::span<const std::byte> contents) {
  item out;
  cbor::writer(out.encoded_).bytes(contents);
  return out;
}

item item::tagged(std::uint64_t number, const item& tagged) {
  item out;
  cbor::writer to(out.encoded_);
  to.tag(number);
  to.encoded(tagged.encoded());
  require_shallow(out.encoded_);
  return out;
}

item item::array(std::initializer_list<item> elements) {
  return array(std::span<const item>(elements.begin(), elements.size()));
}

item item::array(std::span<const item> elements) {
  item out;
  cbor::writer to(out.encoded_);
  to.array(elements.size());
  for (const item& element : elements) to.encoded(element.encoded());
  require_shallow(out.encoded_);
  return out;
}

item item::array(std::span<const std::uint64_t> numbers) {
  item out;
  cbor::writer to(out.encoded_);
  to.array(numbers.size());
  for (const std::uint64_t number : numbers) to.integer(number);
  return out;
}

item item::map(std::initializer_list<pair> pairs) { return map(std::span<const pair>(pairs.begin(), pairs.size())); }

item item::map(std::span<const pair> pairs) {
  std::vector<const pair*> sorted;
  sorted.reserve(pairs.size());
  std::deque<std::pair<std::string, pair>> repaired;  // does not move what it has
  for (const pair& one : pairs) sorted.push_back(&one);
  for (const pair*& one : sorted) {
    if (cbor::is_well_formed(one->first)) continue;
    auto& [key, instead] = repaired.emplace_back(cbor::well_formed(std::string(one->first)), pair(*one));
    instead.first = key;
    one = &instead;
  }
  std::ranges::stable_sort(sorted, [](const pair* a, const pair* b) { return cbor::key_before(a->first, b->first); });
  // Of equal keys the last one: from the end, the first.
  const auto same = [](const pair* a, const pair* b) { return a->first == b->first; };
  const auto kept = std::unique(sorted.rbegin(), sorted.rend(), same);
  item out;
  cbor::writer to(out.encoded_);
  to.map(static_cast<std::uint64_t>(kept - sorted.rbegin()));
  for (auto at = kept.base(); at != sorted.end(); ++at) {
    to.text((*at)->first);
    to.encoded((*at)->second.encoded());
  }
  require_shallow(out.encoded_);
  return out;
}

kind item::type() const noexcept {
  const auto all = encoded();
  const std::byte* at = all.data();
  cbor::head first;  // of memory that cannot go away
  return cbor::read_head(at, at + all.size(), first) ? cbor::kind_of(first) : kind::null;
}

bool item::empty() const noexcept {
  constexpr std::byte no_elements{static_cast<unsigned>(cbor::major::array) << 5};
  constexpr std::byte no_pairs{static_cast<unsigned>(cbor::major::map) << 5};
  const std::byte first = encoded().front();
  return first == no_elements || first == no_pairs;
}

value item::view() const noexcept { return value(encoded()); }

std::span<const std::byte> item::encoded() const noexcept {
  return encoded_.empty() ? std::span<const std::byte>(encoded_null) : std::span<const std::byte>(encoded_);
}

bool item::operator==(const item& other) const noexcept { return wire::equal(encoded(), other.encoded()); }

}  // namespace v0
}  // namespace tgmap
