// SPDX-License-Identifier: Apache-2.0
#include "codec/lz4/lz4.hpp"

#include <lz4.h>
#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <optional>

#include "codec/codec_functions.hpp"
#include "codec/failures.hpp"
#include "runtime/loaded_library.hpp"

namespace tgmap::codec {

#define TGMAP_LZ4_FUNCTIONS(F)     \
  F(LZ4_compressBound)             \
  F(LZ4_compress_default)          \
  F(LZ4_decompress_safe_usingDict) \
  F(LZ4_versionString)

#ifdef TGMAP_LOADS_LZ4
TGMAP_LOADED_LIBRARY(lz4_library, TGMAP_LOADS_LZ4, TGMAP_LZ4_FUNCTIONS);
#else
TGMAP_LINKED_LIBRARY(lz4_library, TGMAP_LZ4_FUNCTIONS);
#endif

/// Returns the library, which must be present: only codecs whose library is present are called.
inline const lz4_library& lz4() noexcept { return *lz4_library::get(); }

namespace {

constexpr unsigned lz4_extended = 15;  ///< a length of 15 in a token is continued by bytes
constexpr std::size_t lz4_offset_size = 2;

/// Adds the bytes that continue a length: the last one is below 255. Returns false if they are cut off.
bool read_length_bytes(std::span<const std::byte> bytes, std::size_t& at, std::uint64_t& length) noexcept {
  while (at < bytes.size()) {
    const auto more = std::to_integer<unsigned>(bytes[at++]);
    length += more;
    if (more != 255) return true;
  }
  return false;
}

}  // namespace

lz4_cut find_last_lz4_cut(std::span<const std::byte> bytes) noexcept {
  lz4_cut out;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t token = at;
    const auto lengths = std::to_integer<unsigned>(bytes[at++]);
    std::uint64_t literals = lengths >> 4, match = lengths & 15;
    if (literals == lz4_extended && !read_length_bytes(bytes, at, literals)) break;
    const std::size_t left = bytes.size() - at;
    if (literals >= lz4_last_literals && left >= lz4_last_literals) out = {token, at, literals};
    if (left < lz4_offset_size || literals > left - lz4_offset_size) break;
    at += static_cast<std::size_t>(literals) + lz4_offset_size;
    if (match == lz4_extended && !read_length_bytes(bytes, at, match)) break;
  }
  return out;
}

// lz4 (§7.6): the size as 32 little-endian bits, then one block; not the frame format.

namespace {

constexpr std::size_t lz4_prefix = 4;

/// Compares the prefix with the known sizes.
failure check_lz4_sizes(std::span<const std::byte, lz4_prefix> prefix, std::uint64_t block, std::size_t out) noexcept {
  std::uint32_t stated = 0;
  for (std::size_t i = 0; i < lz4_prefix; ++i) stated |= std::to_integer<std::uint32_t>(prefix[i]) << 8 * i;
  if (stated != out) return decoded_size(out, stated);
  // The library counts in int, so it does not take 2 GiB or more.
  return block > INT_MAX || out > INT_MAX ? codec_failed() : failure{};
}

/// Decompresses sequences that end with literals. The output follows the first `done` bytes of `out`. Updates `done`.
failure decompress_sequences(std::span<const std::byte> from, std::span<std::byte> out, std::size_t& done) noexcept {
  constexpr std::size_t max_distance = std::size_t{64} << 10;  // between a match and its copy
  char no_output = 0;
  char* const to = out.empty() ? &no_output : reinterpret_cast<char*>(out.data()) + done;
  const std::size_t before = std::min(done, max_distance);
  const int size =
      lz4().LZ4_decompress_safe_usingDict(reinterpret_cast<const char*>(from.data()), to, static_cast<int>(from.size()),
                                          static_cast<int>(out.size() - done), to - before, static_cast<int>(before));
  if (size < 0) return codec_failed(size);
  done += static_cast<std::size_t>(size);
  return {};
}

failure check_lz4_result(std::size_t done, std::size_t out) noexcept {
  return done == out ? failure{} : decoded_size(out, done);
}

/// Fast path for blocks that may change: decompresses them in steps, from copies that fit into the cache. Copying the
/// whole block first would take longer than decompressing it. Bar: 0.6 of the speed without a copy.
///
/// The library decompresses any sequences that end with literals. A step ends with the first literals of a sequence.
/// The next step starts with the match of that sequence, after a token for no literals.
class lz4_steps {
 public:
  lz4_steps(const payload_reader& payload, core::scratch& memory, std::span<std::byte> out) noexcept
      : from_(payload), memory_(memory), out_(out) {}

  failure run() noexcept {
    failure why;
    while (!why && !ended_) why = step();
    return why ? why : check_lz4_result(done_, out_.size());
  }

 private:
  static constexpr std::size_t first_step = std::size_t{128} << 10;

