// SPDX-License-Identifier: Apache-2.0
#include "query/columns/column_builder.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <new>
#include <utility>

#include "cbor/head.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Up to this magnitude a double holds every integer.
constexpr std::int64_t max_exact = std::int64_t{1} << 53;

bool is_exact(std::int64_t n) noexcept { return n >= -max_exact && n <= max_exact; }

/// Appends the text of a double, as that of an item of metadata.
void print_floating(std::uint64_t bits, std::string& out) {
  std::array<std::byte, 9> item{std::byte{0xfb}};
  for (std::size_t i = 0; i < 8; ++i) item[8 - i] = static_cast<std::byte>(bits >> (8 * i));
  key_result(cbor_view(item)).append_to(out);
}

/// The kind of a value that is no item.
cbor_kind kind_of(const key_result& found) noexcept {
  if (std::holds_alternative<std::string_view>(found.get())) return cbor_kind::text;
  return cbor_kind::array;
}

}  // namespace

void column_builder::add(code value, std::uint64_t rows) {
  constexpr std::uint64_t most = UINT32_MAX;
  rows_ += rows;
  if (!runs_.empty() && runs_.back().value == value) {
    const std::uint64_t count = std::min(rows, most - runs_.back().rows);
    runs_.back().rows += static_cast<std::uint32_t>(count);
    rows -= count;
  }
  while (rows > 0) {
    const std::uint64_t count = std::min(rows, most);
    runs_.push_back({static_cast<std::uint32_t>(count), value});
    rows -= count;
  }
}

/// Checks the value before this one, and the one that followed it the last time. Most keys have one value, or several
/// in the same order again and again, so few are searched.
template <class IsEqual>
bool column_builder::is_expected(IsEqual&& is_equal) {
  if (values_.empty()) return false;
  if (is_equal(values_[last_])) return true;
  const code next = values_[last_].next;
  if (next == missing || !is_equal(values_[next])) return false;
  last_ = next;
  return true;
}

/// Returns what a value is found by in `codes_`.
const std::string& column_builder::map_key(value_kind kind, cbor_kind type, std::uint64_t bits, std::string_view text) {
  buffer_.assign({static_cast<char>(kind), static_cast<char>(type)});
  if (kind < value_kind::text)
    buffer_.append(reinterpret_cast<const char*>(&bits), sizeof bits);
  else
    buffer_ += text;
  return buffer_;
}

/// Returns the code of a value, or `missing`. Few values are compared one by one: most keys have few, and tables of
/// many archives have columns for each.
column_builder::code column_builder::find(value_kind kind, cbor_kind type, std::uint64_t bits, std::string_view text) {
  if (codes_.empty()) {
    for (std::size_t i = 1; i < values_.size(); ++i) {
      const value& each = values_[i];
      if (each.kind == kind && each.type == type && each.bits == bits && each.text() == text)
        return static_cast<code>(i);
    }
    return missing;
  }
  const auto found = codes_.find(map_key(kind, type, bits, text));
  return found == codes_.end() ? missing : found->second;
}

column_builder::code column_builder::find_or_add(value_kind kind, cbor_kind type, std::uint64_t bits,
                                                 std::string_view text) {
  constexpr std::size_t few = 8;
  code found = find(kind, type, bits, text);
  if (found == missing) {
    if (values_.size() > static_cast<std::size_t>(INT32_MAX)) throw std::bad_alloc();  // value_codes has 32 bits
    if (values_.empty()) {
      values_.reserve(2);
      values_.emplace_back();
    }
    found = static_cast<code>(values_.size());
    values_.push_back({.kind = kind, .type = type, .bits = bits, .own_text = std::string(text)});
    for (std::size_t i = codes_.empty() ? 1 : found; found > few && i <= found; ++i) {
      value& each = values_[i];
      const auto [at, is_new] =
          codes_.try_emplace(map_key(each.kind, each.type, each.bits, each.text()), static_cast<code>(i));
      if (each.kind < value_kind::text) continue;
      each.in_codes = &at->first;
      each.own_text = {};
    }
  }
  values_[last_].next = found;
  return last_ = found;
}

column_builder::code column_builder::code_of_number(value_kind kind, cbor_kind type, std::uint64_t bits) {
  if (is_expected([&](const value& each) { return each.kind == kind && each.bits == bits; })) return last_;
  return find_or_add(kind, type, bits, {});
}

