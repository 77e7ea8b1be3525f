// SPDX-License-Identifier: Apache-2.0
#include "io/byte_source_reader.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace tgmap::io {

namespace {

/// Larger sizes could overflow sums of offsets.
constexpr std::uint64_t max_size = INT64_MAX;

}  // namespace

byte_source_reader::byte_source_reader(std::shared_ptr<versioned_source> source) noexcept
    : source_(std::move(source)),
      max_extent_(static_cast<std::size_t>(
          std::min({source_->costs().gap, source_->costs().max_request, std::uint64_t{max_extent}}))) {}

std::unique_ptr<const byte_source_reader> byte_source_reader::open(std::shared_ptr<byte_source> from,
                                                                   std::optional<std::uint64_t> begin,
                                                                   failure& why) noexcept {
  std::shared_ptr<versioned_source> source;
  why = call_source([&]() -> failure {
    source = std::make_shared<versioned_source>(std::move(from));
    return {};
  });
  return why ? nullptr : open(std::move(source), begin, why);
}

std::unique_ptr<const byte_source_reader> byte_source_reader::reopened(std::uint64_t begin,
                                                                       failure& why) const noexcept {
  return open(source_, begin, why);
}

std::unique_ptr<const byte_source_reader> byte_source_reader::open(std::shared_ptr<versioned_source> source,
                                                                   std::optional<std::uint64_t> begin,
                                                                   failure& why) noexcept {
  std::unique_ptr<byte_source_reader> out(new (std::nothrow) byte_source_reader(std::move(source)));
  std::unique_ptr<std::byte[]> bytes(new (std::nothrow) std::byte[first_extent]);
  if (!out || !bytes) {
    why = {.code = errc::out_of_memory, .found = first_extent};
    return nullptr;
  }
  std::array<opening_request, 1> first{};
  first[0] = {.offset = begin.value_or(0), .is_suffix = !begin, .out = {bytes.get(), first_extent}};
  source_state state;
  why = out->source_->open(first, state, out->version_number_);
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

bool byte_source_reader::is_replaced(failure& why) const noexcept {
  source_state now;
  std::uint64_t number = 0;
  why = source_->open({}, now, number);
  return !why && number != version_number_;
}

std::optional<std::uint64_t> byte_source_reader::version_digest() const noexcept {
  constexpr std::uint64_t highest = std::uint64_t{1} << 63;
  if (version_.empty() || !is_current()) return std::nullopt;
  // Odd, so that stamps compare all of its digits.
  return XXH3_64bits(version_.data(), version_.size()) | highest | 1;
}

failure byte_source_reader::read_parts(std::uint64_t offset, std::span<std::byte> out,
                                       const std::stop_token& stop) const noexcept {
  std::array<byte_request, 64> parts;
  while (!out.empty()) {
    std::size_t count = 0;
    for (; !out.empty() && count < source_->costs().max_requests; ++count) {
      const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), source_->costs().max_request));
      parts[count] = {offset, out.first(size)};
      offset += size;
      out = out.subspan(size);
    }
    if (failure why = source_->send(std::span(parts).first(count), version_number_, stop)) return why;
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
  const std::uint64_t near = source_->costs().gap / 4, end = offset + size;
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
  // The bytes beside the range may be gone, and memory may be missing: try the range alone.
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
    const std::uint64_t most = to_->source_->costs().max_request;
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
    failure why = parts_.empty() ? failure() : to_->source_->send(parts_, to_->version_number_, {});
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
    return parts_.size() < to_->source_->costs().max_requests ? failure() : finish();
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
      for (next = first + 1; next < missing.size() && missing[next].offset <= end + source_->costs().gap; ++next) {
        const std::uint64_t later = std::max(end, end_of(missing[next]));
        if (later - missing[first].offset > source_->costs().max_request) break;
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
  if (size != 0 && !find_extent(offset, size)) source_->will_need({offset, size});
}

}  // namespace tgmap::io
