// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <new>
#include <tgmap/zio/frame.hpp>

#include "zio/bytes.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

constexpr std::uint64_t first_long = 255;          // the byte FF itself says that four more follow
constexpr std::uint64_t most_bytes = 0xFFFF'FFFF;  // that a part may have

/// A length as it is spelled.
struct spelled_length {
  std::array<std::byte, 5> bytes{};
  std::size_t size = 1;
  std::span<const std::byte> view() const noexcept { return {bytes.data(), size}; }
};

spelled_length spell(std::uint64_t length, bool long_one) noexcept {
  spelled_length out;
  if (length < first_long && !long_one) {
    out.bytes[0] = static_cast<std::byte>(length);
  } else {
    out.bytes[0] = std::byte{0xFF};
    store_big(out.bytes.data() + 1, static_cast<std::uint32_t>(length));
    out.size = 5;
  }
  return out;
}

/// The parts of a message in their order, each behind its length.
class spelled_parts {
 public:
  spelled_parts(const message& of, const frame_format& how)
      : message_(of), how_(how), prefix_(prefix_of(of)), coordinates_(coordinates_of(of)) {}

  /// Calls `each(length, bytes)` until it fails.
  template <class F>
  failure visit(F&& each) const {
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < message_.payload.size() + 2; ++i) {
      const auto bytes = part_bytes(i);
      if (bytes.size() > most_bytes)
        return {.code = errc::part_too_large, .offset = at, .expected = most_bytes, .found = bytes.size()};
      const auto length =
          spell(bytes.size(), std::binary_search(how_.long_lengths.begin(), how_.long_lengths.end(), i));
      if (failure why = each(length, bytes)) return why;
      at += length.size + bytes.size();
    }
    return {};
  }

 private:
  std::span<const std::byte> part_bytes(std::size_t i) const noexcept {
    if (i == 0) return std::as_bytes(std::span(prefix_));
    if (i == 1) return coordinates_;
    return message_.payload[i - 2].bytes;
  }

  const message& message_;
  const frame_format& how_;
  std::string prefix_;
  std::array<std::byte, coordinates_bytes> coordinates_;
};

failure no_memory() noexcept { return {.code = tgmap::errc::out_of_memory}; }

}  // namespace

std::uint64_t encoded_size(const message& m, const frame_format& how, failure& why) noexcept try {
  std::uint64_t out = 0;
  why = spelled_parts(m, how).visit([&](const spelled_length& length, std::span<const std::byte> bytes) -> failure {
    out += length.size + bytes.size();
    return {};
  });
  return why ? 0 : out;
} catch (const std::bad_alloc&) {
  why = no_memory();
  return 0;
}

std::vector<std::byte> encode(const message& m, const frame_format& how, failure& why) noexcept {
  memory_sink out;
  encode(m, how, out, why);
  return why ? std::vector<std::byte>() : out.release();
}

void encode(const message& m, const frame_format& how, sink& to, failure& why) noexcept try {
  const spelled_parts parts(m, how);
  // What cannot be told is noticed before anything is put.
  why = parts.visit([](const spelled_length&, std::span<const std::byte>) { return failure{}; });
  if (why) return;
  why = parts.visit([&](const spelled_length& length, std::span<const std::byte> bytes) {
    const std::array<std::span<const std::byte>, 2> pieces{length.view(), bytes};
    return to.write(pieces);
  });
} catch (const std::bad_alloc&) {
  why = no_memory();
}

message decode(std::span<const std::byte> frame, const pin& owner, frame_format* spelling, failure& why) noexcept try {
  why = {};
  if (spelling != nullptr) spelling->long_lengths.clear();
  std::vector<part> parts;
  std::array<std::uint64_t, 2> header_at{};  // where the first two begin, to tell of what is wrong with them
  for (std::uint64_t at = 0; at < frame.size();) {
    const std::uint64_t begin = at;
    std::uint64_t length = std::to_integer<std::uint64_t>(frame[at++]);
    if (length == first_long) {
      if (!fits(at, 4, frame.size())) {
        why = {.code = errc::part_exceeds_frame, .offset = begin, .expected = 4, .found = frame.size() - at};
        return {};
      }
      length = load_big(frame.data() + at);
      at += 4;
      if (length < first_long && spelling != nullptr) spelling->long_lengths.push_back(parts.size());
    }
    if (!fits(at, length, frame.size())) {
      why = {.code = errc::part_exceeds_frame, .offset = begin, .expected = length, .found = frame.size() - at};
      return {};
    }
    if (parts.size() < header_at.size()) header_at[parts.size()] = at;
    // The headers are copied anyway; of the payload every part keeps the owner.
    parts.push_back({frame.subspan(at, length), parts.size() < 2 ? pin() : owner});
    at += length;
  }
  message out = from_parts(parts, why);
  if (why.code == errc::too_few_parts) why.offset = frame.size();
  if (why.code == errc::bad_prefix || why.code == errc::bad_level) why.offset += header_at[0];
  if (why.code == errc::bad_coordinates) why.offset += header_at[1];
  return out;
} catch (const std::bad_alloc&) {
  why = no_memory();
  return {};
}

std::uint64_t encoded_size(const message& m, const frame_format& how) {
  failure why;
  const auto out = encoded_size(m, how, why);
  detail::raise_if(why);
  return out;
}

std::vector<std::byte> encode(const message& m, const frame_format& how) {
  failure why;
  auto out = encode(m, how, why);
  detail::raise_if(why);
  return out;
}

void encode(const message& m, const frame_format& how, sink& to) {
  failure why;
  encode(m, how, to, why);
  detail::raise_if(why);
}

message decode(std::span<const std::byte> frame, const pin& owner, frame_format* spelling) {
  failure why;
  auto out = decode(frame, owner, spelling, why);
  detail::raise_if(why);
  return out;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
