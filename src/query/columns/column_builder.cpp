// SPDX-License-Identifier: Apache-2.0
#include "query/columns/column_builder.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "cbor/head.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Up to this magnitude a double holds every integer.
constexpr std::int64_t max_exact = std::int64_t{1} << 53;

bool is_exact(std::int64_t n) noexcept { return n >= -max_exact && n <= max_exact; }

/// Returns the text of a double, as that of an item of metadata.
void print_floating(std::uint64_t bits, std::string& out) {
  std::array<std::byte, 9> item{std::byte{0xfb}};
  for (std::size_t i = 0; i < 8; ++i) item[8 - i] = static_cast<std::byte>(bits >> (8 * i));
  key_result(cbor_view(item)).append_to(out);
}

}  // namespace

std::uint32_t column_builder::code_of(std::string_view text) {
  if (const auto known = codes_.find(text); known != codes_.end()) return known->second;
  const auto [added, is_new] = codes_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
  texts_.push_back(added->first);
  return added->second;
}

void column_builder::add_item(std::span<const std::byte> item) {
  const std::byte* at = item.data();
  const std::byte* const end = at + item.size();
  // Most values are short text or small integers.
  if (const auto text = cbor::read_flat_text(at, end)) return add_text(*text);
  std::uint64_t number = 0;
  if (cbor::read_unsigned(at, end, number))
    return add(number > INT64_MAX ? cell_kind::large_integer : cell_kind::integer, number);
  add_view(cbor_view(item));
}

void column_builder::add_view(const cbor_view& item) {
  const cbor_view inner = item.untagged();
  switch (inner.kind()) {
    case cbor_kind::null: return add_missing();
    case cbor_kind::boolean: return add(cell_kind::boolean, inner.get<bool>().value_or(false));
    case cbor_kind::integer:
      if (const auto n = inner.get<std::int64_t>()) return add(cell_kind::integer, static_cast<std::uint64_t>(*n));
      if (const auto n = inner.get<std::uint64_t>()) return add(cell_kind::large_integer, *n);
      break;  // below -2^63
    case cbor_kind::floating:
      return add(cell_kind::floating, std::bit_cast<std::uint64_t>(inner.get<double>().value_or(0)));
    case cbor_kind::tag: return add_view(inner);
    default: break;
  }
  add(key_result(inner));
}

void column_builder::add(const key_result& found) {
  if (!found) return add_missing();
  if (const auto* const number = std::get_if<std::uint64_t>(&found.get()))
    return add(*number > INT64_MAX ? cell_kind::large_integer : cell_kind::integer, *number);
  if (const auto* const truth = std::get_if<bool>(&found.get())) return add(cell_kind::boolean, *truth);
  if (const auto* const item = std::get_if<cbor_view>(&found.get())) {
    const cbor_kind kind = item->kind();
    const bool is_large = kind == cbor_kind::integer && !item->get<std::int64_t>() && !item->get<std::uint64_t>();
    const bool is_scalar = kind == cbor_kind::null || kind == cbor_kind::boolean || kind == cbor_kind::integer ||
                           kind == cbor_kind::floating || kind == cbor_kind::tag;
    if (is_scalar && !is_large) return add_view(*item);
  }
  buffer_.clear();
  found.append_to(buffer_);
  add_text(buffer_);
}

void column_builder::append(const column_builder& next) {
  std::vector<std::uint32_t> codes;
  codes.reserve(next.texts_.size());
  for (const std::string_view text : next.texts_) codes.push_back(code_of(text));
  cells_.reserve(cells_.size() + next.cells_.size());
  for (const cell& each : next.cells_)
    cells_.push_back(each.kind == cell_kind::text ? cell{each.kind, codes[static_cast<std::size_t>(each.bits)]} : each);
}

