// SPDX-License-Identifier: Apache-2.0
#include "write/frame/object_frame.hpp"

#include <algorithm>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/hash.hpp"
#include "archive/owned_descriptor.hpp"
#include "archive/payload_access.hpp"
#include "cbor/canonical/canonical_map.hpp"
#include "cbor/structure/descriptor.hpp"
#include "wire/frame.hpp"
#include "write/checks.hpp"

namespace tgmap::write {

namespace {

// Up to this size, copying a frame costs less than writing it apart.
constexpr std::uint64_t max_copied_frame = 16384;

/// Checks that readers of the new message decode szip of version 2 as readers of the old one do. The encoder that a
/// message names decides that, and the bytes do not say it.
failure check_encoder(const object& object, const provenance_source& of_new_message) {
  bool is_legacy = false;
  if (failure why = detail::legacy_szip_flags(object, is_legacy)) return why;
  return is_legacy == of_new_message.implies_legacy_szip() ? failure{} : failure{.code = errc::unsupported_upgrade};
}

}  // namespace

failure frame_copy::prepare(const object& object, const frame_options& options,
                            const provenance_source& of_new_message) {
  const frame& stored = object.frame();
  const auto version = stored.message().version();
  if (version != static_cast<unsigned>(options.version))
    return {
        .code = errc::unsupported_wire_version, .expected = version, .found = static_cast<unsigned>(options.version)};
  info_ = {.length = stored.length(), .payload_and_masks_size = object.payload_and_masks_size()};
  source_ = object;
  bytes_.clear();
  if (info_.length <= max_copied_frame) {
    bytes_.resize(static_cast<std::size_t>(info_.length));
    const io::source& in = detail::access::state(stored)->bytes();
    if (failure why = in.load(stored.offset(), bytes_, io::locality::clustered)) return why;
  }
  if (failure why = read_descriptor(object)) return why;

  const bool announces_hash = (stored.flags() & wire::hash_present_flag) != 0;
  info_.hash = version == 3 && announces_hash && !bytes_.empty() ? wire::stored_hash(bytes_) : object.stored_hash();
  if (version == 3 && info_.hash && !announces_hash) announce_hash(stored);
  return version == 2 && szip_depends_on_encoder_ ? check_encoder(object, of_new_message) : failure{};
}

failure frame_copy::read_descriptor(const object& object) {
  std::span<const std::byte> descriptor;
  if (!bytes_.empty()) {
    const auto [offset, size] = detail::access::descriptor_of(object);
    descriptor = std::span<const std::byte>(bytes_).subspan(static_cast<std::size_t>(offset - object.frame().offset()),
                                                            static_cast<std::size_t>(size));
    if (info_.payload_and_masks_size == described_size_ && wire::equal(descriptor, descriptor_)) return {};
  }
  descriptor_.clear();
  detail::owned_descriptor parsed;
  if (failure why = parsed.read(object)) return why;
  tensor_.update(tensor_layout::of(parsed.get()));
  szip_depends_on_encoder_ = szip_depends_on_encoder(parsed.get());
  descriptor_.assign(descriptor.begin(), descriptor.end());
  described_size_ = info_.payload_and_masks_size;
  return {};
}

/// Sets the flag in the header. Releases 0.17 to 0.20 set it only in the message; beside newer frames, readers would
/// take their hashes for missing.
void frame_copy::announce_hash(const frame& stored) {
  if (bytes_.empty()) bytes_.resize(wire::frame_header_size);
  wire::put_frame_header(bytes_.data(), {.type = static_cast<std::uint16_t>(stored.type()),
                                         .version = stored.frame_version(),
                                         .flags = static_cast<std::uint16_t>(stored.flags() | wire::hash_present_flag),
                                         .length = stored.length()});
}

void frame_copy::add_to(output_queue& to) const {
  const frame& stored = source_->frame();
  to.add(std::span<const std::byte>(bytes_));
  if (bytes_.size() == stored.length()) return;
  to.add(detail::access::state(stored)->bytes(), stored.offset() + bytes_.size(), stored.length() - bytes_.size());
}

namespace {

// Up to this size, copying a payload into the frame costs less than hashing and writing it apart.
constexpr std::uint64_t max_small_payload = 4096;

// Stays in the second-level cache from one pass to the next.
constexpr std::size_t cached_block = std::size_t{128} << 10;

/// Appends a descriptor of version 2 and adds the hash of the payload to it.
void append_with_hash(std::span<const std::byte> descriptor, std::uint64_t hash, std::vector<std::byte>& to) {
  std::vector<std::byte> entry;
  cbor::writer value(entry);
  value.map(2);
  value.pair("type", std::string_view("xxh3"));
  value.pair("value", hash_text(hash).view());
  cbor::writer out(to);
  cbor::write_with(out, descriptor, "hash", entry);
}

}  // namespace

failure object_frame::prepare(const new_object& object, const frame_options& options,
                              const provenance_source& provenance, frame_tools& tools) {
  is_copy_ = false;
  if (failure why = tools.encoder.encode(object, options.version, tools.encoded)) return why;
  if (options.version == 2 && szip_depends_on_encoder(object.pipeline, tools.encoded.packing.bits) &&
      provenance.implies_legacy_szip())
    return {.code = errc::unsupported_upgrade};
  tensor_.update(tensor_layout::dense(object.dtype, object.shape));
  if (failure why = begin_frame(options, options.hashes, tools)) return why;
  if (failure why = append_descriptor_of(object, options, tools)) return why;
  end_frame(options, tools.hasher);
  return {};
}

failure object_frame::append_descriptor_of(const new_object& object, const frame_options& options, frame_tools& tools) {
  const bool states_hash = options.version == 2 && options.hashes;  // then no two descriptors are equal
  const encode::encoded_object& encoded = tools.encoded;
  if (const auto cached = descriptors_.find(object, encoded); !cached.empty() && !states_hash) {
    bytes_.insert(bytes_.end(), cached.begin(), cached.end());
    return {};
  }
  const std::size_t begin = bytes_.size();
  const auto hash = states_hash ? info_.hash : std::nullopt;
  if (failure why = append_descriptor(object, encoded, tensor_.layout(), options.version, hash, tools.keys, bytes_))
    return why;
  if (!states_hash) descriptors_.store(object, encoded, std::span<const std::byte>(bytes_).subspan(begin));
  return {};
}

failure object_frame::prepare(const stored_object& object, const frame_options& options,
                              const provenance_source& provenance, frame_tools& tools) {
  if (object.source) {
    if (!copy_) copy_ = std::make_unique<frame_copy>();
    is_copy_ = true;
    return copy_->prepare(*object.source, options, provenance);
  }
  is_copy_ = false;
  failure why;
  const auto map = object.descriptor.encoded();
  const descriptor parsed = cbor::read_descriptor(map, object.payload_and_masks.size(), max_descriptor_depth, why);
  std::uint64_t payload_size = 0;
  if (!why) why = cbor::read_payload_length(map, object.payload_and_masks.size(), payload_size);
  if (!why) why = check_stored_descriptor(parsed, payload_size, options.version);
  if (why) return why;

  tensor_.update(tensor_layout::of(parsed));
  tools.encoded.clear();
  tools.encoded.payload = object.payload_and_masks;
  tools.encoded.borrowed = true;
  const bool states_hash = options.version == 2 && parsed.entries.find("hash").has_value();
  if ((why = begin_frame(options, options.hashes && !states_hash, tools))) return why;
  if (states_hash) info_.hash = detail::stated_hash(parsed.entries);
  if (options.version == 2 && options.hashes && !states_hash)
    append_with_hash(map, *info_.hash, bytes_);
  else
    cbor::writer(bytes_).encoded(map);
  end_frame(options, tools.hasher);
  return {};
}

/// Begins the frame with its header, and with the payload and masks if they are small.
failure object_frame::begin_frame(const frame_options& options, bool hash_payload, frame_tools& tools) {
  const encode::encoded_object& encoded = tools.encoded;
  const std::span masks(encoded.masks.data(), encoded.mask_count);
  info_ = {.payload_and_masks_size = encoded.payload.size()};
  for (const auto& mask : masks) info_.payload_and_masks_size += mask.blob.size();
  bytes_.assign(wire::frame_header_size, std::byte{});
  large_payload_.clear();
  const bool is_small = info_.payload_and_masks_size <= max_small_payload;
  is_in_encoder_ = !is_small && !encoded.borrowed;
  if (!is_small) large_payload_.push_back(encoded.payload);

  // In version 3, a small payload is hashed later, together with the descriptor.
  const bool hash_now = hash_payload && (options.version == 2 || !is_small);
  if (failure why = check_and_hash_payload(hash_now, tools)) return why;
  if (is_small) bytes_.insert(bytes_.end(), encoded.payload.begin(), encoded.payload.end());
  for (const auto& mask : masks) {
    if (is_small)
      bytes_.insert(bytes_.end(), mask.blob.begin(), mask.blob.end());
    else
      large_payload_.push_back(mask.blob);
    if (hash_now && options.version != 2) tools.hasher.add(mask.blob);
  }
  if (hash_payload && options.version == 2) info_.hash = tools.hasher.value();
  return {};
}

/// Reads the payload from memory only once, for the check for NaN and infinities and for the hash.
failure object_frame::check_and_hash_payload(bool hash_payload, frame_tools& tools) {
  const encode::encoded_object& encoded = tools.encoded;
  const dtype type = tensor_.layout().dtype;
  if (hash_payload) tools.hasher.reset();
  failure why;
  for (std::size_t begin = 0; !why && begin < encoded.payload.size(); begin += cached_block) {
    const auto block = encoded.payload.subspan(begin, std::min(cached_block, encoded.payload.size() - begin));
    const auto bad = encoded.unchecked ? encode::find_non_finite(block, type, encoded.order) : std::nullopt;
    if (bad)
      why = {.code = errc::non_finite, .found = begin / element_size(type) + *bad};
    else if (hash_payload)
      tools.hasher.add(block);
  }
  return why;
}

void object_frame::end_frame(const frame_options& options, hasher& of_payload) {
  const auto version = static_cast<unsigned>(options.version);
  const std::uint16_t type = wire::object_type(version);
  const auto body = std::span<const std::byte>(bytes_).subspan(wire::frame_header_size);
  if (options.hashes && version != 2) {
    if (!large_payload_.empty()) of_payload.add(body);
    info_.hash = large_payload_.empty() ? hasher::hash(body) : of_payload.value();
  }

  const std::size_t tail_begin = bytes_.size();
  bytes_.resize(tail_begin + wire::tail_size(type, version));
  info_.length = bytes_.size() + (large_payload_.empty() ? 0 : info_.payload_and_masks_size);
  const auto flags = static_cast<std::uint16_t>(wire::cbor_after_payload_flag |
                                                (options.hashes && version != 2 ? wire::hash_present_flag : 0));
  const std::uint64_t hash = version == 2 ? 0 : info_.hash.value_or(0);
  wire::put_frame_header(bytes_.data(), {.type = type, .version = 1, .flags = flags, .length = info_.length});
  wire::put_frame_tail(bytes_.data() + tail_begin,
                       {.cbor_offset = wire::frame_header_size + info_.payload_and_masks_size, .hash = hash}, type,
                       version);
}

failure object_frame::keep_payload() noexcept {
  if (is_copy_ || !is_in_encoder_) return {};
  failure why;
  const auto kept = kept_payload_.take(info_.payload_and_masks_size, why);
  if (why) return why;
  auto at = kept.begin();
  for (const auto part : large_payload_) at = std::copy(part.begin(), part.end(), at);
  large_payload_.assign(1, kept);
  is_in_encoder_ = false;
  return {};
}

void object_frame::add_to(output_queue& to) const {
  if (is_copy_) return copy_->add_to(to);
  const std::span<const std::byte> bytes(bytes_);
  if (large_payload_.empty()) return to.add(bytes);
  to.add(bytes.first(wire::frame_header_size));
  for (const auto part : large_payload_) to.add(part);
  to.add(bytes.subspan(wire::frame_header_size));
}

}  // namespace tgmap::write
