// SPDX-License-Identifier: Apache-2.0
#include "archive/object_hash.hpp"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/hash.hpp"
#include "cbor/path.hpp"
#include "cbor/text.hpp"
#include "io/read_buffer.hpp"

namespace tgmap {
inline namespace v0 {

using detail::access;

namespace {

/// Reads the hash that a version 2 descriptor states: {"type": "xxh3", "value": 16 hexadecimal digits}.
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

/// Refuses a repeated hash: readers would differ in which of two they take.
failure check_unique(std::span<const std::byte> descriptor) noexcept {
  constexpr std::array<std::string_view, 1> name{"hash"};
  constexpr std::array<std::string_view, 2> names{"type", "value"};
  const cbor_view entries(descriptor);
  auto again = cbor::find_repeated(entries, name);
  if (const auto hash = entries.find("hash"); hash && !again) again = cbor::find_repeated(*hash, names);
  if (!again) return {};
  return {.code = errc::duplicate_key,
          .found = static_cast<std::uint64_t>(again->bytes_to_end().data() - descriptor.data())};
}

/// Finds the hash that a descriptor of version 2 states. `match` means that there is one to compare.
hash_result read_descriptor_hash(const object& object, std::uint64_t& out, failure& why) noexcept {
  const io::source& in = access::state(object.frame())->bytes();
  io::read_buffer scratch;
  const byte_range from = access::descriptor_of(object);
  const auto bytes = scratch.bytes(in, from.offset, from.size, why);
  if (!why && (why = check_unique(bytes))) why.offset = from.offset;
  return why ? hash_result::absent : read_digest(cbor_view(bytes), out);
}

}  // namespace

std::optional<std::uint64_t> detail::stated_hash(const cbor_view& entries) noexcept {
  std::uint64_t digest = 0;
  return read_digest(entries, digest) == hash_result::match ? std::optional(digest) : std::nullopt;
}

std::optional<std::uint64_t> object::stored_hash() const noexcept {
  const auto* state = access::state(frame_);
  if (state == nullptr) return std::nullopt;
  if (frame_.message().version() == 3) return frame_.stored_hash();
  failure ignored;
  std::uint64_t out = 0;
  return read_descriptor_hash(*this, out, ignored) == hash_result::match ? std::optional(out) : std::nullopt;
}

hash_result object::verify(failure& why) const noexcept {
  std::uint64_t unused = 0;
  return verify(unused, why);
}

hash_result object::verify(std::uint64_t& found, failure& why) const noexcept {
  why = {};
  found = 0;
  if (access::state(frame_) == nullptr) {
    access::none(why);
    return hash_result::absent;
  }
  const auto& message = frame_.message();
  if (message.version() == 3) {
    const hash_result state = frame_.verify(found, why);
    why = detail::with_location(why, message, index_);
    return state;
  }
  std::uint64_t wanted = 0;
  const hash_result stated = read_descriptor_hash(*this, wanted, why);
  why = detail::with_location(why, message, index_);
  if (why || stated != hash_result::match) return stated;

  const io::source& in = access::state(frame_)->bytes();
  const auto matches = [&](std::uint64_t size, std::uint64_t& hash) {
    why = detail::with_location(detail::compare_hash(in, payload_offset(), size, wanted, hash), message, index_);
    return !why && hash == wanted;
  };
  // For objects with masks, buffered encoders hashed the payload and streaming encoders all of the region: accept both.
  if (matches(payload_length_, found)) return hash_result::match;
  std::uint64_t with_masks = 0;
  if (!why && region_length_ != payload_length_ && matches(region_length_, with_masks)) {
    found = with_masks;
    return hash_result::match;
  }
  return why ? hash_result::absent : hash_result::mismatch;
}

hash_result object::verify() const {
  failure why;
  const hash_result state = verify(why);
  detail::raise_if(why);
  return state;
}

namespace detail {

void payload_check::free_state::operator()(XXH3_state_s* state) const noexcept { XXH3_freeState(state); }

failure payload_check::open(const object& object, std::uint64_t max_bytes) noexcept {
  object_ = &object;
  const archive_state* const state = access::state(object.frame());
  if (state == nullptr) return {.code = errc::no_archive};
  const bool by_frame = object.frame().message().version() == 3;
  failure why;
  if (by_frame) {
    const auto stored = read_frame_hash(object.frame(), why);
    if (why || !stored) return why;
    stored_hash_ = *stored;
  } else if (read_descriptor_hash(object, stored_hash_, why) != hash_result::match) {
    return why;
  }

  const std::uint64_t begin = object.payload_offset(), end = begin + object.payload_size();
  const byte_range all =
      by_frame ? access::body_range(object.frame()) : byte_range{begin, object.payload_and_masks_size()};
  const auto before = static_cast<std::size_t>(begin - all.offset);
  const auto behind = static_cast<std::size_t>(all.offset + all.size - end);
  const std::uint64_t masks = object.payload_and_masks_size() - object.payload_size();
  if (masks > max_bytes) return {.code = errc::decoded_limit, .expected = max_bytes, .found = masks};
  const auto around = around_.take(before + behind, why);
  if (!why) why = state->bytes().read(all.offset, around.first(before));
  if (!why) why = state->bytes().read(end, around.subspan(before));
  if (why) return why;
  hash_.reset(XXH3_createState());
  if (!hash_) return {.code = errc::out_of_memory};
  XXH3_64bits_reset(hash_.get());
  add(around.first(before));
  behind_ = around.subspan(before);
  masks_ = behind_.first(static_cast<std::size_t>(masks));
  return {};
}

void payload_check::add(std::span<const std::byte> bytes) noexcept {
  XXH3_64bits_update(hash_.get(), bytes.data(), bytes.size());
}

failure payload_check::load(std::span<std::byte> out) noexcept {
  constexpr std::size_t chunk = std::size_t{1} << 18;  // stays in the second level cache between reading and hashing
  const io::source& in = access::state(object_->frame())->bytes();
  for (std::size_t at = 0; at < out.size(); at += chunk) {
    const auto now = out.subspan(at, std::min(chunk, out.size() - at));
    if (failure why = in.read(object_->payload_offset() + at, now)) return why;
    add(now);
  }
  return {};
}

failure payload_check::finish() noexcept {
  const bool by_frame = object_->frame().message().version() == 3;
  std::uint64_t found = 0;
  if (!by_frame) found = XXH3_64bits_digest(hash_.get());
  // Version 2: buffered encoders hashed the payload and streaming encoders also the masks. Accept both.
  if (by_frame || (found != stored_hash_ && !behind_.empty())) {
    add(behind_);
    found = XXH3_64bits_digest(hash_.get());
  }
  if (found == stored_hash_) return {};
  if (failure gone = access::state(object_->frame())->bytes().check_not_truncated()) return gone;
  return {.code = errc::hash_mismatch, .expected = stored_hash_, .found = found};
}

failure check_hash(const object& object) noexcept {
  payload_check by;
  failure why = by.open(object, UINT64_MAX);
  if (why || !by.has_hash()) return why;
  core::scratch piece;
  constexpr std::uint64_t chunk = std::uint64_t{1} << 18;
  const std::uint64_t size = object.payload_size();
  const auto memory = piece.take(std::min(size, chunk), why);
  for (std::uint64_t at = 0; at < size && !why; at += chunk) {
    const auto now = memory.first(static_cast<std::size_t>(std::min(chunk, size - at)));
    object.read(at, now, why);
    by.add(now);
  }
  return why ? why : by.finish();
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
