// SPDX-License-Identifier: Apache-2.0
// Finds messages from the end, before and after a scan. Searching backwards and forwards can disagree on a forged file.
// Then a message found before the scan has no number, and after the scan the forward scan wins.
#include <algorithm>
#include <cstdint>

#include "support/archives.hpp"
#include "support/require.hpp"

using namespace tgmap_fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto data = std::as_bytes(std::span(bytes, size));
  const auto forward = in_memory(data);
  const std::size_t count = forward.size();
  const auto early_only = in_memory(data);  // scanned only by nth_from_end
  tgmap::failure why;
  for (std::size_t n = 0; n < std::min<std::size_t>(count, 20); ++n) {
    const auto expected = forward[count - 1 - n];
    const auto early = early_only.nth_from_end(n, why);
    require(!why, "the end can be found");

    const auto fresh = in_memory(data);
    require(fresh.nth_from_end(n, why).offset() == early.offset() && !why, "earlier calls make no difference");
    require(fresh.size() == count, "the number of messages does not change");
    const auto late = fresh.nth_from_end(n, why);
    require(!why && late.offset() == expected.offset() && late.length() == expected.length(),
            "a scanned archive is counted from its table");
    require(late.index() == count - 1 - n, "a message has its number");
    const auto again = fresh.at_offset(early.offset(), why);
    require(!why && again.length() == early.length(), "a message is found again by its offset");
    if (again.index()) {
      const auto numbered = fresh[*again.index()];
      require(numbered.offset() == early.offset() && numbered.length() == early.length(),
              "the number is that of the message");
    }
    if (early.offset() == late.offset()) require(descriptions_of(early) == descriptions_of(late), "the same objects");
  }
  (void)early_only.nth_from_end(count, why);
  require(early_only.size() == count, "lookups from the end do not change the scan");
  (void)early_only.nth_from_end(count, why);
  require(static_cast<bool>(why), "there are no more");
  return 0;
}
