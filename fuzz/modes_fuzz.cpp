// SPDX-License-Identifier: Apache-2.0
// Map = read = memory: what an archive says does not depend on how its bytes are reached.
#include <cstdint>

#include "../tests/support/survey.hpp"
#include "support/archives.hpp"
#include "support/require.hpp"

using namespace tgmap_fuzz;

namespace {

/// What depends on the address of a payload: a mapping begins at a page, resident bytes and memory elsewhere.
std::string without_views(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    if (text.compare(at, 6, "  view") != 0) out.append(text, at, end - at);
    at = end;
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto data = std::as_bytes(std::span(bytes, size));
  const auto memory = tgmap_test::survey_of(in_memory(data));
  const auto mapped = tgmap_test::survey_of(in_file(data, tgmap::io_mode::map));
  const auto read = tgmap_test::survey_of(in_file(data, tgmap::io_mode::read));
  require_same(without_views(mapped.text), without_views(memory.text), "mapped as in memory");
  require_same(without_views(read.text), without_views(mapped.text), "read as mapped");
  require(read.payloads == mapped.payloads && read.bodies == mapped.bodies, "the same bytes");
  return 0;
}
