// SPDX-License-Identifier: Apache-2.0
#include "zio/bridge/import_memory.hpp"

#include <algorithm>
#include <string>
#include <tgmap/zio/label.hpp>
#include <tgmap/zio/tens.hpp>

namespace tgmap::zio {

namespace {

/// Returns the size of the first part of a frame, which has the label; at most that of the frame.
std::uint64_t label_size(std::span<const std::byte> frame) noexcept {
  constexpr std::size_t long_size = 5;  // 0xff and four bytes, big endian
  if (frame.empty() || (frame[0] == std::byte{0xff} && frame.size() < long_size)) return frame.size();
  std::uint64_t out = std::to_integer<std::uint64_t>(frame[0]);
  if (frame[0] == std::byte{0xff}) {
    out = 0;
    for (const std::byte each : frame.subspan(1, long_size - 1)) out = out << 8 | std::to_integer<std::uint64_t>(each);
  }
  return std::min<std::uint64_t>(out, frame.size());
}

}  // namespace

std::uint64_t import_memory(std::span<const std::byte> frame) noexcept {
  constexpr std::uint64_t per_byte = 16, per_label_byte = 160, base = std::uint64_t{1} << 18;
  return per_byte * frame.size() + per_label_byte * label_size(frame) + base;
}

void allocate_label_readers() {
  const message sample{.form = tens_form, .label = "{}" + std::string(4096, ' ')};
  static_cast<void>(tens::of(sample));
  static_cast<void>(read_label(sample.label));
}

}  // namespace tgmap::zio
