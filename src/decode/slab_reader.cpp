// SPDX-License-Identifier: Apache-2.0
#include "decode/slab_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace tgmap::decode {

slab_runs::slab_runs(const slab& box, std::span<const std::int64_t> strides) noexcept {
  std::uint64_t box_step = 1;
  for (std::size_t d = box.count.size(); d-- > 0;) {
    const std::uint64_t stride = static_cast<std::uint64_t>(strides[d]);
    const std::uint64_t step = box.stride.empty() ? 1 : box.stride[d];
    if (box.count[d] == 0) return;
    first_ += box.start[d] * stride;
    // A dimension of one element has no steps.
    if (box.count[d] > 1) axes_[rank_++] = {box.count[d], step * stride, box_step};
    box_step *= box.count[d];
  }
  const auto all = std::span(axes_).first(rank_);
  std::sort(all.begin(), all.end(), [](const axis& a, const axis& b) { return a.step > b.step; });
  done_ = false;

  // The run is the innermost axis, and outer axes that continue it.
  if (rank_ > 0) inner_ = axes_[--rank_];
  while (rank_ > 0 && axes_[rank_ - 1].step == inner_.step * inner_.count &&
         axes_[rank_ - 1].box_step == inner_.box_step * inner_.count)
    inner_.count *= axes_[--rank_].count;
  std::fill_n(index_.begin(), rank_, 0);
  set_current();
}

void slab_runs::set_current() noexcept {
  current_ = {
      .first = first_, .count = inner_.count, .step = inner_.step, .box_position = 0, .box_step = inner_.box_step};
  for (std::size_t d = 0; d < rank_; ++d) {
    current_.first += index_[d] * axes_[d].step;
    current_.box_position += index_[d] * axes_[d].box_step;
  }
}

void slab_runs::skip(std::uint64_t count) noexcept {
  current_.first += count * current_.step;
  current_.box_position += count * current_.box_step;
  current_.count -= count;
  if (current_.count != 0) return;
  if (!others_.empty()) {
    current_ = others_.front();
    others_ = others_.subspan(1);
    return;
  }
  std::size_t d = rank_;
  while (d > 0 && ++index_[d - 1] == axes_[d - 1].count) index_[--d] = 0;
  if (d == 0)
    done_ = true;
  else
    set_current();
}

namespace {

/// Encoded bytes of a window, unless one piece is larger.
constexpr std::uint64_t window_size = std::uint64_t{1} << 20;

/// Number of elements that are decoded together and then copied apart.
constexpr std::uint64_t elements_per_block = 1024;

/// Up to this step the elements in between are decoded, too.
constexpr std::uint64_t near_step = 8;

/// Returns the number of elements of a run before `end`.
std::uint64_t count_before(const run& run, std::uint64_t end) noexcept {
  return run.first >= end ? 0 : std::min(run.count, (end - run.first - 1) / run.step + 1);
}

}  // namespace

/// Returns the window from the next element on: the rest of its run, and later runs that are near enough.
extent slab_reader::window_at(const slab_runs& next) const noexcept {
  const element_builder& builder = decoder_.builder();
  extent out = builder.needs(next.current().first, 1);
  const std::uint64_t window_end = out.begin + window_size;
  slab_runs ahead = next;
  while (!ahead.done()) {
    const run& current = ahead.current();
    const extent first = builder.needs(current.first, 1);
    if (first.begin > out.end && first.begin - out.end > read_ahead_) break;
    // Elements that are too far apart are read one by one.
    const extent second = current.count > 1 ? builder.needs(current.first + current.step, 1) : first;
    const bool apart = second.begin > first.end && second.begin - first.end > read_ahead_;
    const extent wanted = apart ? first : builder.needs(current.first, current.end() - current.first);
    out.end = std::max(out.end, std::min(wanted.end, std::max(window_end, first.end)));
    if (apart || out.end >= window_end) break;
    ahead.skip(current.count);
  }
  return out;
}

