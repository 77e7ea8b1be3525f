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

/// The archives that rows measure. Made when first asked for; removed at the end unless a directory was given.
enum class shape : std::uint8_t {
  small,        ///< 1 M messages of one object of 1 KiB
  medium,       ///< 60 k messages of one object of 60 to 140 KB, lengths repeating with a period of 7
  large,        ///< 1,024 messages of 4 objects of 512 KiB
  streamed,     ///< 20 k messages that state no length, of 8 objects of 4 KiB that hold magics
  many,         ///< one message of 10,000 objects, header index
  many_footer,  ///< the same, streamed, footer index
  fewer,        ///< one message of 1,000 objects
  fields,       ///< 256 messages of one object of 2 MiB
  one_field,    ///< one message of one object of 2,048 x 2,048 floats
  junk,         ///< 8 MiB of junk before 16 messages of 2 MiB
  flipped,      ///< 6 messages of 8 MiB, the magic of the second damaged
  cut,          ///< 6 messages of 8 MiB, the last one cut
};

class archives {
 public:
  /// `kept`: a directory that stays, made if needed; empty: a temporary one. `quick`: about a tenth of everything.
  archives(const std::filesystem::path& kept, bool quick);

  const std::filesystem::path& directory() const { return scratch_ ? scratch_->path() : kept_; }
  bool quick() const { return quick_; }

  /// The archive, made unless it is there. Throws when the disk has no room for it.
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
