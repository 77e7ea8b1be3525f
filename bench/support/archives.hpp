// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "support/archive_maker.hpp"
#include "support/scratch_directory.hpp"

namespace tgmap_bench {

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
