// SPDX-License-Identifier: Apache-2.0
#include "reports/message_frames.hpp"

#include <fmt/format.h>

#include <cstring>
#include <initializer_list>
#include <tgmap/mapping_guard.hpp>

#include "core/text/hex.hpp"
#include "edit/message_failure.hpp"

namespace tgmap::reports {

namespace {

std::vector<std::string> bit_names(unsigned bits, std::initializer_list<const char*> known) {
  std::vector<std::string> out;
  for (unsigned bit = 0; bit < 16; ++bit) {
    if ((bits >> bit & 1) == 0) continue;
    out.push_back(bit < known.size() ? known.begin()[bit] : fmt::format("BIT_{}", bit));
  }
  return out;
}

/// Copies the body of a frame, since a mapped file may shrink while it is read.
std::string copy_of(std::span<const std::byte> bytes) {
  std::string out(bytes.size(), '\0');
  detail::raise_if(mapping_guard::run([&]() noexcept { std::memcpy(out.data(), bytes.data(), bytes.size()); }));
  return out;
}

void read_body(frame_content& into) {
  const frame& f = into.frame;
  if (const std::uint64_t limit = open_options().max_metadata_bytes; f.body_size() > limit) {
    into.problem = fmt::format("contents not shown: {} bytes exceed the limit of {}", f.body_size(), limit);
    return;
  }
  into.body = copy_of(f.body());
  into.has_body = true;
  if (!into.content().bytes().empty()) return;
  into.has_body = false;
  into.problem = "contents are not CBOR";
}

void read_object(const message& m, std::size_t number, frame_content& into) {
  failure why;
  const object found = m.at(number, why);
  if (!why) into.descriptor = shared_descriptor(found, why);
  if (why)
    into.problem = edit::failure_in(m, why).text();
  else
    into.object = found;
}

}  // namespace

std::vector<std::string> flag_names(const message& m) {
  return bit_names(m.flags(), {"HEADER_METADATA", "FOOTER_METADATA", "HEADER_INDEX", "FOOTER_INDEX", "HEADER_HASHES",
                               "FOOTER_HASHES", "PRECEDER_METADATA", "HASHES_PRESENT"});
}

std::vector<std::string> flag_names(const frame& f) {
  return bit_names(f.flags(), {"CBOR_AFTER_PAYLOAD", "HASH_PRESENT"});
}

std::optional<std::string> hash_text(const frame& f) {
  const auto hash = f.stored_hash();
  return hash ? std::optional(core::hex_text(*hash)) : std::nullopt;
}

cbor_view frame_content::content() const {
  if (object) return descriptor->entries;
  return has_body ? cbor_view(std::as_bytes(std::span(body))) : cbor_view();
}

json_limit frame_content::limit(const std::optional<std::uint64_t>& asked) const {
  return json_limit::for_metadata(object ? frame.body_size() - object->payload_and_masks_size() : frame.body_size(),
                                  asked);
}

void for_each_frame(const message& m, std::optional<std::size_t> object, const frame_receiver& take) {
  std::size_t objects = 0;
  frame_range range = m.frames();
  frame f;
  failure why;
  for (std::size_t i = 0; range.next(f, why); ++i) {
    frame_content about{.frame = f};
    const std::size_t number = objects;
    if (f.is_object())
      read_object(m, objects++, about);
    else if (f.is_known())
      read_body(about);
    if (object && !(f.is_object() && number == *object)) continue;
    if (!take(i, about)) return;
  }
  detail::raise_if(why);
}

}  // namespace tgmap::reports
