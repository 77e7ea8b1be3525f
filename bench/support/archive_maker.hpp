// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace tgmap_bench {

/// A forecast as models write it: one message a step, float32 fields of one grid, all digests there.
struct archive_plan {
  std::uint64_t messages = 1;
  std::uint64_t fields = 8;  ///< objects of each message
  std::uint64_t rows = 1, columns = 1;
  std::uint64_t streamed_every = 0;            ///< each so manieth message is streamed; 0: none
  std::vector<std::uint64_t> cycle_of_rows{};  ///< message m has the m-th of these, again and again; empty: `rows`
  bool same_weather = false;                   ///< every message holds the same payloads: written much faster
  bool magic_in_payloads = false;              ///< each payload holds a message magic and an end magic
  std::uint64_t junk_before = 0;               ///< bytes of no message that come first
};

/// Bytes that one message takes, but for some hundred bytes of metadata an object.
constexpr std::uint64_t payload_of_message(const archive_plan& plan) {
  return plan.fields * plan.rows * plan.columns * sizeof(float);
}

/// Writes the archive; message `m` has the keys `mars.param` ("2t", "10u", …) and `mars.step` (6 m) for each object.
/// Memory: one field, with `same_weather` one message of each size. Throws std::system_error.
void make_archive(const std::filesystem::path&, const archive_plan&);

}  // namespace tgmap_bench
