// SPDX-License-Identifier: Apache-2.0
// Changes of an item that is a map.
#include <new>
#include <tgmap/write/cbor_value.hpp>

#include "cbor/edit.hpp"
#include "cbor/path.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

failure no_map(const cbor_value& it) noexcept {
  if (it.is_map()) return {};
  return {.code = errc::wrong_kind,
          .expected = static_cast<std::uint64_t>(cbor_kind::map),
          .found = static_cast<std::uint64_t>(it.kind())};
}

failure change_set(const cbor_value& it, std::vector<std::byte>& encoded, std::string_view path, const cbor_value& to) {
  if (const failure why = no_map(it)) return why;
  return cbor::set_path(encoded, path, to.encoded());
}

failure change_erase(const cbor_value& it, std::vector<std::byte>& encoded, std::string_view path, bool& was_there) {
  if (const failure why = no_map(it)) return why;
  if (path.empty()) return {.code = errc::bad_key};
  was_there = cbor::erase_path(encoded, path);
  return {};
}

/// Taken away first: what is at `to` may lie inside what is at `from`, or the other way round.
failure change_rename(const cbor_value& it, std::vector<std::byte>& encoded, std::string_view from, std::string_view to,
                      bool& was_there) {
  if (const failure why = no_map(it)) return why;
  if (from.empty() || to.empty()) return {.code = errc::bad_key};
  const auto found = cbor::find_path(it.view(), from);
  if (!found) return {};
  const auto moved = found->bytes();  // of what is there until the end
  std::vector<std::byte> changed = encoded;
  cbor::erase_path(changed, from);
  if (const failure why = cbor::set_path(changed, to, moved)) return why;
  encoded.swap(changed);
  was_there = true;
  return {};
}

failure change_update(const cbor_value& it, std::vector<std::byte>& encoded, const cbor_value& other) {
  if (const failure why = no_map(it)) return why;
  if (const failure why = no_map(other)) return why;
  cbor::merge_maps(encoded, other.encoded());
  return {};
}

/// What `change()` says, or that there is no memory.
template <class Change>
failure without_throwing(Change&& change) noexcept try {
  return change();
} catch (const std::bad_alloc&) {
  return {.code = errc::out_of_memory};
}

}  // namespace

void cbor_value::set(std::string_view path, const cbor_value& to) {
  detail::raise_if(change_set(*this, encoded_, path, to));
}

void cbor_value::set(std::string_view path, const cbor_value& to, failure& why) noexcept {
  why = without_throwing([&] { return change_set(*this, encoded_, path, to); });
}

bool cbor_value::transform(std::string_view path,
                           const std::function<const cbor_value&(const std::optional<cbor_view>& there)>& choose) {
  detail::raise_if(no_map(*this));
  bool changed = false;
  detail::raise_if(cbor::set_path(
      encoded_, path, [&](const std::optional<cbor_view>& there) { return choose(there).encoded(); }, changed));
  return changed;
}

bool cbor_value::erase(std::string_view path) {
  bool was_there = false;
  detail::raise_if(change_erase(*this, encoded_, path, was_there));
  return was_there;
}

bool cbor_value::erase(std::string_view path, failure& why) noexcept {
  bool was_there = false;
  why = without_throwing([&] { return change_erase(*this, encoded_, path, was_there); });
  return was_there;
}

bool cbor_value::rename(std::string_view from, std::string_view to) {
  bool was_there = false;
  detail::raise_if(change_rename(*this, encoded_, from, to, was_there));
  return was_there;
}

bool cbor_value::rename(std::string_view from, std::string_view to, failure& why) noexcept {
  bool was_there = false;
  why = without_throwing([&] { return change_rename(*this, encoded_, from, to, was_there); });
  return was_there;
}

void cbor_value::update(const cbor_value& other) { detail::raise_if(change_update(*this, encoded_, other)); }

void cbor_value::update(const cbor_value& other, failure& why) noexcept {
  why = without_throwing([&] { return change_update(*this, encoded_, other); });
}

}  // namespace v0
}  // namespace tgmap
