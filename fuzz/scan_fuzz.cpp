// SPDX-License-Identifier: Apache-2.0
// Finding messages: forward, from the end, by offset, in portions, stopping at damage; all must agree.
#include <cstdint>
#include <cstdlib>
#include <tgmap/tgmap.hpp>

#include "../tests/support/survey.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto data = std::as_bytes(std::span(bytes, size));
  const tgmap::open_options skip{.damage = tgmap::on_damage::skip};
  const auto forward = tgmap::archive::from_memory(data, skip);
  require(tgmap_test::broken_invariant(forward).empty());
  const std::size_t count = forward.size();

  tgmap::failure why;
  for (std::size_t n = 0; n < count && n < 20; ++n) {
    const auto expected = forward[count - 1 - n];
    const auto fresh = tgmap::archive::from_memory(data, skip);
    const auto early = fresh.from_end(n, why);
    require(!why && fresh.size() == count);
    const auto last = fresh.from_end(n, why);
    require(!why && last.offset() == expected.offset() && last.length() == expected.length());
    // A forged file can be read in two ways; then what was found from the end early has no number.
    require(early.offset() == last.offset() || !early.index() || *early.index() != count - 1 - n);
    const auto direct = fresh.at_offset(expected.offset(), why);
    require(!why && direct.length() == expected.length() && direct.version() == expected.version());
  }

  const auto portions = tgmap::archive::from_memory(data, skip);
  for (std::size_t rounds = 0; !portions.scan(100).complete; ++rounds) require(rounds <= size);
  require(portions.size() == count && portions.gaps().size() == forward.gaps().size());

  const auto stop = tgmap::archive::from_memory(data);
  const std::size_t before = stop.size(why);
  require(before <= count && static_cast<bool>(why) == !forward.gaps().empty());
  for (std::size_t i = 0; i < before; ++i) require(stop[i].offset() == forward[i].offset());
  return 0;
}
