// SPDX-License-Identifier: Apache-2.0
// Digests of data objects, specification §4.
#include <array>
#include <charconv>

#include "archive/access.hpp"
#include "archive/state.hpp"
#include "archive/verify.hpp"
#include "cbor/path.hpp"
#include "cbor/text.hpp"
#include "io/scratch.hpp"

namespace tgmap {
inline namespace v0 {

using detail::access;

namespace {

/// The digest that a version 2 descriptor states: {"type": "xxh3", "value": 16 hexadecimal digits}.
hash_result read_digest(const cbor_view& entries, std::uint64_t& out) noexcept {
  const auto hash = entries.find("hash");
  if (!hash || hash->kind() == cbor_kind::null) return hash_result::absent;
  const auto type = hash->find("type"), digits = hash->find("value");
  if (!type || !digits || !cbor::text_equals(type->bytes_to_end(), "xxh3")) return hash_result::unsupported;
  std::array<char, 16> text;
  const auto size = cbor::copy_string(digits->bytes_to_end(), text);
  if (!size || *size != text.size()) return hash_result::unsupported;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out, 16);
  return code == std::errc{} && end == text.data() + text.size() ? hash_result::match : hash_result::unsupported;
}

/// That the digest is stated once: of two, readers would differ in which they take.
failure refuse_repeated(std::span<const std::byte> descriptor) noexcept {
  constexpr std::array<std::string_view, 1> name{"hash"};
  constexpr std::array<std::string_view, 2> names{"type", "value"};
  const cbor_view entries(descriptor);
  auto again = cbor::find_repeated(entries, name);
  if (const auto hash = entries.find("hash"); hash && !again) again = cbor::find_repeated(*hash, names);
  if (!again) return {};
  return {.code = errc::duplicate_key,
          .found = static_cast<std::uint64_t>(again->bytes_to_end().data() - descriptor.data())};
}

}  // namespace

std::optional<std::uint64_t> detail::stated_digest(const cbor_view& entries) noexcept {
  std::uint64_t digest = 0;
  return read_digest(entries, digest) == hash_result::match ? std::optional(digest) : std::nullopt;
}

std::optional<std::uint64_t> object::stored_hash() const noexcept {
  const auto* state = access::state(frame_);
  if (state == nullptr) return std::nullopt;
  if (frame_.message().version() == 3) return frame_.stored_hash();
  failure why;
  io::scratch scratch;
  const detail::byte_range from = access::descriptor_of(*this);
  const auto bytes = scratch.bytes(state->bytes(), from.at, from.size, why);
  return why || refuse_repeated(bytes) ? std::nullopt : detail::stated_digest(cbor_view(bytes));
}

hash_result object::verify(failure& why) const noexcept {
  why = {};
  if (access::state(frame_) == nullptr) {
    access::none(why);
    return hash_result::absent;
  }
  const auto& message = frame_.message();
  if (message.version() == 3) {
    const hash_result state = frame_.verify(why);
    why = detail::located(why, message, index_);
    return state;
  }
  io::scratch scratch;
  const detail::byte_range from = access::descriptor_of(*this);
  const auto bytes = scratch.bytes(access::state(frame_)->bytes(), from.at, from.size, why);
  if (!why && (why = refuse_repeated(bytes))) why.offset = from.at;
  why = detail::located(why, message, index_);
  if (why) return hash_result::absent;
  std::uint64_t wanted = 0;
  if (const hash_result s = read_digest(cbor_view(bytes), wanted); s != hash_result::match) return s;

  const io::source& in = access::state(frame_)->bytes();
  const auto matches = [&](std::uint64_t size) {
    bool found = false;
    why = detail::located(detail::compare_hash(in, payload_offset(), size, wanted, found), message, index_);
    return found;
  };
  // With masks, buffered encoders hashed the payload and streaming ones the whole region: either will do.
  if (matches(payload_length_)) return hash_result::match;
  if (!why && region_length_ != payload_length_ && matches(region_length_)) return hash_result::match;
  return why ? hash_result::absent : hash_result::mismatch;
}

hash_result object::verify() const {
  failure why;
  const hash_result state = verify(why);
  detail::raise_if(why);
  return state;
}

}  // namespace v0
}  // namespace tgmap