  failure step() noexcept {
    const std::uint64_t left = from_.size() - begin_;
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(step_, left));
    failure why;
    const auto memory = memory_.take(std::uint64_t{size} + 1, why);
    if (!why) why = from_.read(begin_, memory.subspan(1));
    if (why) return why;
    if (token_) memory.front() = *token_;
    const auto sequences = token_ ? memory : memory.subspan(1);
    if (size < left) return decompress_up_to_cut(sequences);
    ended_ = true;
    return decompress_sequences(sequences, out_, done_);
  }

  failure decompress_up_to_cut(std::span<std::byte> sequences) noexcept {
    const lz4_cut cut = find_last_lz4_cut(sequences);
    if (cut.literals == 0) {
      step_ *= 2;  // until the step is the whole block
      return {};
    }
    const std::byte lengths = sequences[cut.token];
    const auto sequence = sequences.first(cut.token + 1 + lz4_last_literals);
    sequence[cut.token] = static_cast<std::byte>(lz4_last_literals << 4);
    std::memmove(&sequence[cut.token + 1], &sequences[cut.literals], lz4_last_literals);
    if (failure why = decompress_sequences(sequence, out_, done_)) return why;
    begin_ += cut.literals + lz4_last_literals - (token_ ? 1 : 0);
    token_ = lengths & std::byte{0x0f};
    return copy_literals(sequences.subspan(cut.literals + lz4_last_literals), cut.count - lz4_last_literals);
  }

  /// Copies literals. `loaded` begins with those that were read already.
  failure copy_literals(std::span<const std::byte> loaded, std::uint64_t count) noexcept {
    if (count > out_.size() - done_ || count > from_.size() - begin_) return codec_failed();
    const auto to = out_.subspan(done_, static_cast<std::size_t>(count));
    const std::size_t size = std::min(loaded.size(), to.size());
    std::copy_n(loaded.begin(), size, to.begin());
    const failure why = size == to.size() ? failure{} : from_.read(begin_ + size, to.subspan(size));
    begin_ += count;
    done_ += to.size();
    ended_ = begin_ == from_.size();  // the last sequence has no match
    return why;
  }

  const payload_reader& from_;
  core::scratch& memory_;
  std::span<std::byte> out_;
  std::size_t done_ = 0;
  std::uint64_t begin_ = lz4_prefix;  ///< offset of the bytes that were not decompressed yet
  std::optional<std::byte> token_{};  ///< token for the rest of a sequence that was split
  std::size_t step_ = first_step;
  bool ended_ = false;
};

}  // namespace

failure decompress_lz4(const compressed_payload& payload, std::span<std::byte> out) noexcept {
  if (payload.bytes.size() < lz4_prefix) return codec_failed();
  const auto block = payload.bytes.subspan(lz4_prefix);
  if (failure why = check_lz4_sizes(payload.bytes.first<lz4_prefix>(), block.size(), out.size())) return why;
  std::size_t done = 0;
  const failure why = decompress_sequences(block, out, done);
  return why ? why : check_lz4_result(done, out.size());
}

failure decompress_lz4_from_reader(const payload_reader& payload, const codec_parameters&, partial_buffers& tools,
                                   std::span<std::byte> out) noexcept {
  if (payload.size() < lz4_prefix) return codec_failed();
  std::array<std::byte, lz4_prefix> prefix;
  failure why = payload.read(0, prefix);
  if (!why) why = check_lz4_sizes(prefix, payload.size() - lz4_prefix, out.size());
  return why ? why : lz4_steps(payload, tools.stored, out).run();
}

bool has_lz4() noexcept { return lz4_library::get() != nullptr; }

std::string_view lz4_version() noexcept { return lz4().LZ4_versionString(); }

failure compress_lz4(const compression_input& input, core::scratch& memory, compression_output& out) noexcept {
  const std::size_t size = input.bytes.size();
  if (size > LZ4_MAX_INPUT_SIZE) return {.code = errc::too_large, .expected = LZ4_MAX_INPUT_SIZE, .found = size};
  const int capacity = lz4().LZ4_compressBound(static_cast<int>(size));
  failure why;
  const auto to = memory.take(lz4_prefix + static_cast<std::size_t>(capacity), why);
  if (why) return why;

  for (std::size_t i = 0; i < lz4_prefix; ++i) to[i] = static_cast<std::byte>(size >> 8 * i);
  const char no_input = 0;
  const char* const from = size == 0 ? &no_input : reinterpret_cast<const char*>(input.bytes.data());
  const int written = lz4().LZ4_compress_default(from, reinterpret_cast<char*>(to.data() + lz4_prefix),
                                                 static_cast<int>(size), capacity);
  if (written <= 0) return codec_failed(written);
  out.bytes = to.first(lz4_prefix + static_cast<std::size_t>(written));
  return {};
}

}  // namespace tgmap::codec
