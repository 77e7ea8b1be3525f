// SPDX-License-Identifier: Apache-2.0
// Writes the message that the bytes describe as a whole, as a stream and from stored objects. It is read back unchanged
// and is valid. A refused message is refused by every route, with a documented failure.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <support/forged/random_message.hpp>
#include <tgmap/tgmap.hpp>

#include "support/require.hpp"

namespace {

using namespace tgmap_test;

bool stores_any_number(const random_message& original) {
  return std::any_of(original.message.objects.begin(), original.message.objects.end(), [](const auto& each) {
    return !std::get<tgmap::new_object>(each).pipeline.missing.check_elements;
  });
}

void check_written(const random_message& original, const std::vector<std::byte>& bytes) {
  for (const auto lookup : {tgmap::object_lookup::index, tgmap::object_lookup::walk}) {
    const auto archive = tgmap::archive::from_memory(bytes, {.lookup = lookup});
    tgmap_fuzz::require_same(difference(original, archive), "", "a written message is read back");
    // The full mode reports NaN without a mask as errors.
    const auto mode = stores_any_number(original) ? tgmap::validation_mode::standard : tgmap::validation_mode::full;
    tgmap::validation_visitor nobody;
    const auto found = tgmap::validate(archive, {.mode = mode, .check_canonical = true, .threads = 1}, nobody);
    tgmap_fuzz::require(found.is_sound(), "a written message is valid");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  choices of({bytes, size});
  const random_message original = make_random_message(of);
  std::optional<tgmap::failure> first;
  for (const auto route : {write_route::buffered, write_route::streamed, write_route::as_stored}) {
    tgmap::failure why;
    const auto written = write_with(route, original, why);
    if (!first) first = why;
    tgmap_fuzz::require(first->code == why.code, "every route refuses the same messages");
    tgmap_fuzz::require(!why || is_refusal(why), "a refusal has a documented failure");
    tgmap_fuzz::require(!why || written.empty(), "a refused message writes nothing");
    if (!why) check_written(original, written);
  }
  for (const auto& each : original.objects)
    tgmap_fuzz::require(!each.has_invalid_pipeline || static_cast<bool>(*first), "an invalid pipeline is not written");
  return 0;
}
