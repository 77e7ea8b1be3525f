// SPDX-License-Identifier: Apache-2.0
#include <tgmap/decode/gather.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <new>
#include <numeric>
#include <tgmap/decode/executor.hpp>
#include <tuple>
#include <utility>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "core/bus_guard.hpp"
#include "core/or_throw.hpp"
#include "gather/object_decoder.hpp"
#include "gather/strided_output.hpp"
#include "index_file/reader.hpp"

namespace tgmap {

namespace gather {

namespace {

/// Objects of less cost together are decoded by the calling thread alone. Waking a thread takes as long as reading some
/// ten KiB.
constexpr std::uint64_t single_thread_cost = std::uint64_t{256} << 10;

/// Cost of an object besides its bytes: finding and planning.
constexpr std::uint64_t object_cost = 4096;

/// Objects of one task; a thread that takes one keeps its buffers and plans meanwhile.
constexpr std::size_t tasks_of_each_thread = 4;

/// The archives of one call. Each is opened when its first object is read, and let go after its last one.
class archives_in_use {
 public:
  archives_in_use(const archive_opener& open, std::span<const object_location> all) : open_(open) {
    for (const object_location& each : all) {
      if (each.is_hole()) continue;
      if (each.archive >= archives_.size()) {
        archives_.resize(std::size_t{each.archive} + 1);
        left_.resize(archives_.size());
      }
      ++left_[each.archive];
    }
  }

  /// Returns an archive, which is opened if it is not open. Errors: those of the opener.
  archive take(std::uint32_t number, failure& why) {
    const std::lock_guard lock(mutex_);
    archive& known = archives_[number];
    if (!known) {
      why = {};
      known = open_(number, why);
      if (!why && !known) why = {.code = errc::no_archive};
      if (why) known = {};
    }
    return known;
  }

  /// Lets an archive go after `count` more of its objects were read.
  void release(std::uint32_t number, std::size_t count) {
    archive last;  // closed after the lock was released
    const std::lock_guard lock(mutex_);
    left_[number] -= count;
    if (left_[number] == 0) std::swap(last, archives_[number]);
  }

