// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <tgmap/constant/tensor_constant.hpp>
#include <tgmap/options.hpp>
#include <type_traits>

#include "constant/model/constant_access.hpp"
#include "constant/model/label_table.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

tensor_constant tensor_constant::of(tensor_type type, std::span<const std::byte> cells, pin owner,
                                    failure& why) noexcept {
  why = {};
  if (type.mapped_count() != 0)
    why = {.code = errc::wrong_form};
  else if (cells.size() != type.block_bytes())
    why = {.code = tgmap::errc::payload_size_mismatch, .expected = type.block_bytes(), .found = cells.size()};
  if (why) return {};
  return constant_access::make(
      {.type = std::move(type), .blocks = 1, .cells = cells, .is_borrowed = true, .owner = std::move(owner)});
}

tensor_constant tensor_constant::of(tensor_type type, std::span<const std::byte> cells, pin owner) {
  failure why;
  tensor_constant out = of(std::move(type), cells, std::move(owner), why);
  tgmap::detail::raise_if(why);
  return out;
}

std::string_view tensor_constant::label(std::uint64_t block, std::size_t mapped, failure& why) const noexcept {
  why = {};
  const std::uint64_t each = type_.mapped_count();
  if (block >= blocks_ || mapped >= each) {
    const bool is_bad_block = block >= blocks_;
    why = {.code = tgmap::errc::out_of_range,
           .expected = is_bad_block ? blocks_ : each,
           .found = is_bad_block ? block : mapped};
    return {};
  }
  const std::uint64_t number = block * each + mapped;
  const std::uint64_t begin = load_number(offsets_, number), end = load_number(offsets_, number + 1);
  if (begin > end || end > text_.size()) {
    why = {.code = errc::bad_constant, .expected = text_.size(), .found = block};
    return {};
  }
  return {reinterpret_cast<const char*>(text_.data()) + begin, static_cast<std::size_t>(end - begin)};
}

std::string_view tensor_constant::label(std::uint64_t block, std::size_t mapped) const {
  failure why;
  const std::string_view out = label(block, mapped, why);
  tgmap::detail::raise_if(why);
  return out;
}

std::optional<std::uint64_t> tensor_constant::find_block(std::span<const std::string_view> labels) const noexcept {
  if (labels.size() != type_.mapped_count()) return {};
  if (labels.empty()) return blocks_ == 0 ? std::nullopt : std::optional<std::uint64_t>(0);
  if (table_.empty()) return {};
  const auto same = [&](std::uint64_t block) {
    failure why;
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (label(block, i, why) != labels[i] || why) return false;
    return true;
  };
  const table_slot at = find_slot(table_, hash_labels(labels, seed_), same);
  return at.is_found ? std::optional(at.index) : std::nullopt;
}

namespace {

/// Returns the index that a label of an indexed dimension stands for.
std::optional<std::uint64_t> parse_index(std::string_view digits) noexcept {
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (error != std::errc() || end != digits.data() + digits.size()) return {};
  return out;
}

/// The digits of a number as the label of a mapped dimension.
struct label_digits {
  char digits[24];
  std::string_view write(const address_part& part) noexcept {
    char* begin = digits;
    if (part.is_negative) *begin++ = '-';
    const std::uint64_t magnitude = part.is_negative ? 0 - part.index : part.index;
    return {digits, static_cast<std::size_t>(std::to_chars(begin, digits + sizeof digits, magnitude).ptr - digits)};
  }
};

}  // namespace

