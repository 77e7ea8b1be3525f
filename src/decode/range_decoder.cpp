// SPDX-License-Identifier: Apache-2.0
#include "decode/range_decoder.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include "archive/payload_access.hpp"
#include "codec/shuffle/shuffle.hpp"

namespace tgmap::decode {

namespace {

/// Bytes of elements per read: the bytes are still in the cache when they are unpacked.
constexpr std::size_t file_block = std::size_t{1} << 18;

/// Smaller ranges of a mapped file are copied, not accessed in place: a page fault reads far around.
constexpr std::uint64_t min_direct_bytes = std::uint64_t{1} << 16;

}  // namespace

failure range_decoder::open(reading how, core::scratch& blob, core::scratch& masks) noexcept {
  if (how_.restore_missing)
    if (failure why = masks_.load(plan_, from_, blob, masks)) return why;
  return source_.open(plan_, from_, plan_.shuffled() ? reading::whole : how);
}

std::uint64_t range_decoder::elements_in(std::size_t bytes) const noexcept {
  if (plan_.descriptor.dtype == dtype::bitmask) return std::uint64_t{bytes} * 8;
  return bytes / element_size(plan_.descriptor.dtype);
}

std::size_t range_decoder::bytes_of(std::uint64_t elements) const noexcept {
  const std::size_t each = element_size(plan_.descriptor.dtype);
  return static_cast<std::size_t>(each == 0 ? elements / 8 : elements * each);
}

bool range_decoder::reads_directly(extent needed) const noexcept {
  if (source_.compressed() || unshuffled_beforehand() || !detail::may_look(from_)) return false;
  return needed.size() >= min_direct_bytes || detail::payload_in_memory(from_).data() != nullptr;
}

failure range_decoder::decode(std::uint64_t first, std::span<std::byte> out, workspace& tools) const noexcept {
  if (out.empty()) return {};
  const std::uint64_t count = elements_in(out.size());
  if (plan_.verified_payload.data() != nullptr && !source_.compressed() && !unshuffled_beforehand()) {
    builder_.finish({plan_.verified_payload, 0}, first, out);
    return {};
  }
  if (reads_directly(builder_.needs(first, count)))
    return detail::look_at_payload(from_, [&](std::span<const std::byte> payload) noexcept {
      builder_.finish({payload, 0}, first, out);
    });
  const bool in_blocks = !source_.compressed() && !plan_.shuffled();
  return in_blocks ? from_file(first, out, tools, nullptr) : from_pieces(first, count, out, tools, nullptr);
}

failure range_decoder::decode_verified(std::span<std::byte> out, detail::payload_check& check,
                                       workspace& tools) const noexcept {
  return from_file(0, out, tools, &check);
}

failure range_decoder::from_file(std::uint64_t first, std::span<std::byte> out, workspace& tools,
                                 detail::payload_check* check) const noexcept {
  for (std::size_t at = 0; at < out.size(); at += file_block) {
    const auto now = out.subspan(at, std::min(file_block, out.size() - at));
    if (failure why = from_pieces(first + elements_in(at), elements_in(now.size()), now, tools, check)) return why;
  }
  return {};
}

failure range_decoder::from_pieces(std::uint64_t first, std::uint64_t count, std::span<std::byte> out, workspace& tools,
                                   detail::payload_check* check) const noexcept {
  const extent needed = builder_.needs(first, count), pieces = around(needed);
  if (!plan_.packed() && !plan_.shuffled() && pieces == needed) {
    const failure why = source_.read(pieces, tools, out);
    if (!why && check != nullptr) check->add(out);
    if (!why) builder_.finish(first, out);
    return why;
  }
  window bytes;
  const failure why = encoded(pieces, tools, bytes);
  if (!why && check != nullptr) check->add(bytes.bytes);
  if (!why) builder_.finish(bytes, first, out);
  return why;
}

failure range_decoder::encoded(extent pieces, workspace& tools, window& out) const noexcept {
  failure why;
  const auto memory = tools.encoded.take(pieces.size(), why);
  if (!why) why = source_.read(pieces, tools, memory);
  if (why) return why;
  out = {memory, pieces.begin};
  if (!unshuffled_beforehand()) return {};
  const auto whole = tools.unshuffled.take(pieces.size(), why);
  if (why) return why;
  codec::unshuffle(memory, plan_.shuffle_size, 0, whole);
  out.bytes = whole;
  return {};
}

std::uint64_t range_decoder::cut_near(std::uint64_t element) const noexcept {
  const extent bytes = builder_.needs(element, 1);
  if (bytes.size() == 0) return element;
  const extent piece = source_.around({bytes.begin, bytes.begin + 1});
  const std::uint64_t first = builder_.holds({piece.begin, plan_.encoded}).begin;
  return std::min(plan_.descriptor.element_count, (first + 7) / 8 * 8);
}

failure range_decoder::decode_all(std::span<std::byte> out, executor& on, std::size_t block) const noexcept try {
  std::vector<std::uint64_t> cuts{0};
  const std::uint64_t step = std::max<std::uint64_t>(8, elements_in(block));
  for (std::uint64_t at = step; at < plan_.descriptor.element_count; at += step)
    if (const std::uint64_t cut = cut_near(at); cut > cuts.back() && cut < plan_.descriptor.element_count)
      cuts.push_back(cut);
  std::vector<failure> failures(cuts.size());
  auto piece = [&](std::size_t i) noexcept {
    const bool last = i + 1 == cuts.size();
    const std::size_t begin = bytes_of(cuts[i]), end = last ? out.size() : bytes_of(cuts[i + 1]);
    failures[i] = decode(cuts[i], out.subspan(begin, end - begin), thread_workspace());
  };
  on.run(cuts.size(), {[](void* to, std::size_t i) noexcept { (*static_cast<decltype(piece)*>(to))(i); }, &piece});
  for (const failure& each : failures)
    if (each) return each;
  source_.remember_all_offsets();
  return {};
} catch (const std::bad_alloc&) {
  return {.code = errc::out_of_memory};
}

namespace {

/// Bytes of elements from which on a second thread pays off.
constexpr std::size_t min_parallel_bytes = std::size_t{2} << 20;

/// Returns the bytes of elements per task: small enough that all threads end together, large enough to make the setup
/// of a library for each piece negligible.
std::size_t piece_for(std::size_t bytes, unsigned threads) noexcept {
  constexpr std::size_t pieces_each = 8, min_size = std::size_t{1} << 20, max_size = std::size_t{4} << 20;
  return std::clamp(bytes / (pieces_each * threads), min_size, max_size);
}

bool uses_threads(const decode_options& how, std::span<std::byte> out) noexcept {
  return how.executor != nullptr && out.size() >= min_parallel_bytes && how.executor->concurrency() > 1;
}

/// Decodes on several threads if the pipeline allows it, else on this one.
failure decode_in_pieces(range_decoder& decoder, executor& on, std::span<std::byte> out) noexcept {
  core::scratch blob, masks;  // not the workspace: this thread may run pieces of other objects meanwhile
  if (failure why = decoder.open(reading::whole_in_parts, blob, masks)) return why;
  if (decoder.whole_only()) return decoder.decode(0, out, thread_workspace());
  return decoder.decode_all(out, on, piece_for(out.size(), on.concurrency()));
}

failure decode_at_once(range_decoder& decoder, std::span<std::byte> out) noexcept {
  workspace& tools = thread_workspace();
  if (failure why = decoder.open(reading::whole, tools.codec.stored, tools.masks)) return why;
  const encoded_source& source = decoder.source();
  // The stored bytes of an object without elements must be valid, too.
  return out.empty() && source.compressed() ? source.read(source.all(), tools, out) : decoder.decode(0, out, tools);
}

failure decode_whole(const plan& p, const object& object, const decode_options& how,
                     std::span<std::byte> out) noexcept {
  range_decoder all(p, object, how);
  // If piece offsets are wrong, the whole may still be valid: the result of one thread counts.
  const bool has_pieces = !p.shuffled() && (p.compression == nullptr || p.compression->open_partial != nullptr);
  const bool done = has_pieces && uses_threads(how, out) && !decode_in_pieces(all, *how.executor, out);
  return done ? failure{} : decode_at_once(all, out);
}

/// Hashes the payload block by block between reading and decoding, while it is in the cache.
failure decode_while_hashing(const plan& p, const object& object, const decode_options& how,
                             detail::payload_check& check, std::span<std::byte> out) noexcept {
  workspace& tools = thread_workspace();
  range_decoder all(p, object, how);
  failure why = all.open(reading::whole, tools.codec.stored, tools.masks);
  if (!why) why = all.decode_verified(out, check, tools);
  return why ? why : check.finish();
}

/// Copies and hashes the payload, then decodes the copy. Bytes that nobody can change are not copied.
failure decode_hashed_copy(plan& p, const object& object, const decode_options& how, detail::payload_check& check,
                           std::span<std::byte> out) noexcept {
  core::scratch own;  // with several threads this one may decode pieces of other objects meanwhile
  core::scratch& memory = uses_threads(how, out) ? own : thread_workspace().verified;
  failure why;
  if (const auto payload = detail::payload_in_memory(object); payload.data() != nullptr) {
    check.add(payload);
  } else {
    const auto copy = memory.take(p.stored, why);
    if (!why) why = check.load(copy);
    p.verified_payload = copy;
  }
  if (!why) why = check.finish();
  return why ? why : decode_whole(p, object, how, out);
}

failure decode_verified(const plan& p, const object& object, const decode_options& how,
                        std::span<std::byte> out) noexcept {
  detail::payload_check check;
  if (failure why = check.open(object, detail::options_of(object).max_decoded_bytes)) return why;
  if (!check.has_hash()) return decode_whole(p, object, how, out);
  plan verified = p;
  verified.verified_masks = check.masks();
  const bool in_blocks = p.compression == nullptr && !p.shuffled();
  // Plain elements come as fast as memory; several threads have nothing to add.
  if (in_blocks && (!p.packed() || !uses_threads(how, out)))
    return decode_while_hashing(verified, object, how, check, out);
  return decode_hashed_copy(verified, object, how, check, out);
}

}  // namespace

failure decode_elements(const plan& p, const object& object, const decode_options& how,
                        std::span<std::byte> out) noexcept {
  const failure why = how.verify ? decode_verified(p, object, how, out) : decode_whole(p, object, how, out);
  thread_workspace().trim();
  return why;
}

failure finish_elements(const plan& p, const object& object, const decode_options& how,
                        std::span<std::byte> out) noexcept {
  workspace& tools = thread_workspace();
  range_decoder all(p, object, how);
  failure why = all.open(reading::whole, tools.codec.stored, tools.masks);
  if (!why) all.builder().finish(0, out);
  tools.trim();
  return why;
}

}  // namespace tgmap::decode