 private:
  const archive_opener& open_;
  std::mutex mutex_{};
  std::vector<archive> archives_{};
  std::vector<std::size_t> left_{};  ///< objects that were not read yet
};

}  // namespace

}  // namespace gather

inline namespace v0 {

namespace detail {

/// A `gather_state` holds what an object_gatherer was opened with. It does not change afterwards.
struct gather_state {
  std::span<const object_location> locations{};
  archive_opener opener{};
  decode_options options{};
  gather::element_form form{};
  std::size_t first = SIZE_MAX;      ///< the location that the form is of
  std::vector<std::size_t> order{};  ///< locations that are no holes, by archive, offset and object
};

}  // namespace detail

namespace {

using detail::gather_state;

/// A `gather_run` performs one call.
class gather_run {
 public:
  gather_run(const gather_state& of, const gather::wanted_part& part, const gather_output& out)
      : of_(of), part_(part), out_(out), archives_(of.opener, of.locations) {}

  void run() {
    const std::uint64_t bytes = part_.count * of_.form.item() + gather::object_cost;
    const std::size_t count = of_.order.size();
    if (count == 0) return;
    executor* on = nullptr;
    if (bytes >= gather::single_thread_cost / count) {
      static_cast<void>(core::offer_bus_guard());
      on = of_.options.executor != nullptr ? of_.options.executor : &shared_executor();
    }
    const unsigned threads = on == nullptr ? 1 : on->concurrency();
    if (threads == 1) return work(0, count, nullptr);
    // Few large objects are decoded by all threads at once, many by one thread each.
    if (count < 2 * std::size_t{threads} && bytes >= parallel_object) return work(0, count, on);
    const std::size_t tasks = std::min<std::size_t>(count, threads * gather::tasks_of_each_thread);
    auto task = [&](std::size_t i) noexcept { work(count * i / tasks, count * (i + 1) / tasks, nullptr); };
    on->run(tasks, {[](void* to, std::size_t i) noexcept { (*static_cast<decltype(task)*>(to))(i); }, &task});
  }

  gather_result result(failure& why) const {
    gather_result out{.gathered = gathered_, .stopped = gathered_ < of_.order.size()};
    why = cause_;
    if (why) out.failed_location = of_.order[failed_];
    return out;
  }

 private:
  static constexpr std::uint64_t parallel_object = std::uint64_t{2} << 20;

  /// Decodes objects [begin, end) of the order.
  void work(std::size_t begin, std::size_t end, executor* on) noexcept {
    std::size_t i = begin;
    try {
      gather::object_decoder decoder(of_.form, part_, out_, of_.options);
      while (i < end && may_begin(i)) {
        const std::uint32_t number = of_.locations[of_.order[i]].archive;
        failure why;
        const archive from = archives_.take(number, why);
        if (why) return fail(i, why);
        const std::size_t first = i;
        std::size_t ahead = i + 1;  // the first one shows how they are
        for (; i < end && may_begin(i) && of_.locations[of_.order[i]].archive == number; ++i) {
          const std::size_t location = of_.order[i];
          if (i == ahead) ahead += read_ahead(decoder, *detail::access::state(from), i, end);
          std::byte* const to = output_of(location);
          why = decoder.decode(*detail::access::state(from), of_.locations[location], location, on, to);
          if (why) return fail(i, why);
          gathered_.fetch_add(1, std::memory_order_relaxed);
        }
        archives_.release(number, i - first);
      }
    } catch (const std::bad_alloc&) {
      fail(i, {.code = errc::out_of_memory});
    } catch (...) {  // of the opener
      fail(i, {.code = errc::source_failed});
    }
  }

  std::byte* output_of(std::size_t location) const noexcept {
    return out_.data + static_cast<std::int64_t>(location) * out_.location_stride;
  }

  /// Lets the next small objects of an archive be read at once. Returns after how many this is to be tried again.
  std::size_t read_ahead(gather::object_decoder& decoder, const detail::archive_state& state, std::size_t i,
                         std::size_t end) const noexcept {
    constexpr std::size_t unlike = 8;  // objects that are not alike will hardly be so soon
    std::array<object_location, gather::object_decoder::max_ahead> next;
    std::array<std::byte*, gather::object_decoder::max_ahead> to{};
    std::size_t count = 0;
    for (; count < next.size() && i + count < end; ++count) {
      next[count] = of_.locations[of_.order[i + count]];
      to[count] = output_of(of_.order[i + count]);
      if (next[count].archive != next[0].archive) break;
    }
    const std::size_t read = decoder.read_ahead(state, std::span(next).first(count), std::span(to).first(count));
    return read == 0 ? unlike : read;
  }

  /// Returns whether object `i` of the order is to be decoded. All before the first failure are, so that the first
  /// failure is the same with any number of threads.
  bool may_begin(std::size_t i) const noexcept {
    return i < failed_.load(std::memory_order_relaxed) && !out_.stop.stop_requested();
  }

  void fail(std::size_t i, const failure& why) noexcept {
    const std::lock_guard lock(mutex_);
    if (i >= failed_) return;
    failed_ = i;
    cause_ = why;
  }

  const gather_state& of_;
  const gather::wanted_part& part_;
  const gather_output& out_;
  gather::archives_in_use archives_;
  std::atomic<std::size_t> gathered_{0}, failed_{SIZE_MAX};
  std::mutex mutex_{};  ///< guards the next member
  failure cause_{};
};

/// Writes the fill to holes. Errors: invalid_option.
failure fill_holes(const gather_state& of, const gather::wanted_part& part, const gather_output& out) noexcept {
  if (of.order.size() == of.locations.size()) return {};
  if (out.fill.size() != of.form.item())
    return {.code = errc::invalid_option,
            .expected = of.form.item(),
            .found = out.fill.size(),
            .argument = "gather_output::fill"};
  for (std::size_t i = 0; i < of.locations.size(); ++i)
    if (of.locations[i].is_hole())
      gather::fill_strided(out.fill, part.shape, out.strides,
                           out.data + static_cast<std::int64_t>(i) * out.location_stride);
  return {};
}

/// Performs a call. Turns exceptions of memory into a failure.
template <class Part>
gather_result perform(const std::unique_ptr<const gather_state>& state, const gather_output& out, failure& why,
                      Part&& part_of) noexcept try {
  why = {};
  if (!state || state->first == SIZE_MAX) {
    why = {.code = errc::no_archive};
    return {.stopped = true};
  }
  gather::wanted_part part;
  why = part_of(part);
  if (!why && out.strides.size() != part.shape.size())
    why = {.code = errc::invalid_option,
           .expected = part.shape.size(),
           .found = out.strides.size(),
           .argument = "gather_output::strides"};
  if (why) return {.stopped = true};
  for (const std::uint64_t each : part.shape) part.count *= each;
  if (part.count == 0) return {.gathered = state->order.size()};
  part.is_dense = state->form.dtype != dtype::bitmask && gather::is_dense(part.shape, out.strides, state->form.item());
  why = fill_holes(*state, part, out);
  if (why) return {.stopped = true};
  gather_run call(*state, part, out);
  call.run();
  return call.result(why);
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {.stopped = true};
}

/// Checks a box of objects of this shape, and gives it its shape.
failure use_box(const gather::element_form& form, const slab& box, gather::wanted_part& out) {
  const std::size_t rank = form.shape.size();
  const auto fail = [](errc code, std::uint64_t expected, std::uint64_t found, const char* argument) -> failure {
    return {.code = code, .expected = expected, .found = found, .argument = argument};
  };
  for (const std::size_t size : {box.start.size(), box.count.size(), box.stride.empty() ? rank : box.stride.size()})
    if (size != rank) return fail(errc::invalid_option, rank, size, "slab dimensions");
  for (std::size_t d = 0; d < rank; ++d) {
    const std::uint64_t start = box.start[d], count = box.count[d], step = box.stride.empty() ? 1 : box.stride[d];
    if (step == 0) return fail(errc::invalid_option, form.shape[d], 0, "slab::stride");
    if (start > form.shape[d]) return fail(errc::out_of_range, form.shape[d], start, "slab::start");
    const std::uint64_t left = form.shape[d] - start;
    if (count != 0 && (left == 0 || count - 1 > (left - 1) / step))
      return fail(errc::out_of_range, form.shape[d], start + left, "slab::count");
  }
  out.box = &box;
  out.shape = box.count;
  return {};
}

/// A `listed_offsets` finds the offsets of messages. It reads many entries of an index at once.
class listed_offsets {
 public:
  explicit listed_offsets(const detail::scanner& scan) noexcept : scan_(scan) {}

  std::uint64_t offset_of(std::size_t i, failure& why) noexcept {
    message_position known;
    if (scan_.find(i, known)) return known.offset();
    const detail::listed_messages& listed = scan_.listed();
    if (i >= listed.count()) return scan_.offset_of(i, why);
    if (i < first_ || i - first_ >= count_) {
      first_ = i;
      count_ = static_cast<std::size_t>(std::min<std::uint64_t>(records_.size(), listed.count() - i));
      why = listed.index()->read(i, std::span(records_).first(count_));
      if (why) return count_ = 0;
    }
    return records_[i - first_].offset;
  }

 private:
  const detail::scanner& scan_;
  std::array<index_file::listed_message, 64> records_{};
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace

void find_message_offsets(const archive& of, std::span<const std::size_t> numbers, std::span<std::uint64_t> offsets,
                          failure& why) noexcept {
  why = {};
  const detail::archive_state* const state = detail::access::state(of);
  if (state == nullptr) {
    why = {.code = errc::no_archive};
  } else if (numbers.size() != offsets.size()) {
    why = {.code = errc::invalid_option,
           .expected = numbers.size(),
           .found = offsets.size(),
           .argument = "offsets.size()"};
  } else if (!numbers.empty()) {
    const std::size_t last = *std::ranges::max_element(numbers);
    const detail::scanner& scan = state->scan();
    if (last >= scan.size()) why = scan.advance(last, UINT64_MAX, {});
    if (!why && last >= scan.size()) why = detail::access::beyond(*state, last);
    listed_offsets listed(scan);
    for (std::size_t i = 0; i < numbers.size() && !why; ++i) offsets[i] = listed.offset_of(numbers[i], why);
  }
}

void find_message_offsets(const archive& of, std::span<const std::size_t> numbers, std::span<std::uint64_t> offsets) {
  core::or_throw([&](failure& why) { find_message_offsets(of, numbers, offsets, why); });
}

object_gatherer::object_gatherer() noexcept = default;
object_gatherer::object_gatherer(object_gatherer&&) noexcept = default;
object_gatherer& object_gatherer::operator=(object_gatherer&&) noexcept = default;
object_gatherer::~object_gatherer() = default;

object_gatherer object_gatherer::open(std::span<const object_location> locations, archive_opener opener,
                                      const decode_options& options, failure& why) noexcept try {
  why = {};
  object_gatherer out;
  if (options.byte_order != output_byte_order::native) {
    why = {.code = errc::invalid_option, .argument = "decode_options::byte_order"};
    return out;
  }
  auto state = std::make_unique<gather_state>(
      gather_state{.locations = locations, .opener = std::move(opener), .options = options});
  for (std::size_t i = 0; i < locations.size(); ++i)
    if (!locations[i].is_hole()) state->order.push_back(i);
  const auto place = [&](std::size_t i) {
    const object_location& at = locations[i];
    return std::tuple(at.archive, at.message_offset, at.object);
  };
  if (!std::ranges::is_sorted(state->order, {}, place)) std::ranges::stable_sort(state->order, {}, place);
  if (!state->order.empty()) {
    state->first = *std::ranges::min_element(state->order);
    const object_location& at = locations[state->first];
    const archive from = state->opener(at.archive, why);
    if (!why && !from) why = {.code = errc::no_archive};
    if (!why) why = gather::read_form(*detail::access::state(from), at, options.strides, state->form);
    if (why) return out;
  }
  out.state_ = std::move(state);
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
} catch (...) {  // of the opener
  why = {.code = errc::source_failed};
  return {};
}

object_gatherer::object_gatherer(std::span<const object_location> locations, archive_opener opener,
                                 const decode_options& options)
    : object_gatherer(core::or_throw([&](failure& why) { return open(locations, std::move(opener), options, why); })) {}

object_gatherer::operator bool() const noexcept { return state_ != nullptr && state_->first != SIZE_MAX; }
dtype object_gatherer::dtype() const noexcept { return state_ ? state_->form.dtype : tgmap::dtype(); }
std::span<const std::uint64_t> object_gatherer::shape() const noexcept {
  return state_ ? std::span<const std::uint64_t>(state_->form.shape) : std::span<const std::uint64_t>();
}
std::size_t object_gatherer::first_location() const noexcept { return state_ ? state_->first : SIZE_MAX; }
std::size_t object_gatherer::element_size() const noexcept { return state_ ? state_->form.item() : 0; }

gather_result object_gatherer::all(const gather_output& out, failure& why) const noexcept {
  return perform(state_, out, why, [&](gather::wanted_part& part) -> failure {
    part.shape = state_->form.shape;
    return {};
  });
}

gather_result object_gatherer::all(const gather_output& out) const {
  return core::or_throw([&](failure& why) { return all(out, why); });
}

gather_result object_gatherer::slab(const tgmap::slab& box, const gather_output& out, failure& why) const noexcept {
  return perform(state_, out, why, [&](gather::wanted_part& part) { return use_box(state_->form, box, part); });
}

gather_result object_gatherer::slab(const tgmap::slab& box, const gather_output& out) const {
  return core::or_throw([&](failure& why) { return slab(box, out, why); });
}

gather_result object_gatherer::elements(std::span<const std::uint64_t> elements, bool of_each, const gather_output& out,
                                        failure& why) const noexcept {
  return perform(state_, out, why, [&](gather::wanted_part& part) -> failure {
    const std::size_t locations = state_->locations.size();
    if (of_each && elements.size() % locations != 0)
      return {.code = errc::invalid_option, .expected = locations, .found = elements.size(), .argument = "elements"};
    for (const std::uint64_t each : elements)
      if (each >= state_->form.count)
        return {.code = errc::out_of_range, .expected = state_->form.count, .found = each, .argument = "elements"};
    part.is_list = true;
    part.elements = elements;
    const std::size_t count = of_each ? elements.size() / locations : elements.size();
    part.count_of_each = of_each ? count : 0;
    part.shape = {count};
    return {};
  });
}

gather_result object_gatherer::elements(std::span<const std::uint64_t> elements, bool of_each,
                                        const gather_output& out) const {
  return core::or_throw([&](failure& why) { return this->elements(elements, of_each, out, why); });
}

}  // namespace v0
}  // namespace tgmap
