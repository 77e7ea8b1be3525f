// SPDX-License-Identifier: Apache-2.0
// Walking CBOR where it lies: containers, keys and paths. Scalars are in scalar.cpp.
#include <tgmap/cbor_view.hpp>

#include "cbor/look.hpp"
#include "cbor/path.hpp"
#include "cbor/skip.hpp"
#include "cbor/walk.hpp"

namespace tgmap {
inline namespace v0 {

cbor_kind cbor_view::kind() const noexcept { return cbor::kind_of(cbor::look_at_head(bytes_to_end())); }

bool cbor_view::first(cursor& out) const noexcept {
  return cbor::looked(false, [&]() noexcept { return cbor::first(bytes_to_end(), out); });
}

bool cbor_view::next(cursor& s) noexcept {
  cursor after = s;
  const bool there = cbor::looked(false, [&]() noexcept { return cbor::next(after); });
  if (!there && !after.is_malformed && after.remaining != 0) after.is_malformed = true;  // lost on the way
  s = after;
  return there;
}

std::uint64_t cbor_view::size() const noexcept {
  return cbor::looked(std::uint64_t{0}, [&]() noexcept {
    cursor s;
    if (!cbor::first(bytes_to_end(), s)) return std::uint64_t{0};
    if (s.remaining != cbor::until_break) return s.remaining;
    std::uint64_t n = 0;
    while (cbor::next(s)) ++n;
    return n;
  });
}

std::optional<cbor_view> cbor_view::find(std::string_view key) const noexcept {
  return cbor::looked(std::optional<cbor_view>(), [&]() noexcept { return cbor::find_key(*this, key); });
}

std::optional<cbor_view> cbor_view::at(std::uint64_t i) const noexcept {
  return cbor::looked(std::optional<cbor_view>(), [&]() noexcept { return cbor::find_element(*this, i); });
}

std::optional<cbor_view> cbor_view::at_path(std::string_view dotted) const noexcept {
  return cbor::looked(std::optional<cbor_view>(), [&]() noexcept { return cbor::find_path(*this, dotted); });
}

std::optional<std::uint64_t> cbor_view::tag() const noexcept {
  const cbor::head head = cbor::look_at_head(bytes_to_end());
  return head.major == cbor::major::tag ? std::optional(head.argument) : std::nullopt;
}

cbor_view cbor_view::untagged() const noexcept {
  return cbor::looked(*this, [&]() noexcept {
    const std::byte* at = at_;
    cbor::head head;
    if (at == nullptr || !cbor::read_head(at, end_, head) || head.major != cbor::major::tag) return *this;
    return cbor_view({at, end_});
  });
}

std::span<const std::byte> cbor_view::bytes() const noexcept {
  if (at_ == nullptr) return {};
  const std::byte* const behind =
      cbor::looked<const std::byte*>(nullptr, [&]() noexcept { return cbor::skip(at_, end_); });
  if (behind == nullptr) return {};
  return {at_, behind};
}

}  // namespace v0
}  // namespace tgmap
