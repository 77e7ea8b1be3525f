// SPDX-License-Identifier: Apache-2.0
#include "cbor/canonical/writer.hpp"

#include <cbor.h>

#include <array>
#include <bit>
#include <cmath>

#include "cbor/floating.hpp"
#include "cbor/head.hpp"
#include "wire/bytes.hpp"

namespace tgmap::cbor {

namespace {

constexpr std::size_t max_head_bytes = 9;

/// Appends a head of one byte, without a call. Returns false if the head is longer.
bool append_short_head(std::vector<std::byte>& to, major type, std::uint64_t argument) {
  if (argument >= 24) return false;
  to.push_back(static_cast<std::byte>(static_cast<unsigned>(type) << 5 | static_cast<unsigned>(argument)));
  return true;
}

/// Appends the head that `encode(bytes, capacity)`, a function of libcbor, writes.
template <class Encode>
void append_head(std::vector<std::byte>& to, Encode&& encode) {
  std::array<unsigned char, max_head_bytes> head;
  const std::size_t size = encode(head.data(), head.size());
  const auto* const begin = reinterpret_cast<const std::byte*>(head.data());
  to.insert(to.end(), begin, begin + size);
}

}  // namespace

void writer::integer(std::uint64_t n) {
  if (append_short_head(*to_, major::unsigned_integer, n)) return;
  append_head(*to_, [n](auto* at, auto size) { return cbor_encode_uint(n, at, size); });
}

void writer::integer(std::int64_t n) {
  // All bits of n inverted are -1 - n, which cannot overflow.
  if (n < 0)
    negative(static_cast<std::uint64_t>(~n));
  else
    integer(static_cast<std::uint64_t>(n));
}

void writer::negative(std::uint64_t n) {
  append_head(*to_, [n](auto* at, auto size) { return cbor_encode_negint(n, at, size); });
}

void writer::real(double number) {
  const auto half = std::isnan(number) ? canonical_nan : narrow_float(number, half_format);
  if (half) {
    // Not by libcbor: version 0.8 writes subnormal numbers wrongly.
    std::array<std::byte, 3> out{std::byte{static_cast<unsigned>(major::simple) << 5 | float_half}};
    wire::store_be(out.data() + 1, static_cast<std::uint16_t>(*half));
    to_->insert(to_->end(), out.begin(), out.end());
  } else if (const auto single = narrow_float(number, single_format)) {
    append_head(*to_,
                [single](auto* at, auto size) { return cbor_encode_single(std::bit_cast<float>(*single), at, size); });
  } else {
    append_head(*to_, [number](auto* at, auto size) { return cbor_encode_double(number, at, size); });
  }
}

void writer::boolean(bool truth) {
  append_head(*to_, [truth](auto* at, auto size) { return cbor_encode_bool(truth, at, size); });
}

void writer::null() {
  append_head(*to_, [](auto* at, auto size) { return cbor_encode_null(at, size); });
}

void writer::text(std::string_view text) {
  if (!append_short_head(*to_, major::text, text.size()))
    append_head(*to_, [&](auto* at, auto size) { return cbor_encode_string_start(text.size(), at, size); });
  const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
  to_->insert(to_->end(), begin, begin + text.size());
}

void writer::bytes(std::span<const std::byte> contents) {
  append_head(*to_, [&](auto* at, auto size) { return cbor_encode_bytestring_start(contents.size(), at, size); });
  encoded(contents);
}

void writer::array(std::uint64_t elements) {
  if (append_short_head(*to_, major::array, elements)) return;
  append_head(*to_, [=](auto* at, auto size) { return cbor_encode_array_start(elements, at, size); });
}

void writer::map(std::uint64_t pairs) {
  if (append_short_head(*to_, major::map, pairs)) return;
  append_head(*to_, [=](auto* at, auto size) { return cbor_encode_map_start(pairs, at, size); });
}

void writer::tag(std::uint64_t number) {
  append_head(*to_, [=](auto* at, auto size) { return cbor_encode_tag(number, at, size); });
}

void writer::encoded(std::span<const std::byte> item) { to_->insert(to_->end(), item.begin(), item.end()); }

}  // namespace tgmap::cbor
