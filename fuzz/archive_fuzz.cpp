// SPDX-License-Identifier: Apache-2.0
// Reads everything of an archive, by index and by walk, with damage skipped and as an error.
#include <cstdint>
#include <support/survey.hpp>

#include "support/archives.hpp"
#include "support/require.hpp"

using namespace tgmap_fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto data = std::as_bytes(std::span(bytes, size));
  const auto archive = in_memory(data);
  require(tgmap_test::broken_invariant(archive).empty(), "messages, gaps and tail cover the archive");
  const auto indexed = tgmap_test::survey_of(archive);
  require_same(indexed.contradiction, "", "all ways of access agree, and every failure has a text");

  const auto walked =
      tgmap_test::survey_of(in_memory(data, {.damage = tgmap::on_damage::skip, .lookup = tgmap::object_lookup::walk}));
  if (indexed.whole && walked.whole) require_same(indexed.text, walked.text, "an accepted index is right");
  (void)tgmap_test::survey_of(in_memory(data, {}));
  return 0;
}
