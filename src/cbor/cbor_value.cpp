// SPDX-License-Identifier: Apache-2.0
#include <tgmap/write/cbor_value.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <new>
#include <string>

#include "cbor/canonical/canonical.hpp"
#include "cbor/canonical/canonical_map.hpp"
#include "cbor/canonical/writer.hpp"
#include "cbor/cbor_value_access.hpp"
#include "cbor/guarded_read.hpp"
#include "cbor/path.hpp"
#include "cbor/prescan.hpp"
#include "cbor/text.hpp"
#include "wire/bytes.hpp"

namespace tgmap {
inline namespace v0 {

using detail::cbor_value_access;

namespace {

constexpr std::array<std::byte, 1> encoded_null{
    std::byte{static_cast<unsigned>(cbor::major::simple) << 5 | cbor::simple_null}};

void write_text(cbor::writer& writer, std::string_view text) {
  if (cbor::is_well_formed(text))
    writer.text(text);
  else
    writer.text(cbor::well_formed(std::string(text)));
}

/// Checks that readers accept the nesting of an item.
failure check_nesting(std::span<const std::byte> encoded) noexcept {
  if (cbor::nesting_depth(encoded) <= cbor::max_nesting) return {};
  return {.code = errc::cbor_too_deep, .expected = cbor::max_nesting};
}

void write_tagged(cbor::writer& writer, std::uint64_t number, const cbor_value& tagged) {
  writer.tag(number);
  writer.encoded(tagged.encoded());
}

void write_array(cbor::writer& writer, std::span<const cbor_value> elements) {
  writer.array(elements.size());
  for (const cbor_value& element : elements) writer.encoded(element.encoded());
}

void write_map(cbor::writer& writer, std::span<const cbor_value::pair> pairs) {
  std::vector<const cbor_value::pair*> sorted;
  sorted.reserve(pairs.size());
  std::deque<std::pair<std::string, cbor_value::pair>> repaired;  // a deque, so that keys stay at their addresses
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
  // The last of equal keys counts. It is the first one from the end.
  const auto same = [](const cbor_value::pair* a, const cbor_value::pair* b) { return a->first == b->first; };
  const auto kept = std::unique(sorted.rbegin(), sorted.rend(), same);
  writer.map(static_cast<std::uint64_t>(kept - sorted.rbegin()));
  for (auto at = kept.base(); at != sorted.end(); ++at) {
    writer.text((*at)->first);
    writer.encoded((*at)->second.encoded());
  }
}

}  // namespace

/// Returns the item that `write(cbor::writer&)` writes, or fails if it is nested too deep.
template <class Write>
cbor_value detail::cbor_value_access::make(Write&& write) {
  cbor_value out;
  cbor::writer writer(out.encoded_);
  write(writer);
  detail::raise_if(check_nesting(out.encoded_));
  return out;
}

template <class Write>
cbor_value detail::cbor_value_access::make(Write&& write, failure& why) noexcept try {
  cbor_value out;
  cbor::writer writer(out.encoded_);
  write(writer);
  why = check_nesting(out.encoded_);
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
  cbor::writer writer(out.encoded_);
  write_text(writer, text);
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
  return cbor_value_access::make([&](cbor::writer& writer) { write_tagged(writer, number, tagged); });
}

cbor_value cbor_value::tagged(std::uint64_t number, const cbor_value& tagged, failure& why) noexcept {
  return cbor_value_access::make([&](cbor::writer& writer) { write_tagged(writer, number, tagged); }, why);
}

cbor_value cbor_value::array(std::initializer_list<cbor_value> elements) {
  return array(std::span<const cbor_value>(elements.begin(), elements.size()));
}

cbor_value cbor_value::array(std::span<const cbor_value> elements) {
  return cbor_value_access::make([&](cbor::writer& writer) { write_array(writer, elements); });
}

cbor_value cbor_value::array(std::span<const cbor_value> elements, failure& why) noexcept {
  return cbor_value_access::make([&](cbor::writer& writer) { write_array(writer, elements); }, why);
}

cbor_value cbor_value::array(std::span<const std::uint64_t> numbers) {
  cbor_value out;
  cbor::writer writer(out.encoded_);
  writer.array(numbers.size());
  for (const std::uint64_t number : numbers) writer.integer(number);
  return out;
}

cbor_value cbor_value::map(std::initializer_list<pair> pairs) {
  return map(std::span<const pair>(pairs.begin(), pairs.size()));
}

cbor_value cbor_value::map(std::span<const pair> pairs) {
  return cbor_value_access::make([&](cbor::writer& writer) { write_map(writer, pairs); });
}

cbor_value cbor_value::map(std::span<const pair> pairs, failure& why) noexcept {
  return cbor_value_access::make([&](cbor::writer& writer) { write_map(writer, pairs); }, why);
}

cbor_kind cbor_value::kind() const noexcept {
  const auto all = encoded();
  const std::byte* at = all.data();
  cbor::head first;  // of memory that cannot disappear
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

namespace {

/// Returns why an item could not be skipped.
failure why_not_skipped(std::span<const std::byte> item) noexcept {
  const failure lost{.code = errc::bad_cbor};
  const failure why = cbor::read_guarded(lost, [&]() noexcept {
    return cbor::prescan(item, static_cast<std::uint32_t>(cbor::max_nesting), cbor::rules::any);
  });
  return why ? why : lost;
}

failure copy_bytes(const cbor_view& value, std::vector<std::byte>& out) {
  if (value.bytes_to_end().data() == nullptr) {
    out.clear();
    return {};
  }
  const auto current = value.bytes();
  if (current.empty()) return why_not_skipped(value.bytes_to_end());
  // The bytes of a mapping may change: copy them before reading them twice.
  out.resize(current.size());
  const bool copied = cbor::read_guarded(false, [&]() noexcept {
    std::memcpy(out.data(), current.data(), current.size());
    return true;
  });
  if (!copied) return {.code = errc::bad_cbor};
  return cbor::make_canonical(out);
}

}  // namespace

failure detail::cbor_value_access::copy(const cbor_view& view, cbor_value& value) {
  const failure why = copy_bytes(view, value.encoded_);
  if (why) value.encoded_.clear();
  return why;
}

failure detail::cbor_value_access::copy_map(std::span<const std::byte> encoded, cbor_value& value) {
  constexpr std::byte no_pairs{static_cast<unsigned>(cbor::major::map) << 5};
  if (encoded.empty()) {
    value.encoded_.assign(1, no_pairs);
    return {};
  }
  if (wire::equal(encoded, value.encoded_)) return {};  // common metadata is the same in most messages
  value.encoded_.assign(encoded.begin(), encoded.end());
  const failure why = cbor::make_canonical(value.encoded_);
  if (why) value.encoded_.clear();
  return why;
}

cbor_value cbor_value::copy(const cbor_view& value) {
  cbor_value out;
  detail::raise_if(copy_bytes(value, out.encoded_));
  return out;
}

cbor_value cbor_value::copy(const cbor_view& value, failure& why) noexcept try {
  cbor_value out;
  why = copy_bytes(value, out.encoded_);
  if (why) out.encoded_.clear();
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

namespace {

failure check_is_map(const cbor_value& it) noexcept {
  if (it.is_map()) return {};
  return {.code = errc::wrong_kind,
          .expected = static_cast<std::uint64_t>(cbor_kind::map),
          .found = static_cast<std::uint64_t>(it.kind())};
}

failure change_set(const cbor_value& it, std::vector<std::byte>& encoded, std::string_view path,
                   const cbor_value& value) {
  if (const failure why = check_is_map(it)) return why;
  return cbor::set_path(encoded, path, value.encoded());
}

failure change_erase(const cbor_value& it, std::vector<std::byte>& encoded, std::string_view path, bool& was_there) {
  if (const failure why = check_is_map(it)) return why;
  if (path.empty()) return {.code = errc::bad_key};
  was_there = cbor::erase_path(encoded, path);
  return {};
}

/// Renames a path. Erases first, because one path may be part of the other.
failure change_rename(const cbor_value& it, std::vector<std::byte>& encoded, std::string_view from, std::string_view to,
                      bool& was_there) {
  if (const failure why = check_is_map(it)) return why;
  if (from.empty() || to.empty()) return {.code = errc::bad_key};
  const auto found = cbor::find_path(it.view(), from);
  if (!found) return {};
  const auto moved = found->bytes();  // points into the old item
  std::vector<std::byte> changed = encoded;
  cbor::erase_path(changed, from);
  if (const failure why = cbor::set_path(changed, to, moved)) return why;
  encoded.swap(changed);
  was_there = true;
  return {};
}

failure change_update(const cbor_value& it, std::vector<std::byte>& encoded, const cbor_value& other) {
  if (const failure why = check_is_map(it)) return why;
  if (const failure why = check_is_map(other)) return why;
  cbor::merge_maps(encoded, other.encoded());
  return {};
}

/// Calls `change()`, and turns std::bad_alloc into a failure.
template <class Change>
failure catch_bad_alloc(Change&& change) noexcept try {
  return change();
} catch (const std::bad_alloc&) {
  return {.code = errc::out_of_memory};
}

}  // namespace

void cbor_value::set(std::string_view path, const cbor_value& value) {
  detail::raise_if(change_set(*this, encoded_, path, value));
}

void cbor_value::set(std::string_view path, const cbor_value& value, failure& why) noexcept {
  why = catch_bad_alloc([&] { return change_set(*this, encoded_, path, value); });
}

bool cbor_value::transform(std::string_view path,
                           const std::function<const cbor_value&(const std::optional<cbor_view>& current)>& choose) {
  detail::raise_if(check_is_map(*this));
  bool changed = false;
  detail::raise_if(cbor::set_path(
      encoded_, path, [&](const std::optional<cbor_view>& current) { return choose(current).encoded(); }, changed));
  return changed;
}

bool cbor_value::erase(std::string_view path) {
  bool was_there = false;
  detail::raise_if(change_erase(*this, encoded_, path, was_there));
  return was_there;
}

bool cbor_value::erase(std::string_view path, failure& why) noexcept {
  bool was_there = false;
  why = catch_bad_alloc([&] { return change_erase(*this, encoded_, path, was_there); });
  return was_there;
}

bool cbor_value::rename(std::string_view from, std::string_view to) {
  bool was_there = false;
  detail::raise_if(change_rename(*this, encoded_, from, to, was_there));
  return was_there;
}

bool cbor_value::rename(std::string_view from, std::string_view to, failure& why) noexcept {
  bool was_there = false;
  why = catch_bad_alloc([&] { return change_rename(*this, encoded_, from, to, was_there); });
  return was_there;
}

void cbor_value::update(const cbor_value& other) { detail::raise_if(change_update(*this, encoded_, other)); }

void cbor_value::update(const cbor_value& other, failure& why) noexcept {
  why = catch_bad_alloc([&] { return change_update(*this, encoded_, other); });
}

}  // namespace v0
}  // namespace tgmap
