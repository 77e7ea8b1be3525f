// SPDX-License-Identifier: Apache-2.0
#include "write/stream_encoder.hpp"

#include <array>

#include "wire/postamble.hpp"
#include "wire/preamble.hpp"
#include "write/frame_bytes.hpp"
#include "write/metadata_map.hpp"

namespace tgmap::write {

namespace {

std::uint16_t flags_of(const write_options& how) noexcept {
  // A preceder is always announced, as the reference does: it may come.
  unsigned out = wire::header_metadata_flag | wire::footer_metadata_flag | wire::preceder_flag;
  if (how.index != index_placement::none) out |= wire::footer_index_flag;
  if (how.hashes && how.hash_list != index_placement::none) out |= wire::footer_hashes_flag;
  if (how.hashes && how.version != 2) out |= wire::hashes_present_flag;
  return static_cast<std::uint16_t>(out);
}

}  // namespace

stream_encoder::stream_encoder(sink& to, const write_options& options, const cbor_value& extra)
    : options_(options),
      how_{.version = options.version, .hashes = options.hashes},
      extra_(extra),
      who_(options.provenance, options.version) {
  counted_.to = &to;
  begin_in_sink_ = to.bytes_written();
}

failure stream_encoder::begin(std::span<const cbor_value> ahead) {
  if (failure why = check_keys(extra_, around_extra)) return why;
  std::vector<std::byte> entries;
  for (const cbor_value& one : ahead) {
    if (failure why = check_keys(one, around_base)) return why;
    entries.insert(entries.end(), one.encoded().begin(), one.encoded().end());
  }
  bytes_.assign(wire::preamble_size, std::byte{});
  wire::put_preamble(bytes_.data(),
                     {.version = static_cast<std::uint16_t>(options_.version), .flags = flags_of(options_)});
  put_frame(bytes_, wire::header_metadata_frame, how_,
            [&] { put_metadata(entries, ahead.size(), extra_, options_.version, nullptr, bytes_); });
  return counted_.write(std::span<const std::byte>(bytes_));
}

/// Puts out what stands before an object: its preceder, and zeros up to where its payload is aligned.
failure stream_encoder::put_before(const cbor_value& base, bool preceder) {
  bytes_.clear();
  if (preceder) put_frame(bytes_, wire::preceder_frame, how_, [&] { put_preceder(base, options_.version, bytes_); });
  if (options_.payload_alignment > least_alignment) {
    const std::uint64_t start = options_.start_offset % least_alignment == 0 ? options_.start_offset : 0;
    const std::uint64_t payload = start + counted_.count + bytes_.size() + wire::frame_header_size;
    const std::uint64_t beyond = payload % options_.payload_alignment;
    if (beyond != 0) bytes_.resize(bytes_.size() + static_cast<std::size_t>(options_.payload_alignment - beyond));
  }
  object_at_ = counted_.count + bytes_.size();
  return bytes_.empty() ? failure{} : counted_.write(std::span<const std::byte>(bytes_));
}

failure stream_encoder::pad() {
  constexpr std::array<std::byte, least_alignment> zeros{};
  const auto count = static_cast<std::size_t>(wire::align8(counted_.count) - counted_.count);
  return count == 0 ? failure{} : counted_.write(std::span<const std::byte>(zeros).first(count));
}

failure stream_encoder::add(const cbor_value& base, std::span<const std::byte> tensor, std::uint64_t length,
                            std::optional<std::uint64_t> digest) {
  cbor::key_place place;
  if (failure why = check_keys(base, around_base, place)) return why;
  bytes_.clear();
  put_base_entry(base, place, tensor, bytes_);
  entries_.add(bytes_);
  list_.push_back({.offset = object_at_, .length = length, .digest = digest});
  return pad();
}

template <class Object>
failure stream_encoder::write(const Object& what) {
  settled_ = counted_.count;
  if (failure why = check_keys(what.base, around_base)) return why;
  if (failure why = frame_.prepare(what, how_, who_, tools_)) return why;
  if (failure why = put_before(what.base, what.preceder)) return why;
  out_.clear();
  frame_.put(out_);
  if (failure why = out_.put(counted_)) return why;
  tools_.encoder.trim();
  return add(what.base, frame_.tensor(), frame_.facts().length, frame_.facts().digest);
}

template failure stream_encoder::write(const new_object&);
template failure stream_encoder::write(const stored_object&);

failure stream_encoder::begin_object(const new_object& what) {
  settled_ = counted_.count;
  if (failure why = check_keys(what.base, around_base)) return why;
  if (failure why = pieces_.prepare(what, how_)) return why;
  if (failure why = put_before(what.base, what.preceder)) return why;
  open_base_ = what.base;
  return pieces_.begin(counted_);
}

failure stream_encoder::end_object() {
  if (failure why = pieces_.end(counted_)) return why;
  std::vector<std::byte> tensor;
  put_tensor(pieces_.facts(), tensor);
  return add(open_base_, tensor, pieces_.length(), pieces_.digest_value());
}

/// The entries are put out from where they are kept: a second copy of them all may be too much.
failure stream_encoder::put_footer_metadata() {
  constexpr auto type = wire::footer_metadata_frame;
  const auto version = static_cast<unsigned>(options_.version);
  bytes_.assign(wire::frame_header_size, std::byte{});
  const std::size_t split = put_metadata({}, list_.size(), extra_, options_.version, &who_, bytes_, true);
  const std::size_t end = bytes_.size();
  const std::uint64_t length = end + entries_.size() + wire::tail_size(type, version);
  const bool hashed = options_.hashes && version != 2;
  wire::put_frame_header(bytes_.data(), {.type = type,
                                         .version = 1,
                                         .flags = static_cast<std::uint16_t>(hashed ? wire::hash_present_flag : 0),
                                         .length = length});
  bytes_.resize(end + static_cast<std::size_t>(wire::align8(length) - length) + wire::tail_size(type, version));

  const std::span<const std::byte> all(bytes_);
  out_.clear();
  out_.add(all.first(split));
  for (const auto& chunk : entries_.chunks()) out_.add(chunk);
  out_.add(all.subspan(split));

  std::uint64_t digest_value = 0;
  if (hashed) {
    digest over;
    over.add(all.subspan(wire::frame_header_size, split - wire::frame_header_size));
    for (const auto& chunk : entries_.chunks()) over.add(chunk);
    over.add(all.subspan(split, end - split));
    digest_value = over.value();
  }
  wire::put_frame_tail(bytes_.data() + end, {.hash = digest_value}, type, version);
  return out_.put(counted_);
}

failure stream_encoder::finish(bool backfill) {
  const std::uint64_t footer_at = counted_.count;
  if (failure why = put_footer_metadata()) return why;
  const auto put = [&](wire::frame_kind type, auto put_list) {
    bytes_.clear();
    put_frame(bytes_, type, how_, [&] { put_list(list_, options_.version, bytes_); });
    return counted_.write(std::span<const std::byte>(bytes_));
  };
  if (lists_digests() && has_digests(list_, options_.version))
    if (failure why = put(wire::footer_hash_frame, put_hash_list)) return why;
  if (options_.index != index_placement::none)
    if (failure why = put(wire::footer_index_frame, put_index)) return why;

  const auto version = static_cast<unsigned>(options_.version);
  const bool fill_in = backfill && version != 2 && counted_.to->can_overwrite();
  const std::uint64_t length = counted_.count + wire::postamble_size(version);
  bytes_.assign(wire::postamble_size(version), std::byte{});
  wire::put_postamble(bytes_.data(), {.first_footer_offset = footer_at, .total_length = fill_in ? length : 0}, version);
  if (failure why = counted_.write(std::span<const std::byte>(bytes_))) return why;
  if (!fill_in) return {};
  std::array<std::byte, sizeof length> number;
  wire::store_be(number.data(), length);
  return counted_.to->overwrite(begin_in_sink_ + wire::length_in_preamble, number);
}

}  // namespace tgmap::write
