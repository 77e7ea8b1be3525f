// SPDX-License-Identifier: Apache-2.0
#include "cli/stream/sequence.hpp"

#include <fmt/format.h>

namespace tgmap::cli {

std::optional<std::string> sequence::gap_before(const zio::message& m) {
  const auto known = last_.find(m.origin);
  if (known == last_.end()) {
    if (last_.size() < most_origins) last_.emplace(m.origin, m.seqno);
    return std::nullopt;
  }
  const std::uint64_t before = known->second;
  known->second = m.seqno;
  if (m.seqno == before + 1 || (m.seqno == 0 && before == 0)) return std::nullopt;
  ++gaps_;
  return fmt::format("of origin {}, number {} comes behind {}", m.origin, m.seqno, before);
}

}  // namespace tgmap::cli
