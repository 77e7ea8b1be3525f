// SPDX-License-Identifier: Apache-2.0
#include "decode/slab_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace tgmap::decode {

slab_runs::slab_runs(const slab& box, std::span<const std::int64_t> strides) noexcept {
  std::uint64_t to_step = 1;
  for (std::size_t d = box.count.size(); d-- > 0;) {
    const std::uint64_t stride = static_cast<std::uint64_t>(strides[d]);
    const std::uint64_t step = box.stride.empty() ? 1 : box.stride[d];
    if (box.count[d] == 0) return;
    first_ += box.start[d] * stride;
    // A dimension of one element has no steps.
    if (box.count[d] > 1) axes_[rank_++] = {box.count[d], step * stride, to_step};
    to_step *= box.count[d];
  }
  const auto all = std::span(axes_).first(rank_);
  std::sort(all.begin(), all.end(), [](const axis& a, const axis& b) { return a.step > b.step; });
  done_ = false;

  // The run is the innermost axis, and outer axes that continue it.
  if (rank_ > 0) inner_ = axes_[--rank_];
  while (rank_ > 0 && axes_[rank_ - 1].step == inner_.step * inner_.count &&
         axes_[rank_ - 1].to_step == inner_.to_step * inner_.count)
    inner_.count *= axes_[--rank_].count;
  std::fill_n(index_.begin(), rank_, 0);
  load();
}

void slab_runs::load() noexcept {
  now_ = {.first = first_, .count = inner_.count, .step = inner_.step, .to = 0, .to_step = inner_.to_step};
  for (std::size_t d = 0; d < rank_; ++d) {
    now_.first += index_[d] * axes_[d].step;
    now_.to += index_[d] * axes_[d].to_step;
  }
}

void slab_runs::skip(std::uint64_t count) noexcept {
  now_.first += count * now_.step;
  now_.to += count * now_.to_step;
  now_.count -= count;
  if (now_.count != 0) return;
  std::size_t d = rank_;
  while (d > 0 && ++index_[d - 1] == axes_[d - 1].count) index_[--d] = 0;
  if (d == 0)
    done_ = true;
  else
    load();
}

namespace {

/// Encoded bytes of a window, unless one piece is larger.
constexpr std::uint64_t window_size = std::uint64_t{1} << 20;

/// Elements that are decoded together before they are scattered, and the largest step for which the elements between
/// are decoded, too.
constexpr std::uint64_t gathered = 1024, near_step = 8;

/// Returns the number of elements of a run before `end`.
std::uint64_t count_before(const run& of, std::uint64_t end) noexcept {
  return of.first >= end ? 0 : std::min(of.count, (end - of.first - 1) / of.step + 1);
}

}  // namespace

/// Returns the window from the next element on: the rest of its run, and later runs that are near enough.
extent slab_reader::window_at(const slab_runs& next) const noexcept {
  const element_builder& by = by_.builder();
  extent out = by.needs(next.now().first, 1);
  const std::uint64_t most = out.begin + window_size;
  slab_runs ahead = next;
  while (!ahead.done()) {
    const run& now = ahead.now();
    const extent first = by.needs(now.first, 1);
    if (first.begin > out.end && first.begin - out.end > read_ahead_) break;
    // Elements that are too far apart are read one by one.
    const extent second = now.count > 1 ? by.needs(now.first + now.step, 1) : first;
    const bool apart = second.begin > first.end && second.begin - first.end > read_ahead_;
    const extent wanted = apart ? first : by.needs(now.first, now.end() - now.first);
    out.end = std::max(out.end, std::min(wanted.end, std::max(most, first.end)));
    if (apart || out.end >= most) break;
    ahead.skip(now.count);
  }
  return out;
}