column_builder::code column_builder::code_of_text(value_kind kind, cbor_kind type, std::string_view text) {
  if (is_expected([&](const value& each) { return each.kind == kind && each.type == type && each.text() == text; }))
    return last_;
  return find_or_add(kind, type, 0, text);
}

column_builder::code column_builder::code_of_item(std::span<const std::byte> item) {
  const std::byte* at = item.data();
  const std::byte* const end = at + item.size();
  // Most values are short text or small integers.
  if (const auto text = cbor::read_flat_text(at, end)) return code_of_text(value_kind::text, cbor_kind::text, *text);
  std::uint64_t number = 0;
  if (cbor::read_unsigned(at, end, number))
    return code_of_number(number > INT64_MAX ? value_kind::large_integer : value_kind::integer, cbor_kind::integer,
                          number);
  return code_of_view(cbor_view(item));
}

column_builder::code column_builder::code_of_view(const cbor_view& item) {
  const cbor_view inner = item.untagged();
  const cbor_kind type = inner.kind();
  switch (type) {
    case cbor_kind::null: return missing;
    case cbor_kind::boolean: return code_of_number(value_kind::boolean, type, inner.get<bool>().value_or(false));
    case cbor_kind::integer:
      if (const auto n = inner.get<std::int64_t>())
        return code_of_number(value_kind::integer, type, static_cast<std::uint64_t>(*n));
      if (const auto n = inner.get<std::uint64_t>()) return code_of_number(value_kind::large_integer, type, *n);
      break;  // below -2^63
    case cbor_kind::floating:
      return code_of_number(value_kind::floating, type, std::bit_cast<std::uint64_t>(inner.get<double>().value_or(0)));
    case cbor_kind::tag: return code_of_view(inner);
    default: break;
  }
  std::string printed = key_result(inner).text();
  return code_of_text(type == cbor_kind::text ? value_kind::text : value_kind::printed, type, printed);
}

column_builder::code column_builder::code_of(const key_result& found) {
  if (!found) return missing;
  if (const auto* const number = std::get_if<std::uint64_t>(&found.get()))
    return code_of_number(*number > INT64_MAX ? value_kind::large_integer : value_kind::integer, cbor_kind::integer,
                          *number);
  if (const auto* const truth = std::get_if<bool>(&found.get()))
    return code_of_number(value_kind::boolean, cbor_kind::boolean, *truth);
  if (const auto* const item = std::get_if<cbor_view>(&found.get())) return code_of_view(*item);
  const cbor_kind type = kind_of(found);
  return code_of_text(type == cbor_kind::text ? value_kind::text : value_kind::printed, type, found.text());
}

void column_builder::append(column_builder next) {
  if (rows_ == 0 && value_count() == 0) {
    *this = std::move(next);
    return;
  }
  std::vector<code> codes{missing};
  codes.reserve(next.values_.size());
  for (std::size_t i = 1; i < next.values_.size(); ++i) {
    const value& each = next.values_[i];
    const bool is_number = each.kind < value_kind::text;
    codes.push_back(is_number ? code_of_number(each.kind, each.type, each.bits)
                              : code_of_text(each.kind, each.type, each.text()));
  }
  runs_.reserve(runs_.size() + next.runs_.size());
  for (const run& each : next.runs_) add(codes[each.value], each.rows);
}

void column_builder::resize(std::uint64_t rows) {
  while (rows_ > rows) {
    const std::uint64_t removed = std::min<std::uint64_t>(rows_ - rows, runs_.back().rows);
    runs_.back().rows -= static_cast<std::uint32_t>(removed);
    rows_ -= removed;
    if (runs_.back().rows == 0) runs_.pop_back();
  }
}

std::uint64_t column_builder::present() const noexcept {
  std::uint64_t out = 0;
  for (const run& each : runs_) out += each.value == missing ? 0 : each.rows;
  return out;
}

/// Gives values the numbers in which rows first have them, and forgets those that no row has any more.
void column_builder::number_in_order() {
  std::vector<code> numbers(value_count() + 1, missing);
  std::vector<value> ordered(1);
  for (run& each : runs_) {
    code& number = numbers[each.value];
    if (each.value != missing && number == missing) {
      number = static_cast<code>(ordered.size());
      ordered.push_back(std::move(values_[each.value]));
    }
    each.value = number;
  }
  values_ = std::move(ordered);
}

