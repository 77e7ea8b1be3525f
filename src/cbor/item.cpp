// SPDX-License-Identifier: Apache-2.0
// Items that a program makes. Copies of what lies in archives are in item_copy.cpp, changes in item_edit.cpp.
#include <algorithm>
#include <array>
#include <deque>
#include <new>
#include <string>
#include <tgmap/write/cbor_value.hpp>

#include "cbor/canonical.hpp"
#include "cbor/item_access.hpp"
#include "cbor/look.hpp"
#include "cbor/text.hpp"
#include "cbor/writer.hpp"
#include "wire/bytes.hpp"

namespace tgmap {
inline namespace v0 {

using detail::item_access;

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
failure check_levels(std::span<const std::byte> encoded) noexcept {
  if (cbor::levels_of(encoded) <= cbor::most_levels) return {};
  return {.code = errc::cbor_too_deep, .expected = cbor::most_levels};
}

void write_tagged(cbor::writer& to, std::uint64_t number, const cbor_value& tagged) {
  to.tag(number);
  to.encoded(tagged.encoded());
}

void write_array(cbor::writer& to, std::span<const cbor_value> elements) {
  to.array(elements.size());
  for (const cbor_value& element : elements) to.encoded(element.encoded());
}

void write_map(cbor::writer& to, std::span<const cbor_value::pair> pairs) {
  std::vector<const cbor_value::pair*> sorted;
  sorted.reserve(pairs.size());
  std::deque<std::pair<std::string, cbor_value::pair>> repaired;  // does not move what it has
  for (const cbor_value::pair& one : pairs) sorted.push_back(&one);
  for (const cbor_value::pair*& one : sorted) {
    if (cbor::is_well_formed(one->first)) continue;
    auto& [key, instead] = repaired.emplace_back(cbor::well_formed(std::string(one->first)), cbor_value::pair(*one));
    instead.first = key;
    one = &instead;
  }
  const auto before = [](const cbor_value::pair* a, const cbor_value::pair* b) {
    return cbor::key_before(a->first, b->first);
  };
  std::ranges::stable_sort(sorted, before);
  // Of equal keys the last one: from the end, the first.
  const auto same = [](const cbor_value::pair* a, const cbor_value::pair* b) { return a->first == b->first; };
  const auto kept = std::unique(sorted.rbegin(), sorted.rend(), same);
  to.map(static_cast<std::uint64_t>(kept - sorted.rbegin()));
  for (auto at = kept.base(); at != sorted.end(); ++at) {
    to.text((*at)->first);
    to.encoded((*at)->second.encoded());
  }
}

}  // namespace

/// What `write(cbor::writer&)` puts there, unless it is too deep.
template <class Write>
cbor_value detail::item_access::make(Write&& write) {
  cbor_value out;
  cbor::writer to(out.encoded_);
  write(to);
  detail::raise_if(check_levels(out.encoded_));
  return out;
}

template <class Write>
cbor_value detail::item_access::make(Write&& write, failure& why) noexcept try {
  cbor_value out;
  cbor::writer to(out.encoded_);
  write(to);
  why = check_levels(out.encoded_);
  if (why) out.encoded_.clear();
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

cbor_value cbor_value::simple(bool truth) {
  cbor_value out;
  cbor::writer(out.encoded_).boolean(truth);
  return out;
}

cbor_value cbor_value::of(std::int64_t number) {
  cbor_value out;
  cbor::writer(out.encoded_).integer(number);
  return out;
}

cbor_value cbor_value::of(std::uint64_t number) {
  cbor_value out;
  cbor::writer(out.encoded_).integer(number);
  return out;
}

cbor_value cbor_value::of(double number) {
  cbor_value out;
  cbor::writer(out.encoded_).real(number);
  return out;
}

cbor_value cbor_value::of(std::string_view text) {
  cbor_value out;
  cbor::writer to(out.encoded_);
  write_text(to, text);
  return out;
}

cbor_value cbor_value::negative(std::uint64_t n) {
  cbor_value out;
  cbor::writer(out.encoded_).negative(n);
  return out;
}

cbor_value cbor_value::bytes(std::span<const std::byte> contents) {
  cbor_value out;
  cbor::writer(out.encoded_).bytes(contents);
  return out;
}

cbor_value cbor_value::tagged(std::uint64_t number, const cbor_value& tagged) {
  return item_access::make([&](cbor::writer& to) { write_tagged(to, number, tagged); });
}

cbor_value cbor_value::tagged(std::uint64_t number, const cbor_value& tagged, failure& why) noexcept {
  return item_access::make([&](cbor::writer& to) { write_tagged(to, number, tagged); }, why);
}

cbor_value cbor_value::array(std::initializer_list<cbor_value> elements) {
  return array(std::span<const cbor_value>(elements.begin(), elements.size()));
}

cbor_value cbor_value::array(std::span<const cbor_value> elements) {
  return item_access::make([&](cbor::writer& to) { write_array(to, elements); });
}

cbor_value cbor_value::array(std::span<const cbor_value> elements, failure& why) noexcept {
  return item_access::make([&](cbor::writer& to) { write_array(to, elements); }, why);
}

cbor_value cbor_value::array(std::span<const std::uint64_t> numbers) {
  cbor_value out;
  cbor::writer to(out.encoded_);
  to.array(numbers.size());
  for (const std::uint64_t number : numbers) to.integer(number);
  return out;
}

cbor_value cbor_value::map(std::initializer_list<pair> pairs) {
  return map(std::span<const pair>(pairs.begin(), pairs.size()));
}

cbor_value cbor_value::map(std::span<const pair> pairs) {
  return item_access::make([&](cbor::writer& to) { write_map(to, pairs); });
}

cbor_value cbor_value::map(std::span<const pair> pairs, failure& why) noexcept {
  return item_access::make([&](cbor::writer& to) { write_map(to, pairs); }, why);
}

cbor_kind cbor_value::kind() const noexcept {
  const auto all = encoded();
  const std::byte* at = all.data();
  cbor::head first;  // of memory that cannot go away
  return cbor::read_head(at, at + all.size(), first) ? cbor::kind_of(first) : cbor_kind::null;
}

bool cbor_value::empty() const noexcept {
  constexpr std::byte no_elements{static_cast<unsigned>(cbor::major::array) << 5};
  constexpr std::byte no_pairs{static_cast<unsigned>(cbor::major::map) << 5};
  const std::byte first = encoded().front();
  return first == no_elements || first == no_pairs;
}

cbor_view cbor_value::view() const noexcept { return cbor_view(encoded()); }

std::span<const std::byte> cbor_value::encoded() const noexcept {
  return encoded_.empty() ? std::span<const std::byte>(encoded_null) : std::span<const std::byte>(encoded_);
}

bool cbor_value::operator==(const cbor_value& other) const noexcept { return wire::equal(encoded(), other.encoded()); }

}  // namespace v0
}  // namespace tgmap
