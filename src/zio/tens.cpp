// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <new>
#include <tgmap/zio/tens.hpp>

#include "zio/tens_access.hpp"
#include "zio/tens_events.hpp"
#include "zio/word.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

/// The product of extents and word; nothing where it does not fit 64 bits.
std::optional<std::uint64_t> bytes_of(const number_list& shape, std::uint64_t word) noexcept {
  const std::span extents(shape.values.data(), shape.count);
  for (const std::uint64_t extent : extents)
    if (extent == 0) return 0;
  std::uint64_t out = word;
  for (const std::uint64_t extent : extents)
    if (__builtin_mul_overflow(out, extent, &out)) return std::nullopt;
  return out;
}

/// Every dimension comes once, from the fastest to the slowest; without `order`, C order.
bool read_order(const tensor_description& t, std::array<std::size_t, max_rank>& out) noexcept {
  const std::size_t rank = t.shape.count;
  if (!t.order.given) {
    for (std::size_t k = 0; k < rank; ++k) out[k] = rank - 1 - k;
    return true;
  }
  if (!t.order.sound || t.order.count != rank) return false;
  std::array<bool, max_rank> seen{};
  for (std::size_t k = 0; k < rank; ++k) {
    const std::uint64_t d = t.order.values[k];
    if (d >= rank || std::exchange(seen[d], true)) return false;
    out[k] = d;
  }
  return true;
}

}  // namespace

/// Makes views of descriptions: all that is checked is checked here.
class tens_reader : public tens_events<tens_reader> {
 public:
  tens_reader(const message& from, std::vector<tensor_view>& into) noexcept : from_(from), into_(into) {}

  void restart() noexcept {
    into_.clear();
    too_many_ = false;
  }
  bool too_many() const noexcept { return too_many_; }

  void found(tensor_description& t) {
    too_many_ = into_.size() == max_tensors;
    if (too_many_) return;
    const std::size_t index = into_.size();
    tensor_view& view = into_.emplace_back();
    view.kind = std::move(t.kind);
    view.word = t.word;
    view.metadata = std::move(t.metadata);
    view.part = t.has_part ? t.part : index;
    tens_access::place(view, t.shape, nullptr);
    view.fault = check(t, view);
    if (view.fault) view.fault.object = index;
  }

 private:
  failure check(const tensor_description& t, tensor_view& view) const noexcept {
    if (!t.object || !t.sound || !t.has_kind || !t.has_word || t.word == 0 || !t.shape.given || !t.shape.sound)
      return {.code = errc::bad_tens};
    if (view.part < from_.payload.size()) view.bytes = from_.payload[view.part].bytes;
    if (t.elsewhere) return {.code = errc::bad_packing};
    if (t.shape.count > max_rank)
      return {.code = tgmap::errc::too_many_dimensions, .expected = max_rank, .found = t.shape.count};
    const auto bytes = bytes_of(t.shape, t.word);
    if (!bytes) return {.code = tgmap::errc::shape_overflow};
    if (view.part >= from_.payload.size())
      return {.code = errc::part_missing, .expected = from_.payload.size(), .found = view.part};
    if (*bytes != view.bytes.size()) return {.code = errc::part_size, .expected = *bytes, .found = view.bytes.size()};
    return arrange(t, *bytes == 0, view);
  }

  failure arrange(const tensor_description& t, bool empty, tensor_view& view) const noexcept {
    std::array<std::size_t, max_rank> order{};
    if (!read_order(t, order)) return {.code = errc::bad_order};
    const std::size_t rank = t.shape.count;
    if (t.ascend.given && (!t.ascend.sound || t.ascend.count != rank)) return {.code = errc::bad_order};
    number_list strides;
    std::uint64_t step = 1;
    bool descends = false, moved = false;
    if (empty) std::fill_n(strides.values.begin(), rank, 0);
    for (std::size_t k = 0; k < rank && !empty; ++k) {
      const std::size_t d = order[k];
      const std::uint64_t extent = t.shape.values[d];
      strides.values[d] = step;
      moved = moved || (d != rank - 1 - k && extent > 1);
      if (t.ascend.given && t.ascend.values[d] == 0 && extent > 1) {
        view.data_offset += step * (extent - 1);
        strides.values[d] = 0 - step;
        descends = true;
      }
      step *= extent;  // of at most as many elements as the part has bytes
    }
    tens_access::place(view, t.shape, &strides);
    view.is_reordered = descends || moved;
    return {};
  }

  const message& from_;
  std::vector<tensor_view>& into_;
  bool too_many_ = false;
};

std::optional<tgmap::dtype> tensor_view::dtype() const noexcept {
  return kind.size() == 1 ? dtype_of_word(kind.front(), word) : std::nullopt;
}

failure tensor_view::viewable(tgmap::dtype as, std::size_t alignment) const noexcept {
  if (fault) return fault;
  const auto stored = dtype();
  if (stored != as)
    return {.code = tgmap::errc::dtype_mismatch,
            .expected = static_cast<std::uint64_t>(as),
            .found = stored ? static_cast<std::uint64_t>(*stored) : dtype_count};
  if (std::endian::native == std::endian::big && word > 1) return {.code = tgmap::errc::foreign_byte_order};
  const auto past = reinterpret_cast<std::uintptr_t>(bytes.data()) % alignment;
  if (past != 0) return {.code = tgmap::errc::misaligned, .expected = alignment, .found = past};
  return {};
}

void tens::read(const message& from, failure& why) noexcept try {
  why = {};
  tens_access::clear(*this);
  tens_reader label(from, tensors_);
  why = label.read(from.label);
  const bool must_be_sound = from.form == tens_form || from.form == flow_form;
  if (!why && !label.root_is_object && !label.root_is_null) why = {.code = errc::bad_label};
  if (!why && !label.sound) why = {.code = errc::bad_tens};
  if (!why && label.too_many())
    why = {.code = tgmap::errc::object_limit, .expected = max_tensors, .found = max_tensors + 1};
  if (!why) {
    present_ = label.present;
    metadata_ = std::move(label.metadata);
    return;
  }
  if (!must_be_sound && why.code != tgmap::errc::out_of_memory) why = {};
  tens_access::clear(*this);
} catch (const error& e) {
  tens_access::clear(*this);
  why = e.details();
} catch (const std::bad_alloc&) {
  tens_access::clear(*this);
  why = {.code = tgmap::errc::out_of_memory};
}

tens tens::of(const message& from, failure& why) noexcept {
  tens out;
  out.read(from, why);
  return out;
}

tens tens::of(const message& from) {
  failure why;
  tens out = of(from, why);
  detail::raise_if(why);
  return out;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
