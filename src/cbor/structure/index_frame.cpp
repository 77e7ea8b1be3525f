// SPDX-License-Identifier: Apache-2.0
#include "cbor/structure/index_frame.hpp"

#include <optional>
#include <tgmap/cbor_view.hpp>

#include "cbor/text.hpp"
#include "cbor/walk.hpp"

namespace tgmap::cbor {

integers::integers(std::span<const std::byte> item) noexcept : at_(item.data()), end_(item.data() + item.size()) {
  head array;
  if (item.empty() || !read_head(at_, end_, array) || array.major != major::array) return;
  left_ = array.indefinite() ? until_break : array.argument;
  // Every number takes at least a byte. A larger count is damage, and could be mistaken for `until_break`.
  valid_ = array.indefinite() || left_ <= static_cast<std::uint64_t>(end_ - at_);
  if (!valid_) left_ = 0;
}

namespace {

/// Counts the integers of an array, and moves `at` past it. Errors: bad_index.
failure count(integers numbers, std::uint64_t& out, const std::byte*& at) noexcept {
  if (!numbers.valid()) return {.code = errc::bad_index};
  std::uint64_t number = 0;
  for (out = 0; numbers.next(number);) ++out;
  if (numbers.bad()) return {.code = errc::bad_index, .found = out};
  at = numbers.end();
  return {};
}

}  // namespace

failure read_index(std::span<const std::byte> body, index_view& out) noexcept {
  out = {};
  const std::byte* at = body.data();
  const std::byte* const end = body.data() + body.size();
  const auto malformed = [&] {
    return failure{.code = errc::bad_cbor, .found = static_cast<std::uint64_t>(at - body.data())};
  };
  head map;
  if (body.empty() || !read_head(at, end, map) || map.major != major::map) return {.code = errc::bad_index};
  if (!map.indefinite() && map.argument > static_cast<std::uint64_t>(end - at) / 2) return malformed();

  std::optional<cbor_view> stated;
  std::uint64_t lengths = 0;
  for (std::uint64_t left = map.indefinite() ? UINT64_MAX : map.argument; left > 0; --left) {
    if (map.indefinite() && at != end && *at == break_byte) break;
    const std::byte* behind = skip(at, end);
    if (behind == nullptr) return malformed();
    const cbor_view key({at, behind});
    at = behind;
    if (key.kind() != cbor_kind::text) return {.code = errc::bad_index};
    // There may be millions of numbers: the cursor that reads them also finds the end of the array.
    const auto twice = [&] {
      return failure{.code = errc::duplicate_key,
                     .found = static_cast<std::uint64_t>(key.bytes_to_end().data() - body.data())};
    };
    if (text_equals(key.bytes_to_end(), "offsets")) {
      if (out.offsets.valid()) return twice();
      out.offsets = integers({at, end});
      if (failure why = count(out.offsets, out.count, at)) return why;
    } else if (text_equals(key.bytes_to_end(), "lengths")) {
      if (out.lengths.valid()) return twice();
      out.lengths = integers({at, end});
      if (failure why = count(out.lengths, lengths, at)) return why;
    } else {
      behind = skip(at, end);
      if (behind == nullptr) return malformed();
      if (text_equals(key.bytes_to_end(), "object_count")) {
        if (stated) return twice();
        stated = cbor_view({at, behind});
      }
      at = behind;
    }
  }
  if (!out.offsets.valid()) return {.code = errc::bad_index};
  if (out.lengths.valid() && lengths != out.count)
    return {.code = errc::index_count_mismatch, .expected = out.count, .found = lengths};
  if (stated) {
    const auto n = stated->get<std::uint64_t>();
    if (!n) return {.code = errc::bad_index};
    if (*n != out.count) return {.code = errc::index_count_mismatch, .expected = *n, .found = out.count};
  }
  return {};
}

}  // namespace tgmap::cbor
