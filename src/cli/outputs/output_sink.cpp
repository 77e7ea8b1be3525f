// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/output_sink.hpp"

namespace tgmap::cli {

namespace {

constexpr std::size_t held_at_most = std::size_t{256} << 10;  // what is larger costs more to gather than a call

}  // namespace

void output_sink::put(std::span<const std::span<const std::byte>> pieces) {
  for (const auto piece : pieces) {
    if (held_.size() + piece.size() > held_at_most) flush();
    if (piece.size() > held_at_most)
      to_->write(piece);
    else
      held_.insert(held_.end(), piece.begin(), piece.end());
  }
}

void output_sink::put_at(std::uint64_t at, std::span<const std::byte> data) {
  flush();
  to_->patch(at, data);
}

void output_sink::flush() {
  if (held_.empty()) return;
  to_->write(held_);
  held_.clear();
}

}  // namespace tgmap::cli
