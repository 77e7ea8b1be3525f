// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <new>
#include <tgmap/zio/frame.hpp>

#include "core/or_throw.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

constexpr std::uint64_t min_long_length = 255;  // FF announces four bytes of length
constexpr std::uint64_t max_part_bytes = 0xFFFF'FFFF;

std::uint32_t load_big(const std::byte* at) noexcept {
  std::uint32_t out = 0;
  for (int i = 0; i < 4; ++i) out = out << 8 | std::to_integer<std::uint32_t>(at[i]);
  return out;
}

void store_big(std::byte* to, std::uint32_t number) noexcept {
  for (int i = 4; i-- > 0; number >>= 8) to[i] = static_cast<std::byte>(number);
}

/// An encoded length.
struct length_bytes {
  std::array<std::byte, 5> bytes{};
  std::size_t size = 1;
  std::span<const std::byte> view() const noexcept { return {bytes.data(), size}; }
};

length_bytes encode_length(std::uint64_t length, bool use_five_bytes) noexcept {
  length_bytes out;
  if (length < min_long_length && !use_five_bytes) {
    out.bytes[0] = static_cast<std::byte>(length);
  } else {
    out.bytes[0] = std::byte{0xFF};
    store_big(out.bytes.data() + 1, static_cast<std::uint32_t>(length));
    out.size = 5;
  }
  return out;
}

/// A `frame_parts` is the parts of a message in order, each with its encoded length.
class frame_parts {
 public:
  frame_parts(const message& message, const frame_format& format)
      : message_(message), format_(format), prefix_(prefix_of(message)), coordinates_(coordinates_of(message)) {}

  /// Calls `function(length, bytes)` for each part until it fails.
  template <class F>
  failure visit(F&& function) const {
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < message_.payload.size() + 2; ++i) {
      const auto bytes = part_bytes(i);
      if (bytes.size() > max_part_bytes)
        return {.code = errc::part_too_large, .offset = at, .expected = max_part_bytes, .found = bytes.size()};
      const auto length =
          encode_length(bytes.size(), std::binary_search(format_.long_lengths.begin(), format_.long_lengths.end(), i));
      if (failure why = function(length, bytes)) return why;
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
  const frame_format& format_;
  std::string prefix_;
  std::array<std::byte, coordinates_bytes> coordinates_;
};

failure out_of_memory() noexcept { return {.code = tgmap::errc::out_of_memory}; }

}  // namespace

std::uint64_t encoded_size(const message& m, const frame_format& format, failure& why) noexcept try {
  std::uint64_t out = 0;
  why = frame_parts(m, format).visit([&](const length_bytes& length, std::span<const std::byte> bytes) -> failure {
    out += length.size + bytes.size();
    return {};
  });
  return why ? 0 : out;
} catch (const std::bad_alloc&) {
  why = out_of_memory();
  return 0;
}

std::uint64_t encoded_size(const message& m, const frame_format& format) {
  return core::or_throw([&](failure& why) { return encoded_size(m, format, why); });
}

std::vector<std::byte> encode(const message& m, const frame_format& format, failure& why) noexcept {
  memory_sink out;
  encode(m, format, out, why);
  return why ? std::vector<std::byte>() : out.release();
}

std::vector<std::byte> encode(const message& m, const frame_format& format) {
  return core::or_throw([&](failure& why) { return encode(m, format, why); });
}

void encode(const message& m, const frame_format& format, sink& sink, failure& why) noexcept try {
  const frame_parts parts(m, format);
  // Find errors before anything is written.
  why = parts.visit([](const length_bytes&, std::span<const std::byte>) { return failure{}; });
  if (why) return;
  why = parts.visit([&](const length_bytes& length, std::span<const std::byte> bytes) {
    const std::array<std::span<const std::byte>, 2> pieces{length.view(), bytes};
    return sink.write(pieces);
  });
} catch (const std::bad_alloc&) {
  why = out_of_memory();
}

void encode(const message& m, const frame_format& format, sink& sink) {
  core::or_throw([&](failure& why) { encode(m, format, sink, why); });
}

message decode(std::span<const std::byte> frame, const pin& owner, frame_format* format, failure& why) noexcept try {
  why = {};
  if (format != nullptr) format->long_lengths.clear();
  std::vector<part> parts;
  std::array<std::uint64_t, 2> header_offsets{};  // of prefix and coordinates, for errors
  for (std::uint64_t at = 0; at < frame.size();) {
    const std::uint64_t begin = at;
    std::uint64_t length = std::to_integer<std::uint64_t>(frame[at++]);
    if (length == min_long_length) {
      if (frame.size() - at < 4) {
        why = {.code = errc::part_exceeds_frame, .offset = begin, .expected = 4, .found = frame.size() - at};
        return {};
      }
      length = load_big(frame.data() + at);
      at += 4;
      if (length < min_long_length && format != nullptr) format->long_lengths.push_back(parts.size());
    }
    if (frame.size() - at < length) {
      why = {.code = errc::part_exceeds_frame, .offset = begin, .expected = length, .found = frame.size() - at};
      return {};
    }
    if (parts.size() < header_offsets.size()) header_offsets[parts.size()] = at;
    // Prefix and coordinates are copied, so they need no owner.
    parts.push_back({frame.subspan(at, length), parts.size() < 2 ? pin() : owner});
    at += length;
  }
  message out = from_parts(parts, why);
  if (why.code == errc::too_few_parts) why.offset = frame.size();
  if (why.code == errc::bad_prefix || why.code == errc::bad_level) why.offset += header_offsets[0];
  if (why.code == errc::bad_coordinates) why.offset += header_offsets[1];
  return out;
} catch (const std::bad_alloc&) {
  why = out_of_memory();
  return {};
}

message decode(std::span<const std::byte> frame, const pin& owner, frame_format* format) {
  return core::or_throw([&](failure& why) { return decode(frame, owner, format, why); });
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
