// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <tgmap/zio/message.hpp>

#include "core/or_throw.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

constexpr std::string_view magic = "ZIO";

std::string_view as_text(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::uint64_t load_little(const std::byte* at) noexcept {
  std::uint64_t out = 0;
  for (int i = 8; i-- > 0;) out = out << 8 | std::to_integer<std::uint64_t>(at[i]);
  return out;
}

void store_little(std::byte* to, std::uint64_t number) noexcept {
  for (int i = 0; i < 8; ++i, number >>= 8) to[i] = static_cast<std::byte>(number);
}

}  // namespace

std::string prefix_of(const message& m) {
  std::string out;
  out.reserve(prefix_bytes + m.label.size());
  out += magic;
  out += static_cast<char>('0' + static_cast<int>(m.level));
  out += m.form.text();
  out += m.label;
  return out;
}

std::array<std::byte, coordinates_bytes> coordinates_of(const message& m) noexcept {
  std::array<std::byte, coordinates_bytes> out{};
  store_little(out.data(), m.origin);
  store_little(out.data() + 8, m.granule);
  store_little(out.data() + 16, m.seqno);
  return out;
}

message from_parts(std::span<const part> parts, failure& why) noexcept try {
  why = {};
  if (parts.size() < 2) {
    why = {.code = errc::too_few_parts, .expected = 2, .found = parts.size()};
    return {};
  }
  const std::string_view prefix = as_text(parts[0].bytes);
  if (prefix.size() < prefix_bytes || !prefix.starts_with(magic)) {
    why = {.code = errc::bad_prefix, .expected = prefix_bytes, .found = prefix.size()};
    return {};
  }
  const auto digit = static_cast<unsigned char>(prefix[3]);
  if (digit < '0' || digit > '0' + static_cast<unsigned char>(level::fatal)) {
    why = {.code = errc::bad_level, .offset = 3, .found = digit};
    return {};
  }
  const std::span<const std::byte> coordinates = parts[1].bytes;
  if (coordinates.size() != coordinates_bytes) {
    why = {.code = errc::bad_coordinates, .expected = coordinates_bytes, .found = coordinates.size()};
    return {};
  }
  message out;
  out.level = static_cast<level>(digit - '0');
  out.form = prefix.substr(4, 4);
  out.label = prefix.substr(prefix_bytes);
  out.origin = load_little(coordinates.data());
  out.granule = load_little(coordinates.data() + 8);
  out.seqno = load_little(coordinates.data() + 16);
  out.payload.assign(parts.begin() + 2, parts.end());
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

message from_parts(std::span<const part> parts) {
  return core::or_throw([&](failure& why) { return from_parts(parts, why); });
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
