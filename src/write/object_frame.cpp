// SPDX-License-Identifier: Apache-2.0
#include "write/object_frame.hpp"

#include <algorithm>

#include "archive/hash.hpp"
#include "cbor/canonical_map.hpp"
#include "cbor/descriptor.hpp"
#include "wire/frame.hpp"
#include "write/descriptor_map.hpp"
#include "write/stored_check.hpp"
#include "write/szip_writer.hpp"

namespace tgmap::write {

namespace {

// Up to here a copy into the frame costs less than being put out, and digested, apart.
constexpr std::uint64_t small_region = 4096;

/// The descriptor of an object in version 2 states its digest.
void put_with_digest(std::span<const std::byte> map, std::uint64_t digest, std::vector<std::byte>& to) {
  std::vector<std::byte> hash;
  cbor::writer value(hash);
  value.map(2);
  value.pair("type", std::string_view("xxh3"));
  value.pair("value", digest_text(digest).view());
  cbor::writer out(to);
  cbor::write_with(out, map, "hash", hash);
}

}  // namespace

failure object_frame::prepare(const new_object& what, const frame_options& how, const provenance_source& writer,
                              frame_tools& tools) {
  is_whole_ = false;
  if (failure why = tools.encoder.encode(what, how.version, tools.encoded)) return why;
  if (how.version == 2 && depends_on_szip_writer(what.pipeline, tools.encoded.packing.bits) &&
      writer.means_legacy_szip())
    return {.code = errc::unsupported_upgrade};
  tensor_.set(tensor_facts::dense(what.dtype, what.shape));
  if (failure why = begin_region(how, how.hashes, tools)) return why;
  if (failure why = put_descriptor_of(what, how, tools)) return why;
  end_frame(how, tools.digest);
  return {};
}

failure object_frame::put_descriptor_of(const new_object& what, const frame_options& how, frame_tools& tools) {
  const bool stated = how.version == 2 && how.hashes;  // the digest, which is another each time
  const encode::encoded_object& encoded = tools.encoded;
  if (const auto same = described_.find(what, encoded); !same.empty() && !stated) {
    bytes_.insert(bytes_.end(), same.begin(), same.end());
    return {};
  }
  const std::size_t at = bytes_.size();
  const auto digest_told = stated ? facts_.digest : std::nullopt;
  if (failure why = put_descriptor(what, encoded, tensor_.facts(), how.version, digest_told, tools.keys, bytes_))
    return why;
  if (!stated) described_.keep(what, encoded, std::span<const std::byte>(bytes_).subspan(at));
  return {};
}

failure object_frame::prepare(const stored_object& what, const frame_options& how, const provenance_source& writer,
                              frame_tools& tools) {
  if (what.source) {
    if (!whole_) whole_ = std::make_unique<whole_frame>();
    is_whole_ = true;
    return whole_->prepare(*what.source, how, writer);
  }
  is_whole_ = false;
  failure why;
  const auto map = what.descriptor.encoded();
  const descriptor parsed = cbor::read_descriptor(map, what.payload_and_masks.size(), deepest_descriptor, why);
  std::uint64_t payload = 0;
  if (!why) why = cbor::read_payload_length(map, what.payload_and_masks.size(), payload);
  if (!why) why = check_stored(parsed, payload, how.version);
  if (why) return why;

  tensor_.set(tensor_facts::of(parsed));
  tools.encoded.clear();
  tools.encoded.payload = what.payload_and_masks;
  tools.encoded.borrowed = true;
  const bool stated = how.version == 2 && parsed.entries.find("hash").has_value();
  if ((why = begin_region(how, how.hashes && !stated, tools))) return why;
  if (stated) facts_.digest = detail::stated_hash(parsed.entries);
  if (how.version == 2 && how.hashes && !stated)
    put_with_digest(map, *facts_.digest, bytes_);
  else
    cbor::writer(bytes_).encoded(map);
  end_frame(how, tools.digest);
  return {};
}

/// Begins the frame with its header and the region, and looks at that once: for the digest, and for what is not finite.
failure object_frame::begin_region(const frame_options& how, bool hash, frame_tools& tools) {
  const encode::encoded_object& encoded = tools.encoded;
  const std::span masks(encoded.masks.data(), encoded.mask_count);
  facts_ = {.region = encoded.payload.size()};
  for (const auto& mask : masks) facts_.region += mask.blob.size();
  bytes_.assign(wire::frame_header_size, std::byte{});
  region_pieces_.clear();
  const bool small = facts_.region <= small_region;
  lent_ = !small && !encoded.borrowed;
  if (!small) region_pieces_.push_back(encoded.payload);

  // Of a small region version 3 takes the digest later, together with the descriptor.
  const bool hash_now = hash && (how.version == 2 || !small);
  if (failure why = look_at_payload(hash_now, tools)) return why;
  if (small) bytes_.insert(bytes_.end(), encoded.payload.begin(), encoded.payload.end());
  for (const auto& mask : masks) {
    if (small)
      bytes_.insert(bytes_.end(), mask.blob.begin(), mask.blob.end());
    else
      region_pieces_.push_back(mask.blob);
    if (hash_now && how.version != 2) tools.digest.add(mask.blob);
  }
  if (hash && how.version == 2) facts_.digest = tools.digest.value();
  return {};
}

failure object_frame::look_at_payload(bool hash, frame_tools& tools) {
  const encode::encoded_object& encoded = tools.encoded;
  const dtype type = tensor_.facts().dtype;
  if (hash) tools.digest.begin();
  failure why;
  by_blocks(encoded.payload, [&](std::span<const std::byte> block, std::size_t from) {
    const auto bad = encoded.unchecked ? encode::find_non_finite(block, type, encoded.order) : std::nullopt;
    if (bad)
      why = {.code = errc::non_finite, .found = from / element_size(type) + *bad};
    else if (hash)
      tools.digest.add(block);
    return !why;
  });
  return why;
}

void object_frame::end_frame(const frame_options& how, digest& begun) {
  const auto version = static_cast<unsigned>(how.version);
  const std::uint16_t type = wire::object_type(version);
  const auto behind_header = std::span<const std::byte>(bytes_).subspan(wire::frame_header_size);
  if (how.hashes && version != 2) {
    if (!region_pieces_.empty()) begun.add(behind_header);
    facts_.digest = region_pieces_.empty() ? digest::of(behind_header) : begun.value();
  }

  const std::size_t tail_at = bytes_.size();
  bytes_.resize(tail_at + wire::tail_size(type, version));
  facts_.length = bytes_.size() + (region_pieces_.empty() ? 0 : facts_.region);
  const auto flags = static_cast<std::uint16_t>(wire::cbor_after_payload_flag |
                                                (how.hashes && version != 2 ? wire::hash_present_flag : 0));
  const std::uint64_t hash = version == 2 ? 0 : facts_.digest.value_or(0);
  wire::put_frame_header(bytes_.data(), {.type = type, .version = 1, .flags = flags, .length = facts_.length});
  wire::put_frame_tail(bytes_.data() + tail_at, {.cbor_offset = wire::frame_header_size + facts_.region, .hash = hash},
                       type, version);
}

failure object_frame::keep() noexcept {
  if (is_whole_ || !lent_) return {};
  failure why;
  const auto to = kept_.take(facts_.region, why);
  if (why) return why;
  auto at = to.begin();
  for (const auto part : region_pieces_) at = std::copy(part.begin(), part.end(), at);
  region_pieces_.assign(1, to);
  lent_ = false;
  return {};
}

void object_frame::put(output& to) const {
  if (is_whole_) return whole_->put(to);
  const std::span<const std::byte> all(bytes_);
  if (region_pieces_.empty()) return to.add(all);
  to.add(all.first(wire::frame_header_size));
  for (const auto part : region_pieces_) to.add(part);
  to.add(all.subspan(wire::frame_header_size));
}

}  // namespace tgmap::write
