// SPDX-License-Identifier: Apache-2.0
// Scans any bytes: messages, gaps and the tail cover the archive, and each message is found again by its offset.
#include <algorithm>
#include <cstdint>
#include <support/survey.hpp>

#include "support/archives.hpp"
#include "support/require.hpp"
#include "wire/postamble.hpp"
#include "wire/preamble.hpp"

using namespace tgmap_fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto data = std::as_bytes(std::span(bytes, size));
  const auto archive = in_memory(data);
  require(tgmap_test::broken_invariant(archive).empty(), "messages, gaps and tail cover the archive");
  const std::size_t count = archive.size();

  tgmap::failure why;
  for (std::size_t i = 0; i < std::min<std::size_t>(count, 100); ++i) {
    const auto m = archive[i];
    const auto start = tgmap::wire::parse_preamble(data.subspan(m.offset()));
    require(start && start->version == m.version(), "a message begins with a preamble of its version");
    require(m.version() == 1 || m.is_streamed() == (start->total_length == 0),
            "a preamble without length means streamed");
    require(m.is_streamed() || start->total_length == m.length(), "a message has the stated length");
    const auto end = tgmap::wire::end_magic;
    require(m.is_incomplete() || tgmap::wire::starts_with(data, m.offset() + m.length() - end.size(), end),
            "a message ends with the end magic");
    const auto direct = archive.at_offset(m.offset(), why);
    require(!why && direct.length() == m.length() && direct.version() == m.version(),
            "at_offset finds the same message");
  }

  const auto stopping = in_memory(data, {});
  const std::size_t before = stopping.size(why);
  require(before <= count && static_cast<bool>(why) == !archive.gaps().empty(), "a scan stops only at a gap");
  for (std::size_t i = 0; i < before; ++i)
    require(stopping[i].offset() == archive[i].offset(), "messages before the gap are the same");
  return 0;
}
