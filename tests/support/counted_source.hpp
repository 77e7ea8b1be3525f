// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <support/bytes.hpp>
#include <tgmap/byte_source.hpp>
#include <vector>

namespace tgmap_test {

/// A byte_source of a text, which counts requests, checks that they keep the contract, and fails as a test wants.
class counted_source final : public tgmap::byte_source {
 public:
  explicit counted_source(bytes contents, const tgmap::source_costs& costs = {})
      : data(std::move(contents)), costs_(costs) {}

  tgmap::failure open(std::span<tgmap::opening_request> first, tgmap::source_state& state) override {
    ++opens;
    if (on_open)
      if (const tgmap::failure why = on_open()) return why;
    const std::lock_guard lock(mutex_);
    state = {.size = stated_size.value_or(data.size()), .version = version};
    for (tgmap::opening_request& each : first) {
      if (!gives_first) continue;
      const std::size_t at = each.is_suffix ? data.size() - std::min(data.size(), each.out.size())
                                            : std::min<std::size_t>(data.size(), each.offset);
      each.filled = std::min(data.size() - at, each.out.size());
      std::copy_n(span_of(data).begin() + static_cast<std::ptrdiff_t>(at), each.filled, each.out.begin());
    }
    return {};
  }

  tgmap::failure read(std::span<const tgmap::byte_request> wanted, const std::stop_token& stop) override {
    ++calls;
    if (on_read)
      if (const tgmap::failure why = on_read(wanted, stop)) return why;
    const std::lock_guard lock(mutex_);
    const std::uint64_t size = stated_size.value_or(data.size());
    if (wanted.empty() || wanted.size() > costs_.max_requests) breach = "number of requests";
    std::uint64_t end = 0;
    for (const tgmap::byte_request& each : wanted) {
      if (each.out.empty() || each.out.size() > std::max<std::uint64_t>(costs_.max_request, 4096)) breach = "size";
      if (each.offset < end) breach = "order";
      if (each.offset > size || each.out.size() > size - each.offset) breach = "range";
      end = each.offset + each.out.size();
      asked.push_back({each.offset, each.out.size()});
      const std::size_t at = std::min<std::size_t>(data.size(), each.offset);
      const std::size_t there = std::min(data.size() - at, each.out.size());
      std::copy_n(span_of(data).begin() + static_cast<std::ptrdiff_t>(at), there, each.out.begin());
      if (there < each.out.size() && !is_silent)
        return {.code = tgmap::errc::file_shrank, .expected = each.out.size(), .found = there};
    }
    return {};
  }

  tgmap::source_costs costs() const noexcept override { return costs_; }
  std::shared_ptr<byte_source> sibling(std::string_view suffix) override {
    siblings += suffix;
    return beside;
  }
  std::string name() const override { return "store/forecast.tgm"; }
  void will_need(std::span<const tgmap::byte_range> ranges) override {
    for (const tgmap::byte_range& each : ranges)
      if (each.size == 0 || each.offset + each.size > data.size()) breach = "hint";
    hints += ranges.size();
  }

  /// Replaces the bytes, as another program would.
  void replace(bytes contents, std::string new_version) {
    const std::lock_guard lock(mutex_);
    data = std::move(contents);
    version = std::move(new_version);
  }

  std::uint64_t bytes_asked() const {
    std::uint64_t sum = 0;
    for (const tgmap::byte_range& each : asked) sum += each.size;
    return sum;
  }
  void reset_counts() {
    calls = opens = 0;
    asked.clear();
  }

  bytes data;
  std::string version = "v1";
  std::optional<std::uint64_t> stated_size{};  ///< a size that is not true
  bool gives_first = true;                     ///< open() reads, too
  bool is_silent = false;                      ///< leaves bytes out without a failure
  std::shared_ptr<byte_source> beside{};
  std::function<tgmap::failure()> on_open{};
  std::function<tgmap::failure(std::span<const tgmap::byte_request>, const std::stop_token&)> on_read{};

  std::atomic<unsigned> opens{0}, calls{0}, hints{0};
  std::vector<tgmap::byte_range> asked{};
  std::string siblings{};  ///< suffixes that were asked for
  std::string breach{};    ///< of the contract of read() and will_need(); empty: none

 private:
  tgmap::source_costs costs_;
  std::mutex mutex_{};
};

}  // namespace tgmap_test
