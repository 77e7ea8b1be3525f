// SPDX-License-Identifier: Apache-2.0
// A plugin with hidden symbols. It exports only plugin_version, also if it contains a static tgmap.
#include <span>
#include <tgmap/tgmap.hpp>
#include <vector>

extern "C" __attribute__((visibility("default"))) const char* plugin_version();

extern "C" const char* plugin_version() {
  const std::vector<float> numbers{1, 2, 3};
  tgmap::new_message message;
  message.objects.emplace_back(tgmap::new_object::of(std::span(numbers), {3}));
  const auto bytes = tgmap::to_bytes(message);
  try {
    const auto archive = tgmap::archive::from_memory(bytes);
    return archive[0][0].view<float>()(2) == 3 ? TGMAP_VERSION_STRING : "wrong";
  } catch (const tgmap::error&) {
    return "failed";
  }
}