std::optional<std::uint64_t> tensor_constant::find(address at, failure& why) const noexcept {
  why = {};
  const auto fails = [&](const failure& because) {
    why = because;
    return std::optional<std::uint64_t>();
  };
  const auto all = type_.dimensions();
  std::array<const address_part*, max_rank> parts{};
  for (const address_part& one : at) {
    const auto d = type_.find(one.dimension);
    if (!d) return fails({.code = errc::unknown_dimension});
    if (parts[*d] != nullptr) return fails({.code = errc::repeated_dimension});
    parts[*d] = &one;
  }
  std::array<std::string_view, max_rank> labels{};
  std::array<label_digits, max_rank> digits;
  std::size_t mapped = 0;
  std::uint64_t cell = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (parts[i] == nullptr) return fails({.code = errc::missing_dimension, .found = i});
    const address_part& part = *parts[i];
    if (all[i].is_mapped()) {
      labels[mapped] = part.has_index ? digits[mapped].write(part) : part.label;
      ++mapped;
      continue;
    }
    const auto index = !part.has_index    ? parse_index(part.label)
                       : part.is_negative ? std::nullopt
                                          : std::optional(part.index);
    if (!index) return fails({.code = errc::bad_index, .expected = all[i].size});
    if (*index >= all[i].size) return fails({.code = errc::index_range, .expected = all[i].size, .found = *index});
    cell = cell * all[i].size + *index;
  }
  const auto block = find_block({labels.data(), mapped});
  if (!block || *block >= blocks_) return {};
  return *block * type_.block_cells() + cell;
}

std::optional<std::uint64_t> tensor_constant::find(address at) const {
  failure why;
  const auto out = find(at, why);
  tgmap::detail::raise_if(why);
  return out;
}

namespace {

template <class T>
double load_cell(const std::byte* from) noexcept {
  T out;
  std::memcpy(&out, from, sizeof out);
  if constexpr (std::is_same_v<T, bfloat16>)
    return static_cast<double>(static_cast<float>(out));
  else
    return static_cast<double>(out);
}

}  // namespace

double tensor_constant::value(std::uint64_t cell) const noexcept {
  switch (type_.cell_type()) {
    case dtype::float64: return load_cell<double>(cells_.data() + cell * 8);
    case dtype::float32: return load_cell<float>(cells_.data() + cell * 4);
    case dtype::bfloat16: return load_cell<bfloat16>(cells_.data() + cell * 2);
    default: return load_cell<std::int8_t>(cells_.data() + cell);
  }
}

double tensor_constant::cell(address at, failure& why) const noexcept {
  const auto found = find(at, why);
  if (!why && !found) why = {.code = errc::no_such_cell};
  return why ? 0 : value(*found);
}

double tensor_constant::cell(address at) const {
  failure why;
  const double out = cell(at, why);
  tgmap::detail::raise_if(why);
  return out;
}

std::size_t tensor_constant::arrange(dtype as, std::size_t alignment, bool with_blocks,
                                     std::array<std::uint64_t, max_rank>& shape,
                                     std::array<std::int64_t, max_rank>& strides, failure& why) const noexcept {
  why = {};
  if (as != type_.cell_type())
    why = {.code = tgmap::errc::dtype_mismatch,
           .expected = static_cast<std::uint64_t>(type_.cell_type()),
           .found = static_cast<std::uint64_t>(as)};
  else if (reinterpret_cast<std::uintptr_t>(cells_.data()) % alignment != 0)
    why = {.code = tgmap::errc::misaligned, .expected = alignment};
  if (why) return 0;
  std::size_t rank = 0;
  if (with_blocks && (type_.mapped_count() != 0 || blocks_ == 0)) shape[rank++] = blocks_;
  for (const dimension& one : type_.dimensions())
    if (!one.is_mapped()) shape[rank++] = one.size;
  std::int64_t step = 1;
  for (std::size_t d = rank; d-- > 0;) {
    strides[d] = step;
    step *= static_cast<std::int64_t>(shape[d]);
  }
  return rank;
}

failure tensor_constant::validate() const noexcept {
  const std::size_t each = type_.mapped_count();
  if (each == 0) return {};
  std::array<std::string_view, max_rank> labels{};
  for (std::uint64_t block = 0; block < blocks_; ++block) {
    failure why;
    for (std::size_t i = 0; i < each && !why; ++i) labels[i] = label(block, i, why);
    // A lookup finds only one of two blocks with the same labels, and none if the table is wrong.
    if (why || find_block({labels.data(), each}) != block) return {.code = errc::bad_constant, .found = block};
  }
  return {};
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
