// SPDX-License-Identifier: Apache-2.0
// Writes the objects of a message one after the other into new memory, compared with a writer that gets all at once.
#include <benchmark/benchmark.h>

#include <memory>

#include "operations/operations.hpp"
#include "support/fields.hpp"

namespace tgmap_bench {

namespace {

struct streamed_objects {
  std::vector<float> values;
  tgmap::new_message message{};

  streamed_objects(std::size_t count, std::size_t elements) : values(count * elements) {
    const std::vector<double> some = weather(elements);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(some[i % elements]);
    for (std::size_t i = 0; i < count; ++i)
      message.objects.emplace_back(
          tgmap::new_object::of(std::span<const float>(values).subspan(i * elements, elements)));
  }

  void stream() const {
    tgmap::memory_sink sink;
    tgmap::stream_writer out(sink);
    for (const auto& each : message.objects) out.write(std::get<tgmap::new_object>(each));
    out.finish();
    benchmark::DoNotOptimize(sink.bytes().data());
  }

  void write_whole() const {
    tgmap::memory_sink sink;
    tgmap::writer(sink).write(message);
    benchmark::DoNotOptimize(sink.bytes().data());
  }
};

struct streamed_size {
  std::string_view name;
  std::size_t bytes;
};

row streamed(const archives& files, const streamed_size& size, bool apart) {
  return {.name = std::string(apart ? "write_stream/one/" : "write_stream/many/") + std::string(size.name),
          .unit = "MiB",
          .prepare =
              [=, &files] {
                const std::size_t all = std::size_t{files.quick() ? 64U : 256U} << 20, count = all / size.bytes;
                const std::size_t messages = apart ? count : 1;
                const auto in = std::make_shared<const streamed_objects>(count / messages, size.bytes / sizeof(float));
                const auto repeat = [=](auto work) {
                  return [=] {
                    for (std::size_t i = 0; i < messages; ++i) work();
                  };
                };
                return contest{.units = static_cast<double>(count * size.bytes) / (1024.0 * 1024.0),
                               .operation = repeat([=] { in->stream(); }),
                               .floors = {{.name = "writer", .run = repeat([=] { in->write_whole(); })}}};
              },
          .rounds = 15};
}

}  // namespace

void add_write_stream_rows(std::vector<row>& rows, const archives& files) {
  for (const bool apart : {true, false})
    for (const streamed_size& size : {streamed_size{"100KiB", 100 << 10}, {"2MiB", 2 << 20}})
      rows.push_back(streamed(files, size, apart));
}

}  // namespace tgmap_bench
