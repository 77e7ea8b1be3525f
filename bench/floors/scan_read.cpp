// SPDX-License-Identifier: Apache-2.0
#include "floors/scan_read.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "floors/file.hpp"
#include "floors/fresh_table.hpp"
#include "floors/wire.hpp"

namespace tgmap_bench {

namespace {

std::uint64_t read_length(const file& opened, std::uint64_t at) {
  std::array<std::byte, preamble_bytes> preamble;
  opened.read(at, preamble);
  return length_in_preamble(preamble.data());
}

/// The least period, up to 64, with which the last lengths repeated twice; 0: none.
std::size_t period_of(const std::vector<std::uint64_t>& lengths) {
  for (std::size_t period = 1; period <= 64 && 2 * period <= lengths.size(); ++period) {
    const auto last = lengths.end() - static_cast<std::ptrdiff_t>(period);
    if (std::equal(last, lengths.end(), last - static_cast<std::ptrdiff_t>(period))) return period;
  }
  return 0;
}

}  // namespace

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
  std::size_t period = 0, asked = 0;  // messages whose preambles were asked for
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

}  // namespace tgmap_bench
