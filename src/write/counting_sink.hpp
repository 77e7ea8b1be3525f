// SPDX-License-Identifier: Apache-2.0
// What goes to a sink, counted: sinks need not tell.
#pragma once

#include <cstdint>
#include <tgmap/write/sink.hpp>

namespace tgmap::write {

/// Hands on what it is given.
struct counting_sink final : sink {
  using sink::write;
  failure write(std::span<const std::span<const std::byte>> pieces) noexcept override {
    for (const auto piece : pieces) count += piece.size();
    failure why = to->write(pieces);
    if (why) failed = true;
    return why;
  }

  sink* to = nullptr;
  std::uint64_t count = 0;
  bool failed = false;  // nobody knows how much of the last pieces it took
};

}  // namespace tgmap::write
