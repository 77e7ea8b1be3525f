// SPDX-License-Identifier: Apache-2.0
#include <tgmap/cbor_view.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "cbor/floating.hpp"
#include "cbor/guarded_read.hpp"
#include "cbor/path.hpp"
#include "cbor/text.hpp"
#include "cbor/walk.hpp"
#include "core/phrases.hpp"

namespace tgmap {
inline namespace v0 {

cbor_kind cbor_view::kind() const noexcept { return cbor::kind_of(cbor::read_head_guarded(bytes_to_end())); }

bool cbor_view::first(cursor& out) const noexcept {
  return cbor::read_guarded(false, [&]() noexcept { return cbor::first(bytes_to_end(), out); });
}

bool cbor_view::next(cursor& s) noexcept {
  cursor after = s;
  const bool has_next = cbor::read_guarded(false, [&]() noexcept { return cbor::next(after); });
  if (!has_next && !after.is_malformed && after.remaining != 0) after.is_malformed = true;  // the file lost the bytes
  s = after;
  return has_next;
}

std::uint64_t cbor_view::size() const noexcept {
  return cbor::read_guarded(std::uint64_t{0}, [&]() noexcept {
    cursor s;
    if (!cbor::first(bytes_to_end(), s)) return std::uint64_t{0};
    if (s.remaining != cbor::until_break) return s.remaining;
    std::uint64_t n = 0;
    while (cbor::next(s)) ++n;
    return n;
  });
}

std::optional<cbor_view> cbor_view::find(std::string_view key) const noexcept {
  return cbor::read_guarded(std::optional<cbor_view>(), [&]() noexcept { return cbor::find_key(*this, key); });
}

std::optional<cbor_view> cbor_view::at(std::uint64_t i) const noexcept {
  return cbor::read_guarded(std::optional<cbor_view>(), [&]() noexcept { return cbor::find_element(*this, i); });
}

std::optional<cbor_view> cbor_view::at_path(std::string_view dotted) const noexcept {
  return cbor::read_guarded(std::optional<cbor_view>(), [&]() noexcept { return cbor::find_path(*this, dotted); });
}

std::optional<std::uint64_t> cbor_view::tag() const noexcept {
  const cbor::head head = cbor::read_head_guarded(bytes_to_end());
  return head.major == cbor::major::tag ? std::optional(head.argument) : std::nullopt;
}

cbor_view cbor_view::untagged() const noexcept {
  return cbor::read_guarded(*this, [&]() noexcept {
    const std::byte* at = at_;
    cbor::head head;
    if (at == nullptr || !cbor::read_head(at, end_, head) || head.major != cbor::major::tag) return *this;
    return cbor_view({at, end_});
  });
}

std::span<const std::byte> cbor_view::bytes() const noexcept {
  if (at_ == nullptr) return {};
  const std::byte* const item_end =
      cbor::read_guarded<const std::byte*>(nullptr, [&]() noexcept { return cbor::skip(at_, end_); });
  if (item_end == nullptr) return {};
  return {at_, item_end};
}

namespace {

failure wrong(cbor_kind wanted, cbor_kind found) noexcept {
  return {.code = errc::wrong_kind,
          .expected = static_cast<std::uint64_t>(wanted),
          .found = static_cast<std::uint64_t>(found)};
}

/// Returns -1 - n for any 64-bit n.
std::string negative(std::uint64_t n) {
  if (n == UINT64_MAX) return "-18446744073709551616";
  return std::to_string(n + 1).insert(0, 1, '-');
}

/// Returns the shortest digits that read back the same, never with an exponent: 1, 0.5, 100000000000000000000.
std::string plain(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  std::array<char, 1100> out;  // the longest is a subnormal with 1074 places
  const auto [end, code] = std::to_chars(out.data(), out.data() + out.size(), number, std::chars_format::fixed);
  return code == std::errc{} ? std::string(out.data(), end) : std::string();
}

}  // namespace

failure cbor_view::fetch(bool& out) const noexcept {
  const cbor::head head = cbor::read_head_guarded(bytes_to_end());
  if (cbor::kind_of(head) != cbor_kind::boolean) return wrong(cbor_kind::boolean, cbor::kind_of(head));
  out = head.info == cbor::simple_true;
  return {};
}

failure cbor_view::fetch(std::uint64_t& out) const noexcept {
  const cbor::head head = cbor::read_head_guarded(bytes_to_end());
  if (cbor::kind_of(head) != cbor_kind::integer) return wrong(cbor_kind::integer, cbor::kind_of(head));
  if (head.major == cbor::major::negative_integer) return {.code = errc::value_out_of_range, .found = head.argument};
  out = head.argument;
  return {};
}

failure cbor_view::fetch(std::int64_t& out) const noexcept {
  const cbor::head head = cbor::read_head_guarded(bytes_to_end());
  if (cbor::kind_of(head) != cbor_kind::integer) return wrong(cbor_kind::integer, cbor::kind_of(head));
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (head.argument > largest) return {.code = errc::value_out_of_range, .expected = largest, .found = head.argument};
  const auto number = static_cast<std::int64_t>(head.argument);
  out = head.major == cbor::major::negative_integer ? -1 - number : number;
  return {};
}

failure cbor_view::fetch(double& out) const noexcept {
  const cbor::head head = cbor::read_head_guarded(bytes_to_end());
  const cbor_kind is = cbor::kind_of(head);
  if (is == cbor_kind::floating) {
    out = cbor::float_value(head);
    return {};
  }
  if (is != cbor_kind::integer) return wrong(cbor_kind::floating, is);
  if (head.major == cbor::major::unsigned_integer)
    out = static_cast<double>(head.argument);
  else  // -1 - n, rounded once
    out = head.argument == UINT64_MAX ? -0x1p64 : -static_cast<double>(head.argument + 1);
  return {};
}

failure cbor_view::fetch(float& out) const noexcept {
  double wide = 0;
  if (failure why = fetch(wide)) return why;
  // Half way between the largest float and the power of two above it: such numbers round to infinity.
  if (std::isfinite(wide) && std::abs(wide) >= 0x1.ffffffp127) return {.code = errc::value_out_of_range};
  out = static_cast<float>(wide);
  return {};
}

failure cbor_view::fetch_string(cbor_kind wanted, std::span<const std::byte>& out) const noexcept {
  struct seen {
    cbor_kind is = cbor_kind::null;
    std::optional<std::span<const std::byte>> contents{};
  };
  const seen here = cbor::read_guarded(seen(), [&]() noexcept {
    const std::byte* at = at_;
    cbor::head head;
    if (at == nullptr || !cbor::read_head(at, end_, head)) return seen();
    seen out{.is = cbor::kind_of(head)};
    if (out.is == wanted && !head.indefinite() && head.argument <= static_cast<std::uint64_t>(end_ - at))
      out.contents = std::span(at, static_cast<std::size_t>(head.argument));
    return out;
  });
  if (here.is != wanted) return wrong(wanted, here.is);
  if (!here.contents) return {.code = errc::not_contiguous};
  out = *here.contents;
  return {};
}

failure cbor_view::fetch(std::string_view& out) const noexcept {
  std::span<const std::byte> contents;
  failure why = fetch_string(cbor_kind::text, contents);
  if (!why) out = {reinterpret_cast<const char*>(contents.data()), contents.size()};
  return why;
}

failure cbor_view::fetch(std::string& out) const noexcept {
  if (kind() != cbor_kind::text) return wrong(cbor_kind::text, kind());
  if (bytes().empty()) return {.code = errc::bad_cbor};
  try {
    out = cbor::join_string(bytes_to_end());
    return {};
  } catch (const std::exception&) {  // bad_alloc, and length_error for what no memory could hold
    return {.code = errc::out_of_memory};
  }
}

failure cbor_view::fetch(std::span<const std::byte>& out) const noexcept { return fetch_string(cbor_kind::bytes, out); }

std::string cbor_view::text() const {
  cbor_view core = *this;
  while (core.kind() == cbor_kind::tag) core = core.untagged();
  const auto item = core.bytes_to_end();
  const cbor::head head = cbor::read_head_guarded(item);
  switch (core.kind()) {
    case cbor_kind::null: return "null";
    case cbor_kind::boolean: return head.info == cbor::simple_true ? "true" : "false";
    case cbor_kind::integer:
      return head.major == cbor::major::negative_integer ? negative(head.argument) : std::to_string(head.argument);
    case cbor_kind::floating: return plain(cbor::float_value(head));
    case cbor_kind::text: return cbor::well_formed(cbor::join_string(item));
    case cbor_kind::bytes: return cbor::join_string(item);
    case cbor_kind::tag:
    case cbor_kind::array:
    case cbor_kind::map: break;
  }
  return {};
}

std::string_view to_string_view(cbor_kind k) noexcept { return detail::kind_name(static_cast<std::uint64_t>(k)); }

}  // namespace v0
}  // namespace tgmap
