// SPDX-License-Identifier: Apache-2.0
#include "validate/raw_message.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <tgmap/mapping_guard.hpp>

namespace tgmap::checks {

failure raw_message::copy(std::uint64_t at, std::span<std::byte> out) const {
  const std::byte* const from = all_.data() + at;
  return mapping_guard::run([&]() noexcept { std::memcpy(out.data(), from, out.size()); });
}

failure raw_message::open(const tgmap::message& message) {
  failure why;
  all_ = message.bytes(why);
  window_at_ = window_size_ = 0;
  if (why || all_.size() > small) return why;
  why = copy(0, std::span(window_).first(all_.size()));
  if (!why) window_size_ = all_.size();
  return why;
}

std::span<const std::byte> raw_message::look(std::uint64_t at, std::size_t n, failure& why) {
  if (at < window_at_ || at + n > window_at_ + window_size_) {
    window_size_ = 0;
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(around, all_.size() - at));
    why = copy(at, std::span(window_).first(size));
    if (why) return {};
    window_at_ = at;
    window_size_ = size;
  }
  return std::span(window_).subspan(static_cast<std::size_t>(at - window_at_), n);
}

std::span<const std::byte> raw_message::load(std::uint64_t at, std::uint64_t n, failure& why) {
  const auto size = static_cast<std::size_t>(n);
  if (whole()) return std::span(window_).subspan(static_cast<std::size_t>(at), size);
  if (loaded_.size() < size) loaded_.resize(size);
  why = copy(at, std::span(loaded_).first(size));
  return why ? std::span<const std::byte>() : std::span(loaded_).first(size);
}

std::uint64_t raw_message::hash(std::uint64_t at, std::uint64_t n, failure& why) const {
  const auto size = static_cast<std::size_t>(n);
  if (whole()) return XXH3_64bits(window_.data() + at, size);
  std::uint64_t out = 0;
  why = mapping_guard::run([&]() noexcept { out = XXH3_64bits(all_.data() + at, size); });
  return out;
}

}  // namespace tgmap::checks
