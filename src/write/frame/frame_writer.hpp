// SPDX-License-Identifier: Apache-2.0
// Frames in general: their options, their hash, and frames that are encoded in memory. Data objects have classes of
// their own.
#pragma once

#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <vector>

#include "wire/frame.hpp"

namespace tgmap::write {

struct frame_options {
  int version = 3;
  bool hashes = true;
};

/// An `object_frame_info` describes the frame of a data object that is ready to be written (§2.7).
struct object_frame_info {
  std::uint64_t length = 0;                  ///< of the frame, without padding
  std::uint64_t payload_and_masks_size = 0;  ///< in bytes
  std::optional<std::uint64_t> hash{};
};

/// A `hasher` computes the xxh3 of bytes that come in parts (§4).
class hasher {
 public:
  /// Throws std::bad_alloc.
  hasher() : state_(XXH3_createState()) {
    if (!state_) throw std::bad_alloc();
    reset();
  }

  void reset() noexcept { XXH3_64bits_reset(state_.get()); }
  void add(std::span<const std::byte> bytes) noexcept { XXH3_64bits_update(state_.get(), bytes.data(), bytes.size()); }
  std::uint64_t value() const noexcept { return XXH3_64bits_digest(state_.get()); }

  /// Returns the hash of bytes that are all in memory.
  static std::uint64_t hash(std::span<const std::byte> bytes) noexcept {
    return XXH3_64bits(bytes.data(), bytes.size());
  }

 private:
  struct free_state {
    void operator()(XXH3_state_t* state) const noexcept { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, free_state> state_;
};

/// Appends a frame: its header, the body that `append_body()` appends to `to`, its tail, and padding. Messages must
/// begin at multiples of 8 in `to`. Throws what `append_body` throws.
template <class AppendBody>
void append_frame(std::vector<std::byte>& to, wire::frame_kind type, const frame_options& options,
                  AppendBody&& append_body) {
  const auto version = static_cast<unsigned>(options.version);
  const bool has_hash = options.hashes && version != 2;
  const std::size_t begin = to.size();
  to.resize(begin + wire::frame_header_size);
  append_body();
  const auto body = std::span<const std::byte>(to).subspan(begin + wire::frame_header_size);
  const wire::frame_tail tail{.hash = has_hash ? hasher::hash(body) : 0};
  const std::size_t tail_begin = to.size();
  const std::size_t length = tail_begin - begin + wire::tail_size(type, version);
  to.resize(begin + wire::align8(length));
  wire::put_frame_header(to.data() + begin,
                         {.type = type,
                          .version = 1,
                          .flags = static_cast<std::uint16_t>(has_hash ? wire::hash_present_flag : 0),
                          .length = length});
  wire::put_frame_tail(to.data() + tail_begin, tail, type, version);
}

/// Returns the size of such a frame with its padding.
constexpr std::uint64_t padded_frame_size(std::uint64_t body_size, wire::frame_kind type, int version) noexcept {
  return wire::align8(wire::frame_header_size + body_size + wire::tail_size(type, static_cast<unsigned>(version)));
}

}  // namespace tgmap::write
