// SPDX-License-Identifier: Apache-2.0
// One CBOR item as a C++ value.
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <tgmap/value.hpp>

#include "cbor/floating.hpp"
#include "cbor/look.hpp"
#include "cbor/text.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

failure wrong(kind wanted, kind found) noexcept {
  return {.code = errc::wrong_kind,
          .expected = static_cast<std::uint64_t>(wanted),
          .found = static_cast<std::uint64_t>(found)};
}

/// -1 - n for any 64-bit n.
std::string negative(std::uint64_t n) {
  if (n == UINT64_MAX) return "-18446744073709551616";
  return std::to_string(n + 1).insert(0, 1, '-');
}

/// Shortest digits that read back the same, never with an exponent: 1, 0.5, 100000000000000000000.
std::string plain(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  std::array<char, 1100> out;  // the longest is a subnormal with 1074 places
  const auto [end, code] = std::to_chars(out.data(), out.data() + out.size(), number, std::chars_format::fixed);
  return code == std::errc{} ? std::string(out.data(), end) : std::string();
}

}  // namespace

failure value::fetch(bool& out) const noexcept {
  const cbor::head head = cbor::look_at_head(tail());
  if (cbor::kind_of(head) != kind::boolean) return wrong(kind::boolean, cbor::kind_of(head));
  out = head.info == cbor::simple_true;
  return {};
}

failure value::fetch(std::uint64_t& out) const noexcept {
  const cbor::head head = cbor::look_at_head(tail());
  if (cbor::kind_of(head) != kind::integer) return wrong(kind::integer, cbor::kind_of(head));
  if (head.major == cbor::major::negative_integer) return {.code = errc::value_out_of_range, .found = head.argument};
  out = head.argument;
  return {};
}

failure value::fetch(std::int64_t& out) const noexcept {
  const cbor::head head = cbor::look_at_head(tail());
  if (cbor::kind_of(head) != kind::integer) return wrong(kind::integer, cbor::kind_of(head));
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (head.argument > largest) return {.code = errc::value_out_of_range, .expected = largest, .found = head.argument};
  const auto number = static_cast<std::int64_t>(head.argument);
  out = head.major == cbor::major::negative_integer ? -1 - number : number;
  return {};
}

failure value::fetch(double& out) const noexcept {
  const cbor::head head = cbor::look_at_head(tail());
  const kind is = cbor::kind_of(head);
  if (is == kind::floating) {
    out = cbor::floating(head);
    return {};
  }
  if (is != kind::integer) return wrong(kind::floating, is);
  if (head.major == cbor::major::unsigned_integer)
    out = static_cast<double>(head.argument);
  else  // -1 - n, rounded once
    out = head.argument == UINT64_MAX ? -0x1p64 : -static_cast<double>(head.argument + 1);
  return {};
}

failure value::fetch(float& out) const noexcept {
  double wide = 0;
  if (failure why = fetch(wide)) return why;
  // Half way between the largest float and the power of two above it: from there on numbers round to infinity.
  if (std::isfinite(wide) && std::abs(wide) >= 0x1.ffffffp127) return {.code = errc::value_out_of_range};
  out = static_cast<float>(wide);
  return {};
}

failure value::fetch_string(kind wanted, std::span<const std::byte>& out) const noexcept {
  struct seen {
    kind is = kind::null;
    std::optional<std::span<const std::byte>> contents{};
  };
  const seen here = cbor::looked(seen(), [&]() noexcept {
    const std::byte* at = at_;
    cbor::head head;
    if (at == nullptr || !cbor::read_head(at, end_, head)) return seen();
    return seen{cbor::kind_of(head), cbor::string_contents(tail())};
  });
  if (here.is != wanted) return wrong(wanted, here.is);
  if (!here.contents) return {.code = errc::not_contiguous};
  out = *here.contents;
  return {};
}

failure value::fetch(std::string_view& out) const noexcept {
  std::span<const std::byte> contents;
  failure why = fetch_string(kind::text, contents);
  if (!why) out = {reinterpret_cast<const char*>(contents.data()), contents.size()};
  return why;
}

failure value::fetch(std::string& out) const noexcept {
  if (type() != kind::text) return wrong(kind::text, type());
  if (bytes().empty()) return {.code = errc::bad_cbor};
  try {
    out = cbor::join_string(tail());
    return {};
  } catch (const std::exception&) {  // bad_alloc, and length_error for what no memory could hold
    return {.code = errc::out_of_memory};
  }
}

failure value::fetch(std::span<const std::byte>& out) const noexcept { return fetch_string(kind::bytes, out); }

std::string value::text() const {
  value core = *this;
  while (core.type() == kind::tag) core = core.untagged();
  const auto item = core.tail();
  const cbor::head head = cbor::look_at_head(item);
  switch (core.type()) {
    case kind::null: return "null";
    case kind::boolean: return head.info == cbor::simple_true ? "true" : "false";
    case kind::integer:
      return head.major == cbor::major::negative_integer ? negative(head.argument) : std::to_string(head.argument);
    case kind::floating: return plain(cbor::floating(head));
    case kind::text: return cbor::well_formed(cbor::join_string(item));
    case kind::bytes: return cbor::join_string(item);
    case kind::tag:
    case kind::array:
    case kind::map: break;
  }
  return {};
}

}  // namespace v0
}  // namespace tgmap
