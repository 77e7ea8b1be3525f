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

/// An `alternating_executor` runs tasks in the calling thread in an order that is possible with two threads: first
/// every other one.
class alternating_executor final : public tgmap::executor {
 public:
  unsigned concurrency() const noexcept override { return 2; }
  void run(std::size_t count, task what) noexcept override {
    for (const std::size_t first : {std::size_t{1}, std::size_t{0}})
      for (std::size_t i = first; i < count; i += 2) what.run(what.context, i);
  }
};

/// An object that was decoded with one set of options.
struct decoded {
  tgmap::decode_options how{};
  tgmap::descriptor what{};
  tgmap::tensor whole{};     ///< empty if only its strides are not supported
  bytes_of_object values{};  ///< in the order of the payload
  bool is_sound = false;     ///< `values` could be decoded
};

/// An `element_collector` copies elements of a tensor one by one: `size` bytes each, or bits if `size` is 0.
class element_collector {
 public:
  element_collector(std::span<const std::byte> from, std::size_t size) : from_(from), size_(size) {}

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

/// Decodes a whole object in every way. Returns nothing if it is too large.
std::optional<decoded> decode_whole(const tgmap::object& o, const tgmap::decode_options& how, first_failure& failures) {
  failure why;
  decoded out{.how = how, .what = o.descriptor(why)};
  if (failures.note("descriptor", why)) return std::nullopt;
  const std::uint64_t size = o.decoded_size(why);
  if (failures.note("decoded_size", why) || size > max_decoded_bytes) return std::nullopt;
  out.values.assign(static_cast<std::size_t>(size), std::byte{0xa5});
  failure into;
  o.decode_into(std::span(out.values), how, into);
  out.is_sound = !failures.note("decode_into", into);
  out.whole = o.decode(how, why);
  const bool has_unsupported_strides = is(why, tgmap::errc::unsupported_strides);
  require(why.code == into.code || has_unsupported_strides, "decode and decode_into fail with the same error");
  require(why || equal(out.whole.bytes(), out.values), "decode and decode_into have the same result");
  tgmap::tensor again;
  o.decode_into(again, how, why);
  require(has_unsupported_strides || why.code == into.code, "decoding into a tensor fails with the same error");
  require(why || equal(again.bytes(), out.values), "decoding into a tensor has the same result");
  return out;
}

void require_range(const tgmap::part_reader& parts, const decoded& all, std::uint64_t first, std::uint64_t count,
                   first_failure& failures) {
  failure why;
  const auto part = parts.range(first, count, why);
  if (failures.note("range", why)) return;
  if (count == all.what.element_count && count > 0)
    require(all.is_sound, "a range of all elements fails if the whole fails");
  if (!all.is_sound) return;
  element_collector expected(all.values, element_size(all.what.dtype));
  for (std::uint64_t i = 0; i < count; ++i) expected.add(first + i);
  require(equal(part.bytes(), expected.bytes()), "a range equals this part of the whole");
  bytes_of_object into(part.bytes().size(), std::byte{0x5a});
  parts.range_into(first, count, into, why);
  require(!why && equal(into, part.bytes()), "range_into and range have the same result");
}

/// A random box within a shape.
struct box {
  std::array<std::uint64_t, tgmap::max_rank> start{}, count{}, stride{};
  std::size_t rank = 0;

