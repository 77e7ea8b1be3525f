// SPDX-License-Identifier: Apache-2.0
#include "support/object_values.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <tgmap/decode/decode_many.hpp>
#include <tgmap/decode/executor.hpp>
#include <tgmap/decode/part_reader.hpp>
#include <vector>

#include "archive/owned_descriptor.hpp"
#include "decode/plan.hpp"
#include "decode/range_decoder.hpp"
#include "support/require.hpp"

namespace tgmap_fuzz {

namespace {

using tgmap::failure;
using bytes_of_object = std::vector<std::byte>;

bool is(const failure& why, tgmap::errc code) { return why.code == tgmap::make_error_code(code); }

/// Runs pieces in the calling thread as two threads could: every other one first.
class two_by_turns final : public tgmap::executor {
 public:
  unsigned concurrency() const noexcept override { return 2; }
  void run(std::size_t count, task what) noexcept override {
    for (const std::size_t first : {std::size_t{1}, std::size_t{0}})
      for (std::size_t i = first; i < count; i += 2) what.run(what.context, i);
  }
};

/// Describes one object as it is read with one set of options.
struct decoded {
  tgmap::decode_options how{};
  tgmap::descriptor what{};
  tgmap::tensor whole{};     ///< empty where only its strides cannot be honoured
  bytes_of_object values{};  ///< in the order of the payload
  bool sound = false;        ///< `values` could be decoded
};

/// Copies elements of a tensor one by one: `size` bytes each, or bits.
class picked_elements {
 public:
  picked_elements(std::span<const std::byte> from, std::size_t size) : from_(from), size_(size) {}

  void add(std::uint64_t element) {
    const auto at = static_cast<std::size_t>(element);
    if (size_ != 0) {
      const auto one = from_.subspan(at * size_, size_);
      out_.insert(out_.end(), one.begin(), one.end());
      return;
    }
    if (bits_ % 8 == 0) out_.push_back(std::byte{0});
    if ((from_[at / 8] << at % 8 & std::byte{0x80}) != std::byte{0}) out_.back() |= std::byte{0x80} >> bits_ % 8;
    ++bits_;
  }
  std::span<const std::byte> bytes() const noexcept { return out_; }

 private:
  std::span<const std::byte> from_;
  std::size_t size_, bits_ = 0;
  bytes_of_object out_;
};

bool equal(std::span<const std::byte> a, std::span<const std::byte> b) { return std::ranges::equal(a, b); }

/// Decodes the whole in each way there is. Nothing when it is too large.
std::optional<decoded> decode_whole(const tgmap::object& o, const tgmap::decode_options& how, met_failures& met) {
  failure why;
  decoded out{.how = how, .what = o.descriptor(why)};
  if (met.note("descriptor", why)) return std::nullopt;
  const std::uint64_t size = o.decoded_size(why);
  if (met.note("decoded_size", why) || size > most_decoded) return std::nullopt;
  out.values.assign(static_cast<std::size_t>(size), std::byte{0xa5});
  failure into;
  o.decode_into(std::span(out.values), how, into);
  out.sound = !met.note("decode_into", into);
  out.whole = o.decode(how, why);
  const bool strides = is(why, tgmap::errc::unsupported_strides);
  require(why.code == into.code || strides, "decode and decode_into fail alike");
  require(why || equal(out.whole.bytes(), out.values), "decode gives what decode_into gives");
  tgmap::tensor again;
  o.decode_into(again, how, why);
  require(strides || why.code == into.code, "decoding into a tensor fails alike");
  require(why || equal(again.bytes(), out.values), "and gives the same");
  return out;
}

void require_range(const tgmap::part_reader& parts, const decoded& all, std::uint64_t first, std::uint64_t count,
                   met_failures& met) {
  failure why;
  const auto part = parts.range(first, count, why);
  if (met.note("range", why)) return;
  if (count == all.what.element_count && count > 0)
    require(all.sound, "a range of all elements fails where the whole fails");
  if (!all.sound) return;
  picked_elements expected(all.values, element_size(all.what.dtype));
  for (std::uint64_t i = 0; i < count; ++i) expected.add(first + i);
  require(equal(part.bytes(), expected.bytes()), "a range is that part of the whole");
  bytes_of_object into(part.bytes().size(), std::byte{0x5a});
  parts.range_into(first, count, into, why);
  require(!why && equal(into, part.bytes()), "range_into gives what range gives");
}

/// A box within a shape, and the elements that are in it.
struct box {
  std::array<std::uint64_t, tgmap::max_rank> start{}, count{}, stride{};
  std::size_t rank = 0;

