// SPDX-License-Identifier: Apache-2.0
// Any message that the bytes describe: written as one, as a stream and from what is stored, it is read back as it was,
// and validating finds no error; what is refused is refused by every route, for a reason that the interface names.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <tgmap/tgmap.hpp>

#include "support/require.hpp"
#include "write/generated.hpp"

namespace {

using namespace tgmap_test;

bool stores_any_number(const made_message& made) {
  return std::any_of(made.message.objects.begin(), made.message.objects.end(), [](const auto& each) {
    return !std::get<tgmap::new_object>(each).pipeline.missing.check_elements;
  });
}

void check_written(const made_message& made, const std::vector<std::byte>& bytes) {
  for (const auto lookup : {tgmap::object_lookup::index, tgmap::object_lookup::walk}) {
    const auto archive = tgmap::archive::from_memory(bytes, {.lookup = lookup});
    tgmap_fuzz::require_same(difference(made, archive), "", "what is written is read");
    // NaN that no mask tells of are errors to it.
    const auto what = stores_any_number(made) ? tgmap::validation_mode::standard : tgmap::validation_mode::full;
    tgmap::validation_visitor nobody;
    const auto found = tgmap::validate(archive, {.mode = what, .check_canonical = true, .threads = 1}, nobody);
    tgmap_fuzz::require(found.is_sound(), "what is written is valid");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  choices of({bytes, size});
  const made_message made = make_message(of);
  std::optional<tgmap::failure> first;
  for (const auto route : {write_route::buffered, write_route::streamed, write_route::as_stored}) {
    tgmap::failure why;
    const auto written = write_by(route, made, why);
    if (!first) first = why;
    tgmap_fuzz::require(first->code == why.code, "every route refuses the same");
    tgmap_fuzz::require(!why || is_refusal(why), "refusals are those of the interface");
    tgmap_fuzz::require(!why || written.empty(), "what is refused leaves nothing");
    if (!why) check_written(made, written);
  }
  for (const auto& each : made.objects)
    tgmap_fuzz::require(!each.refused_early || static_cast<bool>(*first), "what check() refuses is not written");
  return 0;
}