  box(std::span<const std::uint64_t> shape, seeded_random& numbers) : rank(shape.size()) {
    std::uint64_t left = 4096;
    for (std::size_t d = 0; d < rank; ++d) {
      stride[d] = 1 + numbers.below(3);
      if (shape[d] == 0) continue;
      start[d] = numbers.below(shape[d]);
      const std::uint64_t max_count = (shape[d] - start[d] - 1) / stride[d] + 1;
      count[d] = numbers.one_in(16) ? 0 : 1 + numbers.below(std::min(max_count, left));
      left = std::max<std::uint64_t>(1, left / std::max<std::uint64_t>(1, count[d]));
    }
  }
  tgmap::slab slab() const {
    return {std::span(start).first(rank), std::span(count).first(rank), std::span(stride).first(rank)};
  }
  /// Calls `add(element)` for each element in C order.
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

void require_boxes(const tgmap::part_reader& parts, const decoded& all, seeded_random& numbers,
                   first_failure& failures) {
  failure why;
  const box one(all.what.shape(), numbers), other(all.what.shape(), numbers);
  const auto first = parts.slab(one.slab(), why);
  if (failures.note("slab", why)) return;
  if (all.is_sound) {
    element_collector expected(all.values, element_size(all.what.dtype));
    one.visit(all.whole.strides(), [&](std::uint64_t element) { expected.add(element); });
    require(equal(first.bytes(), expected.bytes()), "a box equals this part of the whole");
  }
  const auto second = parts.slab(other.slab(), why);
  if (failures.note("slab", why)) return;
  bytes_of_object a(first.bytes().size(), std::byte{0x5a}), b(second.bytes().size(), std::byte{0x5a});
  const std::array boxes{one.slab(), other.slab()};
  const std::array<std::span<std::byte>, 2> out{a, b};
  parts.slabs_into(boxes, out, why);
  if (failures.note("slabs", why)) return;
  require(equal(a, first.bytes()) && equal(b, second.bytes()), "boxes read together equal those read alone");
}

/// Decodes as `object::decode` does on several threads, even if the object is small.
void require_pieces(const tgmap::object& o, const decoded& all, seeded_random& numbers) {
  tgmap::detail::owned_descriptor descriptor;
  tgmap::decode::plan plan;
  if (all.values.empty() || descriptor.read(o) || plan_for(o, descriptor.get(), plan)) return;
  tgmap::decode::range_decoder by(plan, o, all.how);
  tgmap::core::scratch blob, masks;
  if (by.open(tgmap::decode::reading::whole_in_parts, blob, masks) || by.whole_only()) return;
  bytes_of_object out(all.values.size(), std::byte{0x5a});
  alternating_executor threads;
  if (by.decode_all(out, threads, std::size_t{8} << numbers.below(10))) return;
  require(all.is_sound, "several threads fail if one thread fails");
  require(equal(out, all.values), "several threads have the result of one thread");
}

}  // namespace

void require_one_value(const tgmap::object& o, seeded_random& numbers, first_failure& failures) {
  const std::array<tgmap::decode_options, 4> options{{{},
                                                      {.restore_missing = false},
                                                      {.byte_order = tgmap::output_byte_order::stored},
                                                      {.strides = tgmap::stride_policy::ignore}}};
  const std::size_t second = 1 + static_cast<std::size_t>(numbers.below(7));
  for (const std::size_t chosen : {std::size_t{0}, second}) {
    if (chosen >= options.size()) break;
    const auto all = decode_whole(o, options[chosen], failures);
    if (!all) return;
    require_pieces(o, *all, numbers);
    failure why;
    const auto parts = tgmap::part_reader::open(o, all->how, why);
    if (is(why, tgmap::errc::unsupported_strides)) continue;
    if (failures.note("part_reader", why)) continue;
    const std::uint64_t elements = all->what.element_count;
    require_range(parts, *all, 0, elements, failures);
    for (int i = 0; i < 2; ++i) {
      const std::uint64_t first = numbers.below(elements + 1);
      require_range(parts, *all, first, numbers.below(elements - first + 1), failures);
    }
    require_boxes(parts, *all, numbers, failures);
  }
}

void require_same_by_decode_many(std::span<const tgmap::object> objects, seeded_random& numbers,
                                 first_failure& failures) {
  // The objects are so small that one thread decodes all, unless they are repeated many times.
  static const auto threads = tgmap::make_thread_executor(2);
  const std::size_t rounds = numbers.one_in(32) ? 1 + 600 / (objects.size() + 1) : 1;
  std::vector<tgmap::object> list;
  std::vector<bytes_of_object> alone, together;
  std::vector<std::error_code> expected;
  std::uint64_t total = 0;
  for (const auto& each : objects) {
    failure why;
    const std::uint64_t size = each.decoded_size(why);
    if (why || size > max_decoded_bytes || (total += size) > max_decoded_bytes) continue;
    alone.emplace_back(static_cast<std::size_t>(size));
    each.decode_into(std::span(alone.back()), {}, why);
    expected.push_back(why.code);
    list.push_back(each);
  }
  const std::size_t count = list.size();
  if (total > max_decoded_bytes / 16 && rounds > 1) return;
  for (std::size_t i = 0; i < count * rounds; ++i) {
    if (i >= count) list.push_back(list[i - count]);
    together.emplace_back(alone[i % count].size(), std::byte{0x5a});
  }
  const std::vector<std::span<std::byte>> out(together.begin(), together.end());
  failure why;
  const auto done =
      decode_many(list, out, {.decode = {.executor = threads.get()}, .failures = tgmap::on_failure::keep_going}, why);
  failures.note("decode_many", why);
  require(done.decoded + done.failures.size() == list.size(), "every object is decoded or fails");
  std::vector<std::error_code> found(list.size());
  for (const auto& each : done.failures) found[each.index] = each.cause.code;
  for (std::size_t i = 0; i < list.size(); ++i) {
    require(found[i] == expected[i % count], "an object fails in decode_many as it fails alone");
    require(found[i] || together[i] == alone[i % count], "decode_many has the result of decode_into");
  }
}

}  // namespace tgmap_fuzz
