// SPDX-License-Identifier: Apache-2.0
#include "io/byte_source_reader.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

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

/// Larger sizes could overflow sums of offsets.
constexpr std::uint64_t max_size = INT64_MAX;

source_costs within_limits(source_costs costs) noexcept {
  constexpr std::uint64_t max_gap = std::uint64_t{64} << 20, min_request = page;
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

byte_source_reader::shared_source::shared_source(std::shared_ptr<byte_source> from) noexcept
    : source(std::move(from)), costs(within_limits(source->costs())) {}

byte_source_reader::byte_source_reader(std::shared_ptr<shared_source> shared) noexcept
    : shared_(std::move(shared)),
      max_extent_(static_cast<std::size_t>(
          std::min({shared_->costs.gap, shared_->costs.max_request, std::uint64_t{max_extent}}))) {}

std::unique_ptr<const byte_source_reader> byte_source_reader::open(std::shared_ptr<byte_source> from,
                                                                   std::optional<std::uint64_t> begin,
                                                                   failure& why) noexcept {
  std::shared_ptr<shared_source> shared;
  why = call_source([&]() -> failure {
    shared = std::make_shared<shared_source>(std::move(from));
    return {};
  });
  return why ? nullptr : open(std::move(shared), begin, why);
}

std::unique_ptr<const byte_source_reader> byte_source_reader::reopened(std::uint64_t begin,
                                                                       failure& why) const noexcept {
  return open(shared_, begin, why);
}

std::unique_ptr<const byte_source_reader> byte_source_reader::open(std::shared_ptr<shared_source> shared,
                                                                   std::optional<std::uint64_t> begin,
                                                                   failure& why) noexcept {
  std::unique_ptr<byte_source_reader> out(new (std::nothrow) byte_source_reader(std::move(shared)));
  std::unique_ptr<std::byte[]> bytes(new (std::nothrow) std::byte[first_extent]);
  if (!out || !bytes) {
    why = {.code = errc::out_of_memory, .found = first_extent};
    return nullptr;
  }
  std::array<opening_request, 1> first{};
  first[0] = {.offset = begin.value_or(0), .is_suffix = !begin, .out = {bytes.get(), first_extent}};
  source_state state;
  why = call_open(*out->shared_, first, state, out->version_number_);
  if (!why && state.size > max_size) why = {.code = errc::source_failed, .expected = max_size, .found = state.size};
  if (why) return nullptr;
  out->size_ = state.size;
  out->version_ = std::move(state.version);
  const std::uint64_t filled = first[0].filled, at = begin ? *begin : state.size - std::min(state.size, filled);
  if (filled == 0 || filled > first_extent || at > state.size || filled > state.size - at) return out;
  why = call_source([&]() -> failure {
    out->hold(std::make_shared<const extent>(extent{at, static_cast<std::size_t>(filled), std::move(bytes)}));
    return {};
  });
  return why ? nullptr : std::move(out);
}

/// Calls open(), and notes if the version is another one. Reads that end meanwhile wait in is_current().
failure byte_source_reader::call_open(shared_source& shared, std::span<opening_request> first, source_state& state,
                                      std::uint64_t& number) noexcept {
  for (const opening_request& each : first) std::ranges::fill(each.out, std::byte{});
  const std::lock_guard alone(shared.mutex);
  shared.is_opening.store(true);
  failure why = call_source([&] { return shared.source->open(first, state); });
  if (!why && state.version != shared.version)
    why = call_source([&]() -> failure {
      shared.version = state.version;
      shared.version_number.fetch_add(1);
      return {};
    });
  number = shared.version_number.load();
  shared.is_opening.store(false);
  return why;
}

bool byte_source_reader::is_current() const noexcept {
  if (shared_->is_opening.load()) {
    const std::lock_guard wait(shared_->mutex);
    return shared_->version_number.load() == version_number_;
  }
  return shared_->version_number.load() == version_number_;
}

bool byte_source_reader::is_replaced(failure& why) const noexcept {
  source_state now;
  std::uint64_t number = 0;
  why = call_open(*shared_, {}, now, number);
  return !why && number != version_number_;
}

std::optional<std::uint64_t> byte_source_reader::version_digest() const noexcept {
  constexpr std::uint64_t highest = std::uint64_t{1} << 63;
  if (version_.empty() || !is_current()) return std::nullopt;
  // Odd, so that stamps compare all of its digits.
  return XXH3_64bits(version_.data(), version_.size()) | highest | 1;
}

/// Sends requests that fit into one call.
failure byte_source_reader::send(std::span<const byte_request> requests, const std::stop_token& stop) const noexcept {
  if (!is_current()) return {.code = errc::source_changed, .offset = requests.front().offset};
  for (const byte_request& each : requests) std::ranges::fill(each.out, std::byte{});
  failure why;
  if (!stop.stop_requested()) why = call_source([&] { return shared_->source->read(requests, stop); });
  if (stop.stop_requested()) why = {.code = std::make_error_code(std::errc::operation_canceled)};
  if (!why && !is_current()) why = {.code = errc::source_changed};
  if (why) why.offset = requests.front().offset;
  return why;
}

failure byte_source_reader::read_parts(std::uint64_t offset, std::span<std::byte> out,
                                       const std::stop_token& stop) const noexcept {
  std::array<byte_request, 64> parts;
  while (!out.empty()) {
    std::size_t count = 0;
    for (; !out.empty() && count < shared_->costs.max_requests; ++count) {
      const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), shared_->costs.max_request));
      parts[count] = {offset, out.first(size)};
      offset += size;
      out = out.subspan(size);
    }
    if (failure why = send(std::span(parts).first(count), stop)) return why;
  }
  return {};
}

