// SPDX-License-Identifier: Apache-2.0
#include "io/versioned_source.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace tgmap {
inline namespace v0 {

byte_source::~byte_source() = default;

source_costs byte_source::costs() const noexcept { return {}; }

std::shared_ptr<byte_source> byte_source::sibling(std::string_view /*suffix*/) { return nullptr; }

std::string byte_source::name() const { return {}; }

void byte_source::will_need(std::span<const byte_range> /*ranges*/) {}

}  // namespace v0
}  // namespace tgmap

namespace tgmap::io {

namespace {

source_costs within_limits(source_costs costs) noexcept {
  constexpr std::uint64_t max_gap = std::uint64_t{64} << 20, min_request = 4096;
  return {.gap = std::min(costs.gap, max_gap),
          .max_request = std::max(costs.max_request, min_request),
          .max_requests = std::clamp(costs.max_requests, 1U, 64U)};
}

}  // namespace

failure checked_source_failure(failure why) noexcept {
  if (!why) return {};
  const bool is_known = why.code.category() != category() || why.code == make_error_code(errc::file_shrank) ||
                        why.code == make_error_code(errc::source_changed) ||
                        why.code == make_error_code(errc::source_failed) ||
                        why.code == make_error_code(errc::out_of_memory);
  if (!is_known) return {.code = errc::source_failed, .found = static_cast<std::uint64_t>(why.code.value())};
  return {.code = why.code, .expected = why.expected, .found = why.found};
}

versioned_source::versioned_source(std::shared_ptr<byte_source> source) noexcept
    : source_(std::move(source)), costs_(within_limits(source_->costs())) {}

failure versioned_source::open(std::span<opening_request> first, source_state& state, std::uint64_t& number) noexcept {
  for (const opening_request& each : first) std::ranges::fill(each.out, std::byte{});
  const std::lock_guard alone(mutex_);
  is_opening_.store(true);
  failure why = call_source([&] { return source_->open(first, state); });
  if (!why && state.version != version_)
    why = call_source([&]() -> failure {
      version_ = state.version;
      number_.fetch_add(1);
      return {};
    });
  number = number_.load();
  is_opening_.store(false);
  return why;
}

bool versioned_source::is_current(std::uint64_t number) noexcept {
  // A read that ends while the source is opened may have bytes of either version.
  if (is_opening_.load()) {
    const std::lock_guard wait(mutex_);
    return number_.load() == number;
  }
  return number_.load() == number;
}

failure versioned_source::send(std::span<const byte_request> requests, std::uint64_t number,
                               const std::stop_token& stop) noexcept {
  failure why;
  if (!is_current(number)) why = {.code = errc::source_changed};
  if (!why && !stop.stop_requested()) {
    for (const byte_request& each : requests) std::ranges::fill(each.out, std::byte{});
    why = call_source([&] { return source_->read(requests, stop); });
    if (!why && !is_current(number)) why = {.code = errc::source_changed};
  }
  if (stop.stop_requested()) why = {.code = std::make_error_code(std::errc::operation_canceled)};
  if (why) why.offset = requests.front().offset;
  return why;
}

void versioned_source::will_need(const byte_range& range) noexcept {
  const std::array ranges{range};
  static_cast<void>(call_source([&]() -> failure {
    source_->will_need(ranges);
    return {};
  }));
}

}  // namespace tgmap::io
