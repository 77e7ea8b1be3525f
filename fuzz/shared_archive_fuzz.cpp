// SPDX-License-Identifier: Apache-2.0
// Checks that threads that share an archive, and scan it together, see the result of one thread.
#include <array>
#include <cstdint>
#include <support/survey.hpp>
#include <thread>

#include "support/archives.hpp"
#include "support/require.hpp"

using namespace tgmap_fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto data = std::as_bytes(std::span(bytes, size));
  const std::string alone = tgmap_test::survey_of(in_memory(data)).text;

  const auto shared = in_memory(data);
  std::array<std::string, 3> seen;
  {
    std::array<std::thread, 3> threads;
    for (std::size_t t = 0; t < threads.size(); ++t)
      threads[t] = std::thread([&, t] {
        tgmap::failure why;
        if (t == 1) (void)shared.nth_from_end(0, why);
        if (t == 2) (void)shared.scan(64);
        seen[t] = tgmap_test::survey_of(shared).text;
      });
    for (auto& thread : threads) thread.join();
  }
  for (const auto& text : seen) require_same(text, alone, "each thread sees the result of one thread");
  return 0;
}