std::shared_ptr<const byte_source_reader::extent> byte_source_reader::find_extent(std::uint64_t offset,
                                                                                  std::uint64_t size) const noexcept {
  const std::lock_guard lock(mutex_);
  for (const auto& each : extents_)
    if (each && each->holds(offset, size)) return each;
  return nullptr;
}

bool byte_source_reader::copy_held(std::uint64_t offset, std::span<std::byte> out) const noexcept {
  const auto found = find_extent(offset, out.size());
  if (found) std::memcpy(out.data(), found->bytes.get() + (offset - found->begin), out.size());
  return found != nullptr;
}

void byte_source_reader::hold(std::shared_ptr<const extent> added) const noexcept {
  const std::lock_guard lock(mutex_);
  std::swap(extents_[next_], added);  // the older one is freed without the lock
  next_ = (next_ + 1) % extents_.size();
}

/// Returns what to read for a range that is not held: twice as much as the extent that it follows, or that follows it.
byte_span byte_source_reader::extent_for(std::uint64_t offset, std::size_t size) const noexcept {
  // A walk in larger steps saves fewer requests than the bytes between cost.
  const std::uint64_t near = shared_->costs.gap / 4, end = offset + size;
  std::size_t wanted = first_extent;
  bool backwards = false;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& each : extents_) {
      if (!each) continue;
      const bool follows = offset >= each->begin && (offset <= each->end() || offset - each->end() <= near);
      const bool precedes = end <= each->end() && (end >= each->begin || each->begin - end <= near);
      if ((!follows && !precedes) || 2 * each->size < wanted) continue;
      wanted = 2 * each->size;
      backwards = !follows;
    }
  }
  wanted = std::max(size, std::min(wanted, max_extent_));
  if (backwards) {
    const std::uint64_t begin = end - std::min<std::uint64_t>(end, wanted);
    return {begin, static_cast<std::size_t>(end - begin)};
  }
  // Near the end, what is before the range may be needed, too: a message is found from its end.
  const std::uint64_t begin = std::min(offset, size_ - std::min<std::uint64_t>(size_, wanted));
  return {begin, static_cast<std::size_t>(std::min<std::uint64_t>(wanted, size_ - begin))};
}

/// Reads an extent that holds the range, and keeps it.
failure byte_source_reader::read_extent(std::uint64_t offset, std::span<std::byte> out,
                                        const std::stop_token& stop) const noexcept {
  constexpr std::uint64_t step = 256 << 10;
  const std::lock_guard alone(reading_[offset / step % reading_.size()]);
  if (copy_held(offset, out)) return {};
  const byte_span wanted = extent_for(offset, out.size());
  std::shared_ptr<extent> added;
  failure why = call_source([&]() -> failure {
    added = std::make_shared<extent>(extent{wanted.begin, wanted.size, std::make_unique<std::byte[]>(wanted.size)});
    return {};
  });
  if (!why) why = read_parts(wanted.begin, {added->bytes.get(), added->size}, stop);
  if (!why) {
    std::memcpy(out.data(), added->bytes.get() + (offset - wanted.begin), out.size());
    hold(std::move(added));
    return {};
  }
  // What is read beside the range may be gone, and memory may be missing.
  const bool may_succeed = why.code.category() == category() && why.code != make_error_code(errc::source_changed);
  return may_succeed && wanted.size > out.size() ? read_parts(offset, out, stop) : why;
}

