// SPDX-License-Identifier: Apache-2.0
// Many messages of one object of 1 KiB, one description used again and again, into a file in memory.
#include <unistd.h>

#include <cstring>
#include <memory>

#include "operations/operations.hpp"
#include "support/fields.hpp"
#include "support/write_target.hpp"

namespace tgmap_bench {

namespace {

constexpr std::size_t small_elements = 256, different_ones = 64;

struct small_write {
  std::size_t count;
  std::vector<float> values{};
  std::vector<tgmap::cbor_value> bases{};
  tgmap::new_message message{};
  memory_file file{};
  std::size_t message_bytes = 0;

  explicit small_write(std::size_t messages) : count(messages) {
    for (const double each : weather(small_elements * different_ones)) values.push_back(static_cast<float>(each));
    for (std::size_t i = 0; i < different_ones; ++i)
      bases.push_back(tgmap::cbor_value::map({{"mars", tgmap::cbor_value::map({{"class", "od"},
                                                                               {"date", 20260401},
                                                                               {"levtype", "sfc"},
                                                                               {"param", i % 2 == 0 ? "2t" : "10u"},
                                                                               {"step", 6 * i},
                                                                               {"type", "fc"}})}}));
    message.objects.emplace_back(tgmap::new_object::of(elements(0)));
    message_bytes = tgmap::to_bytes(message).size();
  }

  std::span<const float> elements(std::size_t i) const {
    return std::span(values).subspan(i % different_ones * small_elements, small_elements);
  }

  void write() {
    file.rewind();
    tgmap::descriptor_sink to(file.descriptor());
    tgmap::writer out(to);
    auto& object = std::get<tgmap::new_object>(message.objects.front());
    for (std::size_t i = 0; i < count; ++i) {
      object.data = std::as_bytes(elements(i));
      object.base = bases[i % different_ones];
      out.write(message);
    }
    tgmap::detail::raise_if(to.flush());
  }

  /// As many bytes, gathered and put out 256 KiB at a time.
  void write_bare() const {
    file.rewind();
    std::vector<std::byte> held(std::size_t{256} << 10);
    std::size_t used = 0;
    const auto put = [&] {
      expect(::write(file.descriptor(), held.data(), used) == static_cast<ssize_t>(used), "write was short");
      used = 0;
    };
    for (std::size_t i = 0; i < count; ++i) {
      const auto payload = std::as_bytes(elements(i));
      if (held.size() - used < message_bytes) put();
      std::memcpy(&held[used], payload.data(), payload.size());
      std::memset(&held[used + payload.size()], 1, message_bytes - payload.size());
      used += message_bytes;
    }
    put();
  }
};

}  // namespace

void add_write_small_rows(std::vector<row>& rows, const archives& files) {
  rows.push_back({.name = "write_small/1KiB",
                  .unit = "message",
                  .prepare =
                      [&files] {
                        const auto in = std::make_shared<small_write>(files.quick() ? 100'000 : 1'000'000);
                        return contest{
                            .units = static_cast<double>(in->count),
                            .operation = [=] { in->write(); },
                            .floors = {{.name = "memcpy, write", .run = [=] { in->write_bare(); }, .counts = false}}};
                      },
                  .rounds = 15});
}

}  // namespace tgmap_bench