/// Visits windows in the order of the payload: calls `load(extent)` for each, then `take(run, box)` for each part of a
/// run in it.
template <class Load, class Take>
failure slab_reader::each_window(std::vector<slab_request>& requests, Load&& load, Take&& take) const {
  const auto later = [&](std::size_t a, std::size_t b) {
    return requests[a].runs.current().first > requests[b].runs.current().first;
  };
  std::vector<std::size_t> queue;
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (!requests[i].runs.done()) queue.push_back(i);
  std::make_heap(queue.begin(), queue.end(), later);
  while (!queue.empty()) {
    const extent bytes = decoder_.around(window_at(requests[queue.front()].runs));
    const std::uint64_t end = decoder_.builder().holds(bytes).end;
    if (failure why = load(bytes)) return why;
    while (!queue.empty() && requests[queue.front()].runs.current().first < end) {
      std::pop_heap(queue.begin(), queue.end(), later);
      slab_request& box = requests[queue.back()];
      run part = box.runs.current();
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
  if (plan_.descriptor.dtype == dtype::bitmask)
    for (const slab_request& each : requests) std::fill(each.out.begin(), each.out.end(), std::byte{0});
  window now;
  return each_window(
      requests, [&](extent bytes) { return decoder_.encoded(bytes, tools, now); },
      [&](const run& part, const slab_request& box) { copy_elements(now, part, box.out); });
}

part_cost slab_reader::cost(std::vector<slab_request>& requests) const {
  part_cost out{.decodes_whole_object = decoder_.whole_only()};
  const auto add = [&](extent bytes) -> failure {
    out.bytes_read += decoder_.source().cost(bytes);
    if (decoder_.source().compressed()) out.bytes_decoded += bytes.size();
    return {};
  };
  static_cast<void>(each_window(requests, add, [](const run&, const slab_request&) {}));
  return out;
}

void slab_reader::copy_elements(const window& window, const run& elements, std::span<std::byte> out) const noexcept {
  if (plan_.descriptor.dtype == dtype::bitmask) return copy_bits(window, elements, out);
  const element_builder& builder = decoder_.builder();
  const std::size_t width = tgmap::element_size(plan_.descriptor.dtype);
  const auto place = [&](std::uint64_t i) {
    return out.subspan(static_cast<std::size_t>((elements.box_position + i * elements.box_step) * width), width);
  };
  if (elements.step == 1 && elements.box_step == 1) {
    const auto to = out.subspan(static_cast<std::size_t>(elements.box_position) * width,
                                static_cast<std::size_t>(elements.count) * width);
    return builder.finish(window, elements.first, to);
  }
  if (elements.step > near_step) {
    for (std::uint64_t i = 0; i < elements.count; ++i)
      builder.finish(window, elements.first + i * elements.step, place(i));
    return;
  }
  alignas(16) std::array<std::byte, elements_per_block * 16> block;
  const std::uint64_t block_count = elements_per_block / elements.step;
  for (std::uint64_t done = 0; done < elements.count; done += block_count) {
    const std::uint64_t count = std::min(block_count, elements.count - done), reach = (count - 1) * elements.step + 1;
    builder.finish(window, elements.first + done * elements.step,
                   std::span(block).first(static_cast<std::size_t>(reach) * width));
    for (std::uint64_t i = 0; i < count; ++i)
      std::memcpy(place(done + i).data(), block.data() + i * elements.step * width, width);
  }
}

void slab_reader::copy_bits(const window& window, const run& elements, std::span<std::byte> out) const noexcept {
  for (std::uint64_t i = 0; i < elements.count; ++i) {
    const std::uint64_t at = elements.first + i * elements.step, to = elements.box_position + i * elements.box_step;
    const std::byte stored = window.bytes[static_cast<std::size_t>(at / 8 - window.at)];
    if ((stored & (std::byte{0x80} >> static_cast<int>(at % 8))) != std::byte{0})
      out[static_cast<std::size_t>(to / 8)] |= std::byte{0x80} >> static_cast<int>(to % 8);
  }
}

}  // namespace tgmap::decode
