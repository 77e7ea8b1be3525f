// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/zio/message.hpp>
#include <unordered_map>

namespace tgmap::cli {

/// Watches the numbers of messages: those of one origin should follow each other. An origin all of whose messages are
/// numbered 0 does not number them.
class sequence {
 public:
  /// What is wrong where this message comes, in words; nothing where it follows.
  std::optional<std::string> gap_before(const zio::message&);

  std::uint64_t gaps() const noexcept { return gaps_; }

 private:
  static constexpr std::size_t most_origins = 65536;  // that are kept in mind

  std::unordered_map<std::uint64_t, std::uint64_t> last_{};
  std::uint64_t gaps_ = 0;
};

}  // namespace tgmap::cli
