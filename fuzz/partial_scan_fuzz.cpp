// SPDX-License-Identifier: Apache-2.0
// Checks that partial scans give the result of a full scan: in portions of any size, message by message, and from the
// end.
#include <cstdint>
#include <support/survey.hpp>

#include "support/archives.hpp"
#include "support/require.hpp"

using namespace tgmap_fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto data = std::as_bytes(std::span(bytes, size));
  const std::string full = tgmap_test::survey_of(in_memory(data)).text;

  for (const std::uint64_t portion : {std::uint64_t{size / 500 + 1}, std::uint64_t{size / 5 + 1}}) {
    const auto archive = in_memory(data);
    tgmap::progress before;
    for (std::size_t rounds = 0;; ++rounds) {
      const auto now = archive.scan(portion);
      require(now.scanned_bytes >= before.scanned_bytes && now.messages >= before.messages && now.gaps >= before.gaps,
              "progress only grows");
      require(rounds <= size + 1, "each portion makes progress");
      before = now;
      if (now.is_complete) break;
    }
    require_same(tgmap_test::survey_of(archive).text, full, "a scan in portions has the same result");
  }

  const auto one_by_one = in_memory(data);
  tgmap::failure why;
  for (std::size_t i = 0; !why; ++i) (void)one_by_one.at(i, why);
  require_same(tgmap_test::survey_of(one_by_one).text, full, "a scan message by message has the same result");

  const auto last_first = in_memory(data);
  (void)last_first.nth_from_end(0, why);
  require_same(tgmap_test::survey_of(last_first).text, full, "a scan from the end has the same result");

  const auto half = in_memory(data);
  (void)half.scan(size / 2);
  const auto reopened = half.reopen(why);
  require(!why, "an archive can be reopened");
  require_same(tgmap_test::survey_of(reopened).text, full, "a reopened archive has the same result");
  return 0;
}