column_type column_builder::type() const noexcept {
  std::array<bool, kind_count> has{};
  bool has_negative = false, is_all_exact = true;
  for (const cell& each : cells_) {
    has[static_cast<std::size_t>(each.kind)] = true;
    if (each.kind != cell_kind::integer) continue;
    const auto n = static_cast<std::int64_t>(each.bits);
    has_negative = has_negative || n < 0;
    is_all_exact = is_all_exact && is_exact(n);
  }
  const auto only = [&](std::initializer_list<cell_kind> kinds) {
    std::array<bool, kind_count> allowed{true};
    for (const cell_kind each : kinds) allowed[static_cast<std::size_t>(each)] = true;
    for (std::size_t i = 0; i < kind_count; ++i)
      if (has[i] && !allowed[i]) return false;
    return true;
  };
  if (only({})) return column_type::none;
  if (only({cell_kind::boolean})) return column_type::boolean;
  if (only({cell_kind::integer})) return column_type::integer;
  if (only({cell_kind::integer, cell_kind::large_integer}) && !has_negative) return column_type::unsigned_integer;
  if (only({cell_kind::integer, cell_kind::floating}) && is_all_exact) return column_type::floating;
  return column_type::text;
}

/// Returns the code of the printed value.
std::uint32_t column_builder::text_code(const cell& of) {
  buffer_.clear();
  switch (of.kind) {
    case cell_kind::boolean: buffer_ = of.bits != 0 ? "true" : "false"; break;
    case cell_kind::integer: buffer_ = std::to_string(static_cast<std::int64_t>(of.bits)); break;
    case cell_kind::large_integer: buffer_ = std::to_string(of.bits); break;
    case cell_kind::floating: print_floating(of.bits, buffer_); break;
    case cell_kind::text: return static_cast<std::uint32_t>(of.bits);
    case cell_kind::missing: return 0;
  }
  return code_of(buffer_);
}

void column_builder::fill(key_column& out) {
  const auto collect = [&](auto& values, auto&& value_of) {
    values.reserve(cells_.size());
    for (const cell& each : cells_) values.push_back(value_of(each));
  };
  switch (out.type) {
    case column_type::none: break;
    case column_type::boolean:
      return collect(out.booleans, [](const cell& each) { return static_cast<std::uint8_t>(each.bits); });
    case column_type::integer:
      return collect(out.integers, [](const cell& each) { return static_cast<std::int64_t>(each.bits); });
    case column_type::unsigned_integer:
      return collect(out.unsigned_integers, [](const cell& each) { return each.bits; });
    case column_type::floating:
      return collect(out.reals, [](const cell& each) {
        return each.kind == cell_kind::integer ? static_cast<double>(static_cast<std::int64_t>(each.bits))
                                               : std::bit_cast<double>(each.bits);
      });
    case column_type::text: return fill_texts(out);
  }
}

/// Fills the codes and the distinct texts, in the order of the rows. Leaves out texts of removed rows.
void column_builder::fill_texts(key_column& out) {
  constexpr std::uint32_t unset = UINT32_MAX;
  std::vector<std::uint32_t> numbers;
  out.codes.reserve(cells_.size());
  for (const cell& each : cells_) {
    if (each.kind == cell_kind::missing) {
      out.codes.push_back(0);
      continue;
    }
    const std::uint32_t code = text_code(each);
    if (code >= numbers.size()) numbers.resize(texts_.size(), unset);
    if (numbers[code] == unset) {
      numbers[code] = static_cast<std::uint32_t>(out.texts.size());
      out.texts.emplace_back(texts_[code]);
    }
    out.codes.push_back(numbers[code]);
  }
}

key_column column_builder::finish(std::string key) {
  key_column out{.key = std::move(key), .type = type()};
  fill(out);
  out.missing = static_cast<std::uint64_t>(std::ranges::count(cells_, cell_kind::missing, &cell::kind));
  if (out.missing > 0) {
    out.is_present.reserve(cells_.size());
    for (const cell& each : cells_) out.is_present.push_back(each.kind != cell_kind::missing);
  }
  *this = {};
  return out;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
