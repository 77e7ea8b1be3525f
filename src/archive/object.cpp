// SPDX-License-Identifier: Apache-2.0
#include <tgmap/object.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <vector>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/metadata/metadata_snapshot.hpp"
#include "archive/owned_descriptor.hpp"
#include "cbor/structure/descriptor.hpp"

namespace tgmap {
inline namespace v0 {

using detail::access;

namespace detail {

namespace {

/// Parses a descriptor of which `copy` has the bytes, unless they could not be read.
descriptor parse_descriptor(const archive_state& state, const object& object, const metadata_snapshot& copy,
                            const failure& unread, failure& why) noexcept {
  // Near a kilobyte: constructed in the caller's storage.
  descriptor out =
      cbor::read_descriptor(copy.bytes(), object.payload_and_masks_size(), state.options().max_cbor_depth, why);
  if (unread) why = unread;
  if (!why) return out;
  if (why.offset == 0) why.offset = access::descriptor_of(object).offset;
  why = with_location(state, why, object.frame().message(), object.index());
  out = {};  // nothing may point into the copy
  return out;
}

}  // namespace

descriptor read_descriptor_of(const archive_state& state, const object& object, entry_lifetime lifetime,
                              metadata_snapshot& copy, failure& why) noexcept {
  const byte_range from = access::descriptor_of(object);
  const io::locality what = locality_of(object.frame().message(), object.frame().length());
  // A range too short for a descriptor is not kept in memory, because a file may repeat it very often.
  const bool keep = lifetime == entry_lifetime::archive && from.size >= cbor::min_descriptor_size;
  const failure unread = keep ? copy.load(state.bytes(), from.offset, from.size, what)
                              : copy.load_temporary(state.bytes(), from.offset, from.size, what);
  return parse_descriptor(state, object, copy, unread, why);
}

failure owned_descriptor::take(const object& object, std::span<const std::byte> bytes) noexcept {
  failure why;
  const std::span<std::byte> copy = copy_.prepare(bytes.size(), why);
  if (why) return why;
  std::ranges::copy(bytes, copy.begin());
  descriptor_ = parse_descriptor(*access::state(object.frame()), object, copy_, {}, why);
  return why;
}

bool owned_descriptor::read_with(const object& object, std::span<std::byte> region, failure& why) noexcept {
  const archive_state* const state = access::state(object.frame());
  if (state == nullptr || region.size() != object.payload_and_masks_size()) return false;
  const byte_range from = access::descriptor_of(object);
  const std::span<std::byte> copy = copy_.prepare(from.size, why);
  if (why) return false;
  const bool is_first = from.offset < object.payload_offset();
  const std::array<std::span<std::byte>, 2> parts{is_first ? copy : region, is_first ? region : copy};
  // After an error the parts are read again one by one, which finds the reason.
  if (state->bytes().read(std::min(from.offset, object.payload_offset()), parts)) return false;
  descriptor_ = parse_descriptor(*state, object, copy_, {}, why);
  return true;
}

}  // namespace detail

descriptor object::descriptor(failure& why) const noexcept {
  why = {};
  const detail::archive_state* const state = access::state(frame_);
  if (state == nullptr) {
    access::none(why);
    return {};
  }
  detail::metadata_snapshot copy;
  tgmap::descriptor out = detail::read_descriptor_of(*state, *this, detail::entry_lifetime::archive, copy, why);
  if (why) return out;
  out.type = copy.in_archive(out.type);
  out.entries = copy.in_archive(out.entries);
  return out;
}

std::shared_ptr<const descriptor> detail::share(const tgmap::descriptor& parsed, const metadata_snapshot& copy) {
  struct contents {
    tgmap::descriptor descriptor{};
    std::vector<std::byte> bytes{};
  };
  const auto out = std::make_shared<contents>();
  out->descriptor = parsed;
  out->bytes.assign(copy.bytes().begin(), copy.bytes().end());
  const auto kept = [&](const cbor_view& item) {
    return cbor_view(std::span<const std::byte>(out->bytes).subspan(copy.offset_of(item)));
  };
  if (!out->descriptor.type.bytes_to_end().empty()) out->descriptor.type = kept(out->descriptor.type);
  out->descriptor.entries = kept(out->descriptor.entries);
  return {out, &out->descriptor};
}

std::shared_ptr<const descriptor> shared_descriptor(const object& of, failure& why) noexcept try {
  why = {};
  const detail::archive_state* const state = access::state(of.frame());
  if (state == nullptr) {
    access::none(why);
    return nullptr;
  }
  detail::metadata_snapshot copy;
  const descriptor parsed = detail::read_descriptor_of(*state, of, detail::entry_lifetime::snapshot, copy, why);
  return why ? nullptr : detail::share(parsed, copy);
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return nullptr;
}

std::shared_ptr<const descriptor> shared_descriptor(const object& of) {
  return detail::or_throw([&](failure& why) { return shared_descriptor(of, why); });
}

descriptor object::descriptor() const {
  failure why;
  auto out = descriptor(why);
  detail::raise_if(why);
  return out;
}

namespace {

/// Returns bytes of an object's frame where they are.
std::span<const std::byte> bytes_of(const object& object, std::uint64_t at, std::uint64_t size, failure& why) noexcept {
  const detail::archive_state* const state = access::state(object.frame());
  if (state == nullptr) return access::none(why);
  if (const std::byte* all = state->bytes().mapped()) return {all + at, static_cast<std::size_t>(size)};
  const auto bytes = state->bytes().view(at, size, io::budget::payload, why);
  why = detail::with_location(why, object.frame().message(), object.index());
  return bytes;
}

}  // namespace

std::span<const std::byte> object::payload(failure& why) const noexcept {
  why = {};
  return bytes_of(*this, payload_offset(), payload_length_, why);
}

std::span<const std::byte> object::payload_and_masks(failure& why) const noexcept {
  why = {};
  return bytes_of(*this, payload_offset(), region_length_, why);
}

std::span<const std::byte> object::payload() const {
  const detail::archive_state* const state = access::state(frame_);
  if (state != nullptr && state->bytes().mapped() != nullptr)
    return {state->bytes().mapped() + payload_offset(), static_cast<std::size_t>(payload_length_)};
  failure why;
  const auto bytes = payload(why);
  detail::raise_if(why);
  return bytes;
}

std::span<const std::byte> object::payload_and_masks() const {
  failure why;
  const auto bytes = payload_and_masks(why);
  detail::raise_if(why);
  return bytes;
}

void object::read(std::uint64_t offset, std::span<std::byte> out, failure& why) const noexcept {
  why = {};
  if (access::state(frame_) == nullptr) {
    access::none(why);
    return;
  }
  if (!wire::fits(offset, out.size(), payload_length_))
    why = {.code = errc::read_past_end,
           .offset = payload_offset(),
           .expected = payload_length_,
           .found = offset > UINT64_MAX - out.size() ? UINT64_MAX : offset + out.size()};
  else
    why = access::state(frame_)->bytes().read(payload_offset() + offset, out);
  why = detail::with_location(why, frame_.message(), index_);
}

void object::read(std::uint64_t offset, std::span<std::byte> out) const {
  failure why;
  read(offset, out, why);
  detail::raise_if(why);
}

}  // namespace v0
}  // namespace tgmap
