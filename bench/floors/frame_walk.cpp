// SPDX-License-Identifier: Apache-2.0
#include "floors/frame_walk.hpp"

#include <algorithm>
#include <vector>

#include "floors/file.hpp"
#include "floors/fresh_table.hpp"
#include "floors/wire.hpp"

namespace tgmap_bench {

namespace {

/// Where in a walk we are, and the step over whatever begins there. A preamble, frame header or postamble lies at `at`.
struct walker {
  std::uint64_t at = 0, message = 0;
  bool in_message = false;

  void step(const std::byte* here, fresh_table& found) {
    if (!in_message) {
      message = at;
      in_message = true;
      at += preamble_bytes;
    } else if (is_frame(here)) {
      at += frame_step(here);
    } else {
      at += postamble_bytes;
      in_message = false;
      found.add(message, at - message);
    }
  }
};

}  // namespace

std::uint64_t walk_frames_mapped(const std::filesystem::path& path, int advice) {
  const mapped_file mapped(path, advice);
  fresh_table found(mapped.size());
  for (walker walk; walk.at < mapped.size();) walk.step(mapped.data() + walk.at, found);
  return found.size();
}

std::uint64_t walk_frames_in_windows(const std::filesystem::path& path, std::size_t window) {
  const mapped_file mapped(path);
  fresh_table found(mapped.size());
  std::vector<std::byte> bytes(window);
  for (walker walk; walk.at < mapped.size(); walk.step(bytes.data(), found))
    std::copy_n(mapped.data() + walk.at, std::min<std::uint64_t>(window, mapped.size() - walk.at), bytes.data());
  return found.size();
}

std::uint64_t walk_frames_in_blocks(const std::filesystem::path& path, std::size_t block, int advice) {
  const file opened(path);
  opened.advise(0, 0, advice);
  fresh_table found(opened.size());
  std::vector<std::byte> bytes(block);
  for (walker walk; walk.at < opened.size();) {
    const std::uint64_t begin = walk.at, end = begin + opened.read(begin, bytes);
    while (walk.at + postamble_bytes <= end) walk.step(bytes.data() + (walk.at - begin), found);
  }
  return found.size();
}

}  // namespace tgmap_bench
