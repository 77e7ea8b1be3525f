// SPDX-License-Identifier: Apache-2.0
// A first program with the component tools: two archives in memory, compared.
#include <cstdio>
#include <tgmap/tools/compare.hpp>
#include <tgmap/write/writer.hpp>
#include <vector>

namespace {

std::span<const std::byte> write_archive(tgmap::memory_sink& sink, const std::vector<float>& values) {
  const std::vector<std::uint64_t> shape{values.size()};
  tgmap::new_message message;
  message.objects.push_back(tgmap::new_object::of(std::span(values), shape));
  tgmap::writer(sink).write(message);
  return sink.bytes();
}

}  // namespace

int main() {
  tgmap::memory_sink left_sink, right_sink;
  const auto left = tgmap::archive::from_memory(write_archive(left_sink, {1, 2, 3}));
  const auto right = tgmap::archive::from_memory(write_archive(right_sink, {1, 2, 4}));
  const auto found = tgmap::compare(left, {left[0], {}}, right, {right[0], {}});
  for (const tgmap::difference& each : found.differences)
    std::printf("%s %g\n", to_string_view(each.kind).data(), each.elements ? each.elements->largest_absolute : 0);
  std::printf("%d\n", tgmap::compare(left, right, {.within = {.absolute = 1}}).is_equal());
  return 0;
}
