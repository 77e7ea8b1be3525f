// SPDX-License-Identifier: Apache-2.0
// From the front = from the end. A forged file can have two readings: then what was found from the end early has no
// number, and once the scan is complete the reading from the front is the one that counts.
#include <algorithm>
#include <cstdint>

#include "support/archives.hpp"
#include "support/require.hpp"

using namespace tgmap_fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto data = std::as_bytes(std::span(bytes, size));
  const auto forward = in_memory(data);
  const std::size_t count = forward.size();
  const auto early_only = in_memory(data);  // never scanned, unless from_end does
  tgmap::failure why;
  for (std::size_t n = 0; n < std::min<std::size_t>(count, 20); ++n) {
    const auto expected = forward[count - 1 - n];
    const auto early = early_only.nth_from_end(n, why);
    require(!why, "the end can be found");

    const auto fresh = in_memory(data);
    require(fresh.nth_from_end(n, why).offset() == early.offset() && !why, "it does not matter what was asked before");
    require(fresh.size() == count, "nor afterwards");
    const auto late = fresh.nth_from_end(n, why);
    require(!why && late.offset() == expected.offset() && late.length() == expected.length(), "counted in the table");
    require(late.index() == count - 1 - n, "with its number");
    const auto again = fresh.at_offset(early.offset(), why);
    require(!why && again.length() == early.length(), "a message is where one was found early");
    if (again.index()) {
      const auto numbered = fresh[*again.index()];
      require(numbered.offset() == early.offset() && numbered.length() == early.length(),
              "a number is of that message");
    }
    if (early.offset() == late.offset()) require(objects_of(early) == objects_of(late), "the same objects");
  }
  (void)early_only.nth_from_end(count, why);
  require(early_only.size() == count, "the scan is not led astray by what was found from the end");
  (void)early_only.nth_from_end(count, why);
  require(static_cast<bool>(why), "there are no more");
  return 0;
}
