// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <new>
#include <tgmap/zio/tens.hpp>

#include "core/or_throw.hpp"
#include "zio/message/tens_dtype.hpp"
#include "zio/message/tens_label.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

/// Returns the product of extents and word; nothing if it does not fit 64 bits.
std::optional<std::uint64_t> bytes_of(const number_list& shape, std::uint64_t word) noexcept {
  const std::span extents(shape.values.data(), shape.count);
  for (const std::uint64_t extent : extents)
    if (extent == 0) return 0;
  std::uint64_t out = word;
  for (const std::uint64_t extent : extents)
    if (__builtin_mul_overflow(out, extent, &out)) return std::nullopt;
  return out;
}

/// Reads the permutation of the dimensions, the fastest one first. Without "order" it is C order.
bool read_order(const tensor_label& t, std::array<std::size_t, max_rank>& out) noexcept {
  const std::size_t rank = t.shape.count;
  if (!t.order.is_present) {
    for (std::size_t k = 0; k < rank; ++k) out[k] = rank - 1 - k;
    return true;
  }
  if (!t.order.is_valid || t.order.count != rank) return false;
  std::array<bool, max_rank> seen{};
  for (std::size_t k = 0; k < rank; ++k) {
    const std::uint64_t d = t.order.values[k];
    if (d >= rank || std::exchange(seen[d], true)) return false;
    out[k] = d;
  }
  return true;
}

}  // namespace

/// Gives this file access to the private members of `tens` and `tensor_view`.
struct tens_access {
  /// Sets shape and strides. Dimensions beyond the maximum rank are left out.
  static void set_layout(tensor_view& view, const number_list& shape, const number_list* strides) noexcept {
    view.rank_ = std::min(shape.count, max_rank);
    for (std::size_t d = 0; d < view.rank_; ++d) {
      view.shape_[d] = shape.values[d];
      view.strides_[d] = strides == nullptr ? 0 : static_cast<std::int64_t>(strides->values[d]);
    }
  }

  static void clear(tens& all) noexcept {
    all.tensors_.clear();
    all.metadata_ = {};
    all.present_ = false;
  }
};

namespace {

/// A `tens_reader` makes views of the tensors that a label describes. All checks are here.
class tens_reader final : public tens_label_reader {
 public:
  tens_reader(const message& message, std::vector<tensor_view>& into) noexcept : from_(message), into_(into) {}

  bool has_too_many() const noexcept { return has_too_many_; }

 private:
  void restart() noexcept override {
    into_.clear();
    has_too_many_ = false;
  }

  void add(tensor_label& t) override {
    has_too_many_ = into_.size() == max_tensors;
    if (has_too_many_) return;
    const std::size_t index = into_.size();
    tensor_view& view = into_.emplace_back();
    view.kind = std::move(t.kind);
    view.word = t.word;
    view.metadata = std::move(t.metadata);
    view.part = t.has_part ? t.part : index;
    tens_access::set_layout(view, t.shape, nullptr);
    view.fault = check(t, view);
    if (view.fault) view.fault.object = index;
  }

  failure check(const tensor_label& t, tensor_view& view) const noexcept {
    if (!t.is_object || !t.is_valid || !t.has_kind || !t.has_word || t.word == 0 || !t.shape.is_present ||
        !t.shape.is_valid)
      return {.code = errc::bad_tens};
    if (view.part < from_.payload.size()) view.bytes = from_.payload[view.part].bytes;
    if (t.is_external) return {.code = errc::bad_packing};
    if (t.shape.count > max_rank)
      return {.code = tgmap::errc::too_many_dimensions, .expected = max_rank, .found = t.shape.count};
    const auto bytes = bytes_of(t.shape, t.word);
    if (!bytes) return {.code = tgmap::errc::shape_overflow};
    if (view.part >= from_.payload.size())
      return {.code = errc::part_missing, .expected = from_.payload.size(), .found = view.part};
    if (*bytes != view.bytes.size()) return {.code = errc::part_size, .expected = *bytes, .found = view.bytes.size()};
    return set_strides(t, *bytes == 0, view);
  }

  failure set_strides(const tensor_label& t, bool is_empty, tensor_view& view) const noexcept {
    std::array<std::size_t, max_rank> order{};
    if (!read_order(t, order)) return {.code = errc::bad_order};
    const std::size_t rank = t.shape.count;
    if (t.ascend.is_present && (!t.ascend.is_valid || t.ascend.count != rank)) return {.code = errc::bad_order};
    number_list strides;
    std::uint64_t step = 1;
    bool is_reordered = false;
    if (is_empty) std::fill_n(strides.values.begin(), rank, 0);
    for (std::size_t k = 0; k < rank && !is_empty; ++k) {
      const std::size_t d = order[k];
      const std::uint64_t extent = t.shape.values[d];
      strides.values[d] = step;
      is_reordered = is_reordered || (d != rank - 1 - k && extent > 1);
      if (t.ascend.is_present && t.ascend.values[d] == 0 && extent > 1) {
        view.data_offset += step * (extent - 1);
        strides.values[d] = 0 - step;
        is_reordered = true;
      }
      step *= extent;  // cannot overflow: the part has as many elements
    }
    tens_access::set_layout(view, t.shape, &strides);
    view.is_reordered = is_reordered;
    return {};
  }

  const message& from_;
  std::vector<tensor_view>& into_;
  bool has_too_many_ = false;
};

}  // namespace

std::optional<tgmap::dtype> tensor_view::dtype() const noexcept {
  return kind.size() == 1 ? to_dtype({kind.front(), word}) : std::nullopt;
}

failure tensor_view::viewable(tgmap::dtype as, std::size_t alignment) const noexcept {
  if (fault) return fault;
  const auto stored = dtype();
  if (stored != as)
    return {.code = tgmap::errc::dtype_mismatch,
            .expected = static_cast<std::uint64_t>(as),
            .found = stored ? static_cast<std::uint64_t>(*stored) : dtype_count};
  if (std::endian::native == std::endian::big && word > 1) return {.code = tgmap::errc::foreign_byte_order};
  const auto excess = reinterpret_cast<std::uintptr_t>(bytes.data()) % alignment;
  if (excess != 0) return {.code = tgmap::errc::misaligned, .expected = alignment, .found = excess};
  return {};
}

void tens::read(const message& message, failure& why) noexcept try {
  why = {};
  tens_access::clear(*this);
  tens_reader label(message, tensors_);
  why = read_json(message.label, label);
  const bool must_be_valid = message.form == tens_form || message.form == flow_form;
  if (!why && !label.root_is_object() && !label.root_is_null()) why = {.code = errc::bad_label};
  if (!why && !label.is_valid()) why = {.code = errc::bad_tens};
  if (!why && label.has_too_many())
    why = {.code = tgmap::errc::object_limit, .expected = max_tensors, .found = max_tensors + 1};
  if (!why) {
    present_ = label.has_tens();
    metadata_ = label.take_metadata();
    return;
  }
  if (!must_be_valid && why.code != tgmap::errc::out_of_memory) why = {};
  tens_access::clear(*this);
} catch (const error& e) {
  tens_access::clear(*this);
  why = e.details();
} catch (const std::bad_alloc&) {
  tens_access::clear(*this);
  why = {.code = tgmap::errc::out_of_memory};
}

tens tens::of(const message& message, failure& why) noexcept {
  tens out;
  out.read(message, why);
  return out;
}

tens tens::of(const message& message) {
  return core::or_throw([&](failure& why) { return of(message, why); });
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
