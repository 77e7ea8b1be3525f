// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tgmap/archive.hpp>
#include <vector>

#include "cli/session.hpp"
#include "cli/target.hpp"
#include "cli/usage.hpp"

namespace tgmap::cli {

/// What `info` tells about one archive, whatever form it is told in.
struct summary {
  std::string file;
  std::uint64_t size = 0;
  std::uint64_t messages = 0;
  std::uint64_t objects = 0;              ///< of the messages that can be read
  std::map<int, std::uint64_t> versions;  ///< messages of each wire version
  std::optional<int> first_version;
  std::uint64_t streamed = 0;
  std::uint64_t incomplete = 0;
  std::vector<gap> gaps;
  std::optional<tgmap::incomplete_tail> tail;
  std::vector<failure> unreadable;  ///< messages whose objects cannot be counted
  std::optional<usage> codecs;      ///< where that was asked for
  std::string io_mode;
  std::string io_reason;
  double elapsed_ms = 0;

  std::uint64_t version_1() const;
};

/// Opens the target's archive and looks at every message; `codecs`: at the descriptor of every object too.
/// Throws tgmap::error.
summary summarise(const target&, bool codecs, session&);

}  // namespace tgmap::cli
