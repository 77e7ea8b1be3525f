// SPDX-License-Identifier: Apache-2.0
#include "floors/scan_mapped.hpp"

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
  std::uint64_t at, end;  ///< `end`: where the next chain began
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
    if (i > 0 && at != all[i - 1].end) continue;  // a magic inside a payload: the chain before went past it
    messages += all[i].found->size();
    at = all[i].at;
  }
  return messages;
}

}  // namespace tgmap_bench