failure byte_source_reader::read(std::uint64_t offset, std::span<std::byte> out, read_cost& cost,
                                 const std::stop_token& stop) const noexcept {
  cost = read_cost::in_memory;
  if (out.empty() || copy_held(offset, out)) return {};
  cost = read_cost::waited;
  failure why = out.size() > max_extent_ / 2 ? read_parts(offset, out, stop) : read_extent(offset, out, stop);
  if (why) why.offset = offset;  // not that of the bytes that were read beside it
  return why;
}

/// Collects the requests of one call, and the buffers of ranges that were joined.
class byte_source_reader::batch {
 public:
  explicit batch(const byte_source_reader& to) noexcept : to_(&to) {}

  /// Adds a range that is read into the memory of its caller.
  failure add(byte_request range) {
    const std::uint64_t most = to_->shared_->costs.max_request;
    while (!range.out.empty()) {
      const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(range.out.size(), most));
      if (failure why = add_part({range.offset, range.out.first(size)})) return why;
      range = {range.offset + size, range.out.subspan(size)};
    }
    return {};
  }

  /// Adds ranges that are read at once, from `begin` to `end`.
  failure add(std::span<const byte_request> ranges, std::uint64_t begin, std::uint64_t end) {
    joined_.push_back({ranges, begin, std::make_unique<std::byte[]>(static_cast<std::size_t>(end - begin))});
    return add_part({begin, {joined_.back().bytes.get(), static_cast<std::size_t>(end - begin)}});
  }

  failure finish() noexcept {
    failure why = parts_.empty() ? failure() : to_->send(parts_, {});
    if (!why)
      for (const joined& each : joined_)
        for (const byte_request& range : each.ranges)
          std::memcpy(range.out.data(), each.bytes.get() + (range.offset - each.begin), range.out.size());
    parts_.clear();
    joined_.clear();
    return why;
  }

 private:
  struct joined {
    std::span<const byte_request> ranges;
    std::uint64_t begin;
    std::unique_ptr<std::byte[]> bytes;
  };

  failure add_part(byte_request part) {
    parts_.push_back(part);
    return parts_.size() < to_->shared_->costs.max_requests ? failure() : finish();
  }

  const byte_source_reader* to_;
  std::vector<byte_request> parts_{};
  std::vector<joined> joined_{};
};

failure byte_source_reader::read(std::span<const byte_request> requests, std::uint64_t base) const noexcept {
  return call_source([&]() -> failure {
    std::vector<byte_request> missing;
    for (const byte_request& each : requests)
      if (!each.out.empty() && !copy_held(base + each.offset, each.out))
        missing.push_back({base + each.offset, each.out});
    std::ranges::sort(missing, {}, &byte_request::offset);
    const auto end_of = [](const byte_request& range) { return range.offset + range.out.size(); };
    batch all(*this);
    for (std::size_t first = 0, next = 0; first < missing.size(); first = next) {
      std::uint64_t end = end_of(missing[first]);
      for (next = first + 1; next < missing.size() && missing[next].offset <= end + shared_->costs.gap; ++next) {
        const std::uint64_t later = std::max(end, end_of(missing[next]));
        if (later - missing[first].offset > shared_->costs.max_request) break;
        end = later;
      }
      const auto ranges = std::span<const byte_request>(missing).subspan(first, next - first);
      if (failure why = ranges.size() == 1 ? all.add(ranges.front()) : all.add(ranges, ranges.front().offset, end))
        return why;
    }
    return all.finish();
  });
}

void byte_source_reader::will_need(std::uint64_t offset, std::uint64_t size) const noexcept {
  if (size == 0 || find_extent(offset, size)) return;
  const std::array range{byte_range{offset, size}};
  static_cast<void>(call_source([&]() -> failure {
    shared_->source->will_need(range);
    return {};
  }));
}

}  // namespace tgmap::io
