// SPDX-License-Identifier: Apache-2.0
#include "write/stream/stream_encoder.hpp"

#include <array>

#include "wire/postamble.hpp"
#include "wire/preamble.hpp"
#include "write/checks.hpp"

namespace tgmap::write {

namespace {

std::uint16_t flags_of(const write_options& options) noexcept {
  // The flag of preceders is always set, since any object may bring one. The reference implementation does so too.
  unsigned out = wire::header_metadata_flag | wire::footer_metadata_flag | wire::preceder_flag;
  if (options.index != index_placement::none) out |= wire::footer_index_flag;
  if (options.hashes && options.hash_list != index_placement::none) out |= wire::footer_hashes_flag;
  if (options.hashes && options.version != 2) out |= wire::hashes_present_flag;
  return static_cast<std::uint16_t>(out);
}

}  // namespace

stream_encoder::stream_encoder(sink& sink, const write_options& options, const cbor_value& extra)
    : options_(options),
      frame_options_{.version = options.version, .hashes = options.hashes},
      extra_(extra),
      provenance_(options.provenance, options.version) {
  to_.target = &sink;
  message_begin_ = sink.bytes_written();
}

failure stream_encoder::begin(std::span<const cbor_value> ahead) {
  if (failure why = check_keys(extra_, extra_depth)) return why;
  std::vector<std::byte> entries;
  for (const cbor_value& base : ahead) {
    if (failure why = check_keys(base, base_depth)) return why;
    entries.insert(entries.end(), base.encoded().begin(), base.encoded().end());
  }
  to_.target->set_unfinished(true);
  bytes_.assign(wire::preamble_size, std::byte{});
  wire::put_preamble(bytes_.data(),
                     {.version = static_cast<std::uint16_t>(options_.version), .flags = flags_of(options_)});
  append_frame(bytes_, wire::header_metadata_frame, frame_options_,
               [&] { append_metadata(entries, ahead.size(), extra_, options_.version, nullptr, bytes_); });
  return to_.write(std::span<const std::byte>(bytes_));
}

/// Writes the preceder of an object, and zeros up to the place where its payload is aligned.
failure stream_encoder::write_before_object(const cbor_value& base, bool preceder) {
  bytes_.clear();
  if (preceder)
    append_frame(bytes_, wire::preceder_frame, frame_options_,
                 [&] { append_preceder(base, options_.version, bytes_); });
  if (options_.payload_alignment > min_alignment) {
    const std::uint64_t start = options_.start_offset % min_alignment == 0 ? options_.start_offset : 0;
    const std::uint64_t payload = start + to_.count + bytes_.size() + wire::frame_header_size;
    const std::uint64_t excess = payload % options_.payload_alignment;
    if (excess != 0) bytes_.resize(bytes_.size() + static_cast<std::size_t>(options_.payload_alignment - excess));
  }
  frame_offset_ = to_.count + bytes_.size();
  return bytes_.empty() ? failure{} : to_.write(std::span<const std::byte>(bytes_));
}

failure stream_encoder::write_padding() {
  constexpr std::array<std::byte, min_alignment> zeros{};
  const auto count = static_cast<std::size_t>(wire::align8(to_.count) - to_.count);
  return count == 0 ? failure{} : to_.write(std::span<const std::byte>(zeros).first(count));
}

/// Adds a written object to the metadata and the lists.
failure stream_encoder::complete_object(const cbor_value& base, std::span<const std::byte> tensor, std::uint64_t length,
                                        std::optional<std::uint64_t> hash) {
  cbor::key_place reserved;
  if (failure why = check_keys(base, base_depth, reserved)) return why;
  bytes_.clear();
  append_base_entry(base, reserved, tensor, bytes_);
  entries_.append(bytes_);
  list_.push_back({.offset = frame_offset_, .length = length, .hash = hash});
  return write_padding();
}

template <class Object>
failure stream_encoder::write(const Object& object) {
  object_begin_ = to_.count;
  if (failure why = check_keys(object.base, base_depth)) return why;
  if (failure why = frame_.prepare(object, frame_options_, provenance_, tools_)) return why;
  if (failure why = write_before_object(object.base, object.preceder)) return why;
  output_.clear();
  frame_.add_to(output_);
  if (failure why = output_.write_to(to_)) return why;
  tools_.encoder.trim();
  return complete_object(object.base, frame_.tensor(), frame_.info().length, frame_.info().hash);
}

template failure stream_encoder::write(const new_object&);
template failure stream_encoder::write(const stored_object&);

failure stream_encoder::begin_object(const new_object& object) {
  object_begin_ = to_.count;
  if (failure why = check_keys(object.base, base_depth)) return why;
  if (failure why = elements_.prepare(object, frame_options_)) return why;
  if (failure why = write_before_object(object.base, object.preceder)) return why;
  open_base_ = object.base;
  return elements_.begin(to_);
}

failure stream_encoder::end_object() {
  if (failure why = elements_.end(to_)) return why;
  tensor_entry tensor;
  tensor.update(elements_.layout());
  return complete_object(open_base_, tensor.encoded(), elements_.length(), elements_.hash());
}

/// Writes the metadata with the entries of all objects. The entries are written from their chunks, because a second
/// copy of all may need too much memory.
failure stream_encoder::write_footer_metadata() {
  constexpr auto type = wire::footer_metadata_frame;
  const auto version = static_cast<unsigned>(options_.version);
  bytes_.assign(wire::frame_header_size, std::byte{});
  const std::size_t entries_begin =
      append_metadata({}, list_.size(), extra_, options_.version, &provenance_, bytes_, base_entries::left_out);
  const std::size_t body_end = bytes_.size();
  const std::uint64_t length = body_end + entries_.size() + wire::tail_size(type, version);
  const bool has_hash = options_.hashes && version != 2;
  wire::put_frame_header(bytes_.data(), {.type = type,
                                         .version = 1,
                                         .flags = static_cast<std::uint16_t>(has_hash ? wire::hash_present_flag : 0),
                                         .length = length});
  bytes_.resize(body_end + static_cast<std::size_t>(wire::align8(length) - length) + wire::tail_size(type, version));

  const std::span<const std::byte> bytes(bytes_);
  output_.clear();
  output_.add(bytes.first(entries_begin));
  for (const auto& chunk : entries_.chunks()) output_.add(chunk);
  output_.add(bytes.subspan(entries_begin));

  std::uint64_t hash = 0;
  if (has_hash) {
    hasher body;
    body.add(bytes.subspan(wire::frame_header_size, entries_begin - wire::frame_header_size));
    for (const auto& chunk : entries_.chunks()) body.add(chunk);
    body.add(bytes.subspan(entries_begin, body_end - entries_begin));
    hash = body.value();
  }
  wire::put_frame_tail(bytes_.data() + body_end, {.hash = hash}, type, version);
  return output_.write_to(to_);
}

failure stream_encoder::finish(bool backfill) {
  const std::uint64_t footer_begin = to_.count;
  if (failure why = write_footer_metadata()) return why;
  const auto write_list = [&](wire::frame_kind type, auto append_list) {
    bytes_.clear();
    append_frame(bytes_, type, frame_options_, [&] { append_list(list_, options_.version, bytes_); });
    return to_.write(std::span<const std::byte>(bytes_));
  };
  if (writes_hash_list() && has_hashes(list_, options_.version))
    if (failure why = write_list(wire::footer_hash_frame, append_hash_list)) return why;
  if (options_.index != index_placement::none)
    if (failure why = write_list(wire::footer_index_frame, append_index)) return why;

  const auto version = static_cast<unsigned>(options_.version);
  const bool fill_in = backfill && version != 2 && to_.target->can_overwrite();
  const std::uint64_t length = to_.count + wire::postamble_size(version);
  bytes_.assign(wire::postamble_size(version), std::byte{});
  wire::put_postamble(bytes_.data(), {.first_footer_offset = footer_begin, .total_length = fill_in ? length : 0},
                      version);
  if (failure why = to_.write(std::span<const std::byte>(bytes_))) return why;
  to_.target->set_unfinished(false);
  if (!fill_in) return {};
  std::array<std::byte, sizeof length> number;
  wire::store_be(number.data(), length);
  return to_.target->overwrite(message_begin_ + wire::length_in_preamble, number);
}

}  // namespace tgmap::write
