// SPDX-License-Identifier: Apache-2.0
// Writes to a file in memory: large objects without encoding, compared with one writev a message, and many messages of
// one object of 1 KiB with a description that is reused.
#include <sys/uio.h>
#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <cstring>
#include <memory>

#include "operations/operations.hpp"
#include "support/fields.hpp"
#include "support/write_target.hpp"

namespace tgmap_bench {

namespace {

/// The options of the writer that are measured.
struct checks {
  std::string_view name;
  bool check, hash;
};

struct large_write {
  std::vector<float> values;
  std::size_t elements = 0;  ///< in an object
  std::vector<tgmap::new_message> messages{};
  memory_file file{};

  large_write(std::size_t all, std::size_t each, bool check) : values(all), elements(each) {
    const std::vector<double> some = weather(each);
    for (std::size_t i = 0; i < all; ++i) values[i] = static_cast<float>(some[i % each]);
    for (std::size_t at = 0; at < all; at += each) {
      auto object = tgmap::new_object::of(std::span<const float>(values).subspan(at, each));
      object.pipeline.missing.check_elements = check;
      messages.emplace_back().objects.emplace_back(std::move(object));
    }
  }

  void write(bool hash) const {
    file.rewind();
    tgmap::descriptor_sink sink(file.descriptor());
    tgmap::writer out(sink, {.hashes = hash});
    for (const auto& each : messages) out.write(each);
    tgmap::detail::raise_if(sink.flush());
  }

  /// Writes header and payload of each message by one writev.
  void write_bare(bool hash) const {
    file.rewind();
    std::array<std::byte, 512> header{};
    for (std::size_t at = 0; at < values.size(); at += elements) {
      const auto payload = std::as_bytes(std::span(values).subspan(at, elements));
      if (hash) {
        const std::uint64_t digest = XXH3_64bits(payload.data(), payload.size());
        std::copy_n(reinterpret_cast<const std::byte*>(&digest), sizeof digest, header.begin());
      }
      const std::array<iovec, 3> pieces{iovec{header.data(), header.size()},
                                        iovec{const_cast<std::byte*>(payload.data()), payload.size()},
                                        iovec{header.data(), header.size()}};
      const auto wanted = static_cast<ssize_t>(payload.size() + 2 * header.size());
      expect(::writev(file.descriptor(), pieces.data(), 3) == wanted, "writev was short");
    }
  }
};

row large(const archives& files, const checks& what, std::size_t mebibytes_each) {
  return {.name = "write/" + std::string(what.name) + "/" + std::to_string(mebibytes_each) + "MiB",
          .unit = "MiB",
          .prepare =
              [=, &files] {
                const std::size_t all = files.quick() ? 64 : 512;
                const std::size_t each = (mebibytes_each << 20) / sizeof(float);
                const auto in = std::make_shared<const large_write>(all / mebibytes_each * each, each, what.check);
                return contest{.units = static_cast<double>(all),
                               .operation = [=] { in->write(what.hash); },
                               .floors = {{.name = what.hash ? "XXH3, writev" : "writev",
                                           .run = [=] { in->write_bare(what.hash); }}}};
              },
          .rounds = 25};
}

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
    tgmap::descriptor_sink sink(file.descriptor());
    tgmap::writer out(sink);
    auto& object = std::get<tgmap::new_object>(message.objects.front());
    for (std::size_t i = 0; i < count; ++i) {
      object.data = std::as_bytes(elements(i));
      object.base = bases[i % different_ones];
      out.write(message);
    }
    tgmap::detail::raise_if(sink.flush());
  }

  /// Writes as many bytes, gathered into pieces of 256 KiB.
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

void add_write_rows(std::vector<row>& rows, const archives& files) {
  for (const checks& what : {checks{"bare", false, false},
                             {"checked", true, false},
                             {"hashed", false, true},
                             {"checked_hashed", true, true}})
    for (const std::size_t size : {1, 4, 32}) rows.push_back(large(files, what, size));
}

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
