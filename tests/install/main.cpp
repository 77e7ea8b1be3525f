// SPDX-License-Identifier: Apache-2.0
// What a user's first program does: include everything, write a message, and read it. Every codec is linked.
#include <array>
#include <cstdio>
#include <tgmap/tgmap.hpp>

int main() {
  const std::array<float, 3> values{1, 2, 3};
  tgmap::new_message message;
  message.objects.push_back(tgmap::new_object::of(std::span<const float>(values)));
  tgmap::memory_sink sink;
  tgmap::writer(sink).write(message);
  const auto in = tgmap::archive::from_memory(sink.bytes());
  const auto field = in[0][0].decode();
  if (field.shape()[0] != values.size()) return 1;
  std::puts(TGMAP_VERSION_STRING);
  return 0;
}