  box(std::span<const std::uint64_t> shape, seeded_random& numbers) : rank(shape.size()) {
    std::uint64_t left = 4096;
    for (std::size_t d = 0; d < rank; ++d) {
      stride[d] = 1 + numbers.below(3);
      if (shape[d] == 0) continue;
      start[d] = numbers.below(shape[d]);
      const std::uint64_t most = (shape[d] - start[d] - 1) / stride[d] + 1;
      count[d] = numbers.one_in(16) ? 0 : 1 + numbers.below(std::min(most, left));
      left = std::max<std::uint64_t>(1, left / std::max<std::uint64_t>(1, count[d]));
    }
  }
  tgmap::slab slab() const {
    return {std::span(start).first(rank), std::span(count).first(rank), std::span(stride).first(rank)};
  }
  /// Calls `add(element)` for each, in C order.
  template <class Add>
  void visit(std::span<const std::int64_t> strides, Add&& add) const {
    std::array<std::uint64_t, tgmap::max_rank> index{};
    for (std::size_t d = 0; d < rank; ++d)
      if (count[d] == 0) return;
    for (;;) {
      std::uint64_t element = 0;
      for (std::size_t d = 0; d < rank; ++d)
        element += (start[d] + index[d] * stride[d]) * static_cast<std::uint64_t>(strides[d]);
      add(element);
      std::size_t d = rank;
      while (d > 0 && ++index[d - 1] == count[d - 1]) index[--d] = 0;
      if (d == 0) return;
    }
  }
};

void require_boxes(const tgmap::part_reader& parts, const decoded& all, seeded_random& numbers, met_failures& met) {
  failure why;
  const box one(all.what.shape(), numbers), other(all.what.shape(), numbers);
  const auto first = parts.slab(one.slab(), why);
  if (met.note("slab", why)) return;
  if (all.sound) {
    picked_elements expected(all.values, element_size(all.what.dtype));
    one.visit(all.whole.strides(), [&](std::uint64_t element) { expected.add(element); });
    require(equal(first.bytes(), expected.bytes()), "a box is that part of the whole");
  }
  const auto second = parts.slab(other.slab(), why);
  if (met.note("slab", why)) return;
  bytes_of_object a(first.bytes().size(), std::byte{0x5a}), b(second.bytes().size(), std::byte{0x5a});
  const std::array boxes{one.slab(), other.slab()};
  const std::array<std::span<std::byte>, 2> out{a, b};
  parts.slabs_into(boxes, out, why);
  if (met.note("slabs", why)) return;
  require(equal(a, first.bytes()) && equal(b, second.bytes()), "boxes read together are those read alone");
}

/// Decodes as `object::decode` does with threads, however small the object is. An error there means one thread.
void require_pieces(const tgmap::object& o, const decoded& all, seeded_random& numbers) {
  tgmap::detail::owned_descriptor held;
  tgmap::decode::plan plan;
  if (all.values.empty() || held.read(o) || plan_for(o, held.get(), plan)) return;
  tgmap::decode::range_decoder by(plan, o, all.how);
  tgmap::core::scratch blob, masks;
  if (by.open(tgmap::decode::reading::whole_in_parts, blob, masks) || by.whole_only()) return;
  bytes_of_object out(all.values.size(), std::byte{0x5a});
  two_by_turns threads;
  if (by.decode_all(out, threads, std::size_t{8} << numbers.below(10))) return;
  require(all.sound, "threads find what is wrong with the whole");
  require(equal(out, all.values), "threads give what one thread gives");
}

}  // namespace

void require_one_value(const tgmap::object& o, seeded_random& numbers, met_failures& met) {
  const std::array<tgmap::decode_options, 4> options{{{},
                                                      {.restore_missing = false},
                                                      {.byte_order = tgmap::output_byte_order::stored},
                                                      {.strides = tgmap::stride_policy::ignore}}};
  const std::size_t second = 1 + static_cast<std::size_t>(numbers.below(7));
  for (const std::size_t chosen : {std::size_t{0}, second}) {
    if (chosen >= options.size()) break;
    const auto all = decode_whole(o, options[chosen], met);
    if (!all) return;
    require_pieces(o, *all, numbers);
    failure why;
    const auto parts = tgmap::part_reader::open(o, all->how, why);
    if (is(why, tgmap::errc::unsupported_strides)) continue;
    if (met.note("part_reader", why)) continue;
    const std::uint64_t elements = all->what.element_count;
    require_range(parts, *all, 0, elements, met);
    for (int i = 0; i < 2; ++i) {
      const std::uint64_t first = numbers.below(elements + 1);
      require_range(parts, *all, first, numbers.below(elements - first + 1), met);
    }
    require_boxes(parts, *all, numbers, met);
  }
}

void require_same_by_many(std::span<const tgmap::object> objects, seeded_random& numbers, met_failures& met) {
  // So small that one thread does all, unless they come many times over.
  static const auto threads = tgmap::make_thread_executor(2);
  const std::size_t rounds = numbers.one_in(32) ? 1 + 600 / (objects.size() + 1) : 1;
  std::vector<tgmap::object> list;
  std::vector<bytes_of_object> alone, together;
  std::vector<std::error_code> expected;
  std::uint64_t total = 0;
  for (const auto& each : objects) {
    failure why;
    const std::uint64_t size = each.decoded_size(why);
    if (why || size > most_decoded || (total += size) > most_decoded) continue;
    alone.emplace_back(static_cast<std::size_t>(size));
    each.decode_into(std::span(alone.back()), {}, why);
    expected.push_back(why.code);
    list.push_back(each);
  }
  const std::size_t count = list.size();
  if (total > most_decoded / 16 && rounds > 1) return;
  for (std::size_t i = 0; i < count * rounds; ++i) {
    if (i >= count) list.push_back(list[i - count]);
    together.emplace_back(alone[i % count].size(), std::byte{0x5a});
  }
  const std::vector<std::span<std::byte>> out(together.begin(), together.end());
  failure why;
  const auto done =
      decode_many(list, out, {.decode = {.executor = threads.get()}, .failures = tgmap::on_failure::keep_going}, why);
  met.note("decode_many", why);
  require(done.decoded + done.failures.size() == list.size(), "every object is decoded or fails");
  std::vector<std::error_code> found(list.size());
  for (const auto& each : done.failures) found[each.index] = each.cause.code;
  for (std::size_t i = 0; i < list.size(); ++i) {
    require(found[i] == expected[i % count], "an object fails among many as it fails alone");
    require(found[i] || together[i] == alone[i % count], "an object among many is what it is alone");
  }
}

}  // namespace tgmap_fuzz
