// SPDX-License-Identifier: Apache-2.0
#include "cbor/index_frame.hpp"

#include <tgmap/value.hpp>

#include "cbor/head.hpp"
#include "cbor/text.hpp"

namespace tgmap::cbor {

integers::integers(std::span<const std::byte> item) noexcept : at_(item.data()), end_(item.data() + item.size()) {
  head array;
  if (item.empty() || !read_head(at_, end_, array) || array.major != major::array) return;
  indefinite_ = array.indefinite();
  left_ = array.argument;
  valid_ = indefinite_ || left_ <= static_cast<std::uint64_t>(end_ - at_);
}

bool integers::next(std::uint64_t& out) noexcept {
  if (!valid_ || bad_ || (!indefinite_ && left_ == 0)) return false;
  head number;
  if (!read_head(at_, end_, number)) return !(bad_ = true);
  if (indefinite_ && number.is_break()) return valid_ = false;
  if (number.major != major::unsigned_integer) return !(bad_ = true);
  if (!indefinite_) --left_;
  out = number.argument;
  return true;
}

namespace {

/// How many integers; nothing when something else is among them.
failure count(integers numbers, std::uint64_t& out) noexcept {
  if (!numbers.valid()) return {.code = errc::bad_index};
  std::uint64_t number = 0;
  for (out = 0; numbers.next(number);) ++out;
  if (numbers.bad()) return {.code = errc::bad_index, .found = out};
  return {};
}

}  // namespace

failure read_index(std::span<const std::byte> body, index_view& out) noexcept {
  out = {};
  value::step s;
  if (!value(body).first(s) || !s.has_key) return {.code = errc::bad_index};
  std::optional<value> stated;
  bool offsets = false, lengths = false;
  while (value::next(s)) {
    const auto key = s.key.tail();
    if (text_equals(key, "offsets")) {
      out.offsets = integers(s.item.tail());
      offsets = true;
    } else if (text_equals(key, "lengths")) {
      out.lengths = integers(s.item.tail());
      lengths = true;
    } else if (text_equals(key, "object_count")) {
      stated = s.item;
    } else if (s.key.type() != kind::text) {
      return {.code = errc::bad_index};
    }
  }
  if (s.malformed) return {.code = errc::bad_cbor, .found = static_cast<std::uint64_t>(s.rest - body.data())};
  if (!offsets) return {.code = errc::bad_index};
  if (failure why = count(out.offsets, out.count)) return why;
  if (lengths) {
    std::uint64_t n = 0;
    if (failure why = count(out.lengths, n)) return why;
    if (n != out.count) return {.code = errc::index_count, .expected = out.count, .found = n};
  }
  if (stated) {
    const auto n = stated->get<std::uint64_t>();
    if (!n) return {.code = errc::bad_index};
    if (*n != out.count) return {.code = errc::index_count, .expected = *n, .found = out.count};
  }
  return {};
}

}  // namespace tgmap::cbor
