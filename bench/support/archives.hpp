// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "support/scratch_directory.hpp"

namespace tgmap_bench {

/// Describes a synthetic forecast: one message a step, float32 fields of one grid, with hashes.
struct archive_plan {
  std::uint64_t messages = 1;
  std::uint64_t fields = 8;  ///< objects of each message
  std::uint64_t rows = 1, columns = 1;
  std::uint64_t streamed_every = 0;            ///< every n-th message is streamed; 0: none
  std::vector<std::uint64_t> cycle_of_rows{};  ///< rows of message m, repeating; empty: always `rows`
  bool repeat_payloads = false;                ///< all messages have equal payloads, which is much faster to write
  bool magic_in_payloads = false;              ///< each payload holds a message magic and an end magic
  std::uint64_t junk_before = 0;               ///< bytes before the first message
  bool searchable = false;                     ///< each object also has mars.number and mars.level
};

/// Returns the payload bytes of one message. Metadata adds some hundred bytes an object.
constexpr std::uint64_t payload_of_message(const archive_plan& plan) {
  return plan.fields * plan.rows * plan.columns * sizeof(float);
}

/// Writes the archive; message `m` has the keys `mars.param` ("2t", "10u", …) and `mars.step` (6 m) for each object; if
/// it is searchable, also `mars.number` (m % 40) and `mars.level` (m % 10, but 77 in one message).
/// Memory: one field, with `repeat_payloads` one message of each size. Throws std::system_error.
void make_archive(const std::filesystem::path&, const archive_plan&);

/// The archives that rows measure. Each is made at its first use; all are removed at the end unless a directory was
/// given.
enum class shape : std::uint8_t {
  small,        ///< 1 M messages of one object of 1 KiB
  medium,       ///< 60 k messages of one object of 60 to 140 KB; lengths repeat with a period of 7
  large,        ///< 1,024 messages of 4 objects of 512 KiB
  streamed,     ///< 20 k messages without a stated length, of 8 objects of 4 KiB that contain magics
  many,         ///< one message of 10,000 objects, header index
  many_footer,  ///< the same, streamed, footer index
  fewer,        ///< one message of 1,000 objects
  fields,       ///< 256 messages of one object of 2 MiB
  one_field,    ///< one message of one object of 2,048 x 2,048 floats
  junk,         ///< 8 MiB of junk before 16 messages of 2 MiB
  flipped,      ///< 6 messages of 8 MiB, the magic of the second damaged
  cut,          ///< 6 messages of 8 MiB, the last one truncated
  searchable,   ///< as small, with keys to search
};

class archives {
 public:
  /// `kept` is the directory for the archives, created if needed; empty: a temporary directory. `quick` reduces sizes
  /// to about a tenth.
  archives(const std::filesystem::path& kept, bool quick);

  const std::filesystem::path& directory() const { return scratch_ ? scratch_->path() : kept_; }
  bool quick() const { return quick_; }

  /// Returns the path of the archive, and makes the archive if it does not exist. Throws if the disk is full.
  std::filesystem::path path(shape) const;

  archive_plan plan(shape) const;
  std::uint64_t messages(shape which) const { return plan(which).messages; }

 private:
  std::filesystem::path kept_;
  std::optional<scratch_directory> scratch_;
  bool quick_;
};

std::string_view name(shape);

}  // namespace tgmap_bench