column_type column_builder::type() const noexcept {
  std::array<bool, kind_count> has{};
  bool has_negative = false, is_all_exact = true;
  for (const value& each : values_) {
    has[static_cast<std::size_t>(each.kind)] = true;
    if (each.kind != value_kind::integer) continue;
    const auto n = static_cast<std::int64_t>(each.bits);
    has_negative = has_negative || n < 0;
    is_all_exact = is_all_exact && is_exact(n);
  }
  const auto only = [&](std::initializer_list<value_kind> kinds) {
    std::array<bool, kind_count> allowed{true};
    for (const value_kind each : kinds) allowed[static_cast<std::size_t>(each)] = true;
    for (std::size_t i = 0; i < kind_count; ++i)
      if (has[i] && !allowed[i]) return false;
    return true;
  };
  if (only({})) return column_type::none;
  if (only({value_kind::boolean})) return column_type::boolean;
  if (only({value_kind::integer})) return column_type::integer;
  if (only({value_kind::integer, value_kind::large_integer}) && !has_negative) return column_type::unsigned_integer;
  if (only({value_kind::integer, value_kind::floating}) && is_all_exact) return column_type::floating;
  return column_type::text;
}

/// Prints a value to `buffer_`.
void column_builder::print(const value& of) {
  buffer_.clear();
  switch (of.kind) {
    case value_kind::missing: break;
    case value_kind::boolean: buffer_ = of.bits != 0 ? "true" : "false"; break;
    case value_kind::integer: buffer_ = std::to_string(static_cast<std::int64_t>(of.bits)); break;
    case value_kind::large_integer: buffer_ = std::to_string(of.bits); break;
    case value_kind::floating: print_floating(of.bits, buffer_); break;
    case value_kind::text:
    case value_kind::printed: buffer_ = of.text(); break;
  }
}

/// Fills a vector with value_of(code) of each row.
template <class T, class ValueOf>
void column_builder::expand(std::vector<T>& out, ValueOf&& value_of) const {
  out.reserve(static_cast<std::size_t>(rows_));
  for (const run& each : runs_) out.insert(out.end(), each.rows, value_of(each.value));
}

void column_builder::fill(key_column& out) {
  switch (out.type) {
    case column_type::none: break;
    case column_type::boolean:
      return expand(out.booleans, [&](code i) { return static_cast<std::uint8_t>(values_[i].bits); });
    case column_type::integer:
      return expand(out.integers, [&](code i) { return static_cast<std::int64_t>(values_[i].bits); });
    case column_type::unsigned_integer: return expand(out.unsigned_integers, [&](code i) { return values_[i].bits; });
    case column_type::floating:
      return expand(out.reals, [&](code i) {
        const value& each = values_[i];
        return each.kind == value_kind::integer ? static_cast<double>(static_cast<std::int64_t>(each.bits))
                                                : std::bit_cast<double>(each.bits);
      });
    case column_type::text: return fill_texts(out);
  }
}

/// Fills the codes and the distinct texts. Several values may have the same text.
void column_builder::fill_texts(key_column& out) {
  std::vector<code> numbers{0};
  core::text_map<code> known;
  for (std::size_t i = 1; i < values_.size(); ++i) {
    print(values_[i]);
    const auto [at, is_new] = known.try_emplace(buffer_, static_cast<code>(out.texts.size()));
    if (is_new) out.texts.push_back(buffer_);
    numbers.push_back(at->second);
  }
  expand(out.codes, [&](code i) { return numbers[i]; });
}

distinct_value column_builder::distinct(const value& of) const {
  switch (of.kind) {
    case value_kind::missing: break;
    case value_kind::boolean: return {of.type, of.bits != 0};
    case value_kind::integer: return {of.type, static_cast<std::int64_t>(of.bits)};
    case value_kind::large_integer: return {of.type, of.bits};
    case value_kind::floating: return {of.type, std::bit_cast<double>(of.bits)};
    case value_kind::text:
    case value_kind::printed: return {of.type, std::string(of.text())};
  }
  return {};
}

void column_builder::fill_values(key_column& out) {
  out.values.reserve(values_.size() - 1);
  for (std::size_t i = 1; i < values_.size(); ++i) out.values.push_back(distinct(values_[i]));
  expand(out.value_codes, [](code i) { return static_cast<std::int32_t>(i) - 1; });
}

key_column column_builder::finish(std::string key, bool with_values) {
  number_in_order();
  key_column out{.key = std::move(key), .type = type()};
  fill(out);
  if (with_values) fill_values(out);
  out.missing = rows_ - present();
  if (out.missing > 0) expand(out.is_present, [](code i) { return static_cast<std::uint8_t>(i != missing); });
  *this = {};
  return out;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
