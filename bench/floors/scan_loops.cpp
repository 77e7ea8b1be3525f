// SPDX-License-Identifier: Apache-2.0
#include "floors/scan_loops.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "floors/file.hpp"
#include "floors/fresh_table.hpp"
#include "floors/wire.hpp"

namespace tgmap_bench {

namespace {

struct chain {
  std::uint64_t at, end;  ///< `end`: where the next chain begins
  std::unique_ptr<fresh_table> found;
};

std::vector<chain> seed(const mapped_file& mapped, unsigned chains) {
  std::vector<chain> out;
  for (unsigned i = 0; i < chains; ++i) {
    const std::uint64_t from = mapped.size() / chains * i;
    const void* const magic = ::memmem(mapped.data() + from, mapped.size() - from, "TENSOGRM", 8);
    if (magic == nullptr) break;
    const auto at = static_cast<std::uint64_t>(static_cast<const std::byte*>(magic) - mapped.data());
    if (!out.empty() && out.back().at == at) continue;
    if (!out.empty()) out.back().end = at;
    out.push_back({at, mapped.size(), nullptr});
  }
  for (chain& each : out) each.found = std::make_unique<fresh_table>(each.end - each.at);
  return out;
}

/// Walks `chains[first]`, `chains[first + step]`, … in turns, one message each, so that their loads overlap.
void walk(const std::byte* data, std::vector<chain>& chains, std::size_t first, std::size_t step) {
  std::vector<chain*> open;
  for (std::size_t i = first; i < chains.size(); i += step) open.push_back(&chains[i]);
  while (!open.empty())
    for (std::size_t i = 0; i < open.size();) {
      chain& each = *open[i];
      const std::uint64_t length = length_in_preamble(data + each.at);
      each.found->add(each.at, length);
      each.at += length;
      if (each.at >= each.end) {
        open[i] = open.back();
        open.pop_back();
      } else {
        ++i;
      }
    }
}

std::uint64_t read_length(const file& opened, std::uint64_t at) {
  std::array<std::byte, preamble_bytes> preamble;
  opened.read(at, preamble);
  return length_in_preamble(preamble.data());
}

/// Returns the smallest period, up to 64, with which the last lengths repeated; 0: none.
std::size_t period_of(const std::vector<std::uint64_t>& lengths) {
  for (std::size_t period = 1; period <= 64 && 2 * period <= lengths.size(); ++period) {
    const auto last = lengths.end() - static_cast<std::ptrdiff_t>(period);
    if (std::equal(last, lengths.end(), last - static_cast<std::ptrdiff_t>(period))) return period;
  }
  return 0;
}

/// The position of a walk from frame to frame. A preamble, frame header or postamble begins at `at`.
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

std::uint64_t scan_one_chain(const std::filesystem::path& path, int advice) {
  const mapped_file mapped(path, advice);
  fresh_table found(mapped.size());
  for (std::uint64_t at = 0; at < mapped.size();) {
    const std::uint64_t length = length_in_preamble(mapped.data() + at);
    found.add(at, length);
    at += length;
  }
  return found.size();
}

std::uint64_t scan_both_ends(const std::filesystem::path& path) {
  const mapped_file mapped(path);
  fresh_table forwards(mapped.size()), backwards(mapped.size());
  const std::byte* const data = mapped.data();
  for (std::uint64_t low = 0, high = mapped.size(); low < high;) {
    const std::uint64_t first = length_in_preamble(data + low), last = length_in_postamble(data + high);
    forwards.add(low, first);
    low += first;
    if (low >= high) break;
    high -= last;
    backwards.add(high, last);
  }
  return forwards.size() + backwards.size();
}

std::uint64_t scan_many_chains(const std::filesystem::path& path, unsigned chains, unsigned threads) {
  const mapped_file mapped(path);
  std::vector<chain> all = seed(mapped, chains);
  std::vector<std::jthread> others;
  for (unsigned t = 1; t < threads; ++t) others.emplace_back([&, t] { walk(mapped.data(), all, t, threads); });
  walk(mapped.data(), all, 0, threads);
  others.clear();
  std::uint64_t messages = 0, at = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0 && at != all[i - 1].end)
      continue;  // it began at a magic inside a payload, which the previous chain passed
    messages += all[i].found->size();
    at = all[i].at;
  }
  return messages;
}

std::uint64_t scan_windows(const std::filesystem::path& path, int advice) {
  const file opened(path);
  opened.advise(0, 0, advice);
  fresh_table found(opened.size());
  for (std::uint64_t at = 0; at < opened.size();) {
    const std::uint64_t length = read_length(opened, at);
    found.add(at, length);
    at += length;
  }
  return found.size();
}

std::uint64_t scan_blocks(const std::filesystem::path& path, std::size_t block, int advice) {
  const file opened(path);
  opened.advise(0, 0, advice);
  fresh_table found(opened.size());
  std::vector<std::byte> bytes(block);
  for (std::uint64_t at = 0; at < opened.size();) {
    const std::uint64_t begin = at, end = begin + opened.read(begin, bytes);
    while (at + preamble_bytes <= end) {
      const std::uint64_t length = length_in_preamble(bytes.data() + (at - begin));
      found.add(at, length);
      at += length;
    }
  }
  return found.size();
}

std::uint64_t scan_predicted(const std::filesystem::path& path) {
  constexpr std::size_t ahead = 32;
  const file opened(path);
  opened.advise(0, 0, POSIX_FADV_RANDOM);
  fresh_table found(opened.size());
  std::vector<std::uint64_t> lengths;
  std::size_t period = 0, asked = 0;  // number of messages whose preambles were requested
  std::uint64_t asked_at = 0;         // where the preamble of message `asked` is expected
  for (std::uint64_t at = 0; at < opened.size();) {
    const std::uint64_t length = read_length(opened, at);
    found.add(at, length);
    at += length;
    lengths.push_back(length);
    const std::size_t known = lengths.size();
    const bool as_expected = period != 0 && lengths[known - 1] == lengths[known - 1 - period];
    if (!as_expected) {
      period = period_of(lengths);
      asked = known;
      asked_at = at;
    }
    if (period == 0) continue;
    for (; asked < known + ahead && asked_at < opened.size(); ++asked) {
      opened.advise(asked_at, preamble_bytes, POSIX_FADV_WILLNEED);
      asked_at += lengths[known - period + (asked - known) % period];
    }
  }
  return found.size();
}

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