/// Visits windows in the order of the payload: calls `load(extent)` for each, then `take(run, box)` for each part of a
/// run in it.
template <class Load, class Take>
failure slab_reader::each_window(std::vector<slab_request>& requests, Load&& load, Take&& take) const {
  const auto later = [&](std::size_t a, std::size_t b) {
    return requests[a].runs.now().first > requests[b].runs.now().first;
  };
  std::vector<std::size_t> queue;
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (!requests[i].runs.done()) queue.push_back(i);
  std::make_heap(queue.begin(), queue.end(), later);
  while (!queue.empty()) {
    const extent bytes = by_.around(window_at(requests[queue.front()].runs));
    const std::uint64_t end = by_.builder().holds(bytes).end;
    if (failure why = load(bytes)) return why;
    while (!queue.empty() && requests[queue.front()].runs.now().first < end) {
      std::pop_heap(queue.begin(), queue.end(), later);
      slab_request& box = requests[queue.back()];
      run part = box.runs.now();
      part.count = count_before(part, end);
      take(part, box);
      box.runs.skip(part.count);
      if (box.runs.done())
        queue.pop_back();
      else
        std::push_heap(queue.begin(), queue.end(), later);
    }
  }
  return {};
}

failure slab_reader::read(std::vector<slab_request>& requests, workspace& tools) const {
  if (plan_.what.dtype == dtype::bitmask)
    for (const slab_request& each : requests) std::fill(each.out.begin(), each.out.end(), std::byte{0});
  window now;
  return each_window(
      requests, [&](extent bytes) { return by_.encoded(bytes, tools, now); },
      [&](const run& part, const slab_request& box) { put(now, part, box.out); });
}

part_cost slab_reader::cost(std::vector<slab_request>& requests) const {
  part_cost out{.decodes_whole_object = by_.whole_only()};
  const auto add = [&](extent bytes) -> failure {
    out.bytes_read += by_.source().cost(bytes);
    if (by_.source().compressed()) out.bytes_decoded += bytes.size();
    return {};
  };
  static_cast<void>(each_window(requests, add, [](const run&, const slab_request&) {}));
  return out;
}

void slab_reader::put(const window& from, const run& of, std::span<std::byte> out) const noexcept {
  if (plan_.what.dtype == dtype::bitmask) return put_bits(from, of, out);
  const element_builder& by = by_.builder();
  const std::size_t width = tgmap::element_size(plan_.what.dtype);
  const auto place = [&](std::uint64_t i) {
    return out.subspan(static_cast<std::size_t>((of.to + i * of.to_step) * width), width);
  };
  if (of.step == 1 && of.to_step == 1) {
    const auto to = out.subspan(static_cast<std::size_t>(of.to) * width, static_cast<std::size_t>(of.count) * width);
    return by.finish(from, of.first, to);
  }
  if (of.step > near_step) {
    for (std::uint64_t i = 0; i < of.count; ++i) by.finish(from, of.first + i * of.step, place(i));
    return;
  }
  alignas(16) std::array<std::byte, gathered * 16> block;
  const std::uint64_t together = gathered / of.step;
  for (std::uint64_t done = 0; done < of.count; done += together) {
    const std::uint64_t now = std::min(together, of.count - done), reach = (now - 1) * of.step + 1;
    by.finish(from, of.first + done * of.step, std::span(block).first(static_cast<std::size_t>(reach) * width));
    for (std::uint64_t i = 0; i < now; ++i)
      std::memcpy(place(done + i).data(), block.data() + i * of.step * width, width);
  }
}

void slab_reader::put_bits(const window& from, const run& of, std::span<std::byte> out) const noexcept {
  for (std::uint64_t i = 0; i < of.count; ++i) {
    const std::uint64_t at = of.first + i * of.step, to = of.to + i * of.to_step;
    const std::byte stored = from.bytes[static_cast<std::size_t>(at / 8 - from.at)];
    if ((stored & (std::byte{0x80} >> static_cast<int>(at % 8))) != std::byte{0})
      out[static_cast<std::size_t>(to / 8)] |= std::byte{0x80} >> static_cast<int>(to % 8);
  }
}

}  // namespace tgmap::decode
