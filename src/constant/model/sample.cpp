// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>
#include <tgmap/constant/builder.hpp>
#include <tgmap/constant/write.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

/// A `cell_counter` makes cells 1, 2, 3 and so on, up to the last integer that the cell type can distinguish, then 1
/// again.
class cell_counter {
 public:
  explicit cell_counter(dtype cells) noexcept : cells_(cells) {}

  std::byte* put_next(std::byte* to) noexcept {
    switch (cells_) {
      case dtype::float64: return put(to, static_cast<double>(next(std::uint64_t{1} << 53)));
      case dtype::float32: return put(to, static_cast<float>(next(std::uint64_t{1} << 24)));
      case dtype::bfloat16: {
        const auto value = static_cast<float>(next(std::uint64_t{1} << 8));
        return put(to, static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16));
      }
      default: return put(to, static_cast<std::int8_t>(next(127)));
    }
  }

 private:
  std::uint64_t next(std::uint64_t max) noexcept { return last_ = last_ < max ? last_ + 1 : 1; }
  template <class Cell>
  static std::byte* put(std::byte* to, Cell cell) noexcept {
    std::memcpy(to, &cell, sizeof cell);
    return to + sizeof cell;
  }

  dtype cells_;
  std::uint64_t last_ = 0;
};

}  // namespace

tensor_constant make_sample(const tensor_type& type, std::uint64_t max_cells, failure& why) noexcept {
  // The first block has the label `a` in all dimensions; each later block has one `b` more, from the last dimension on.
  // So each dimension has both labels, but not all combinations are stored.
  const std::size_t mapped = type.mapped_count();
  const std::uint64_t blocks = mapped == 0 ? 1 : mapped + 1, each = type.block_cells();
  why = {};
  if (each > max_cells / blocks)
    why = {.code = errc::too_large, .expected = max_cells, .found = each <= UINT64_MAX / blocks ? blocks * each : each};
  if (why) return {};
  builder make(type, UINT64_MAX, why);
  cell_counter numbers(type.cell_type());
  for (std::uint64_t block = 0; block < blocks && !why; ++block) {
    std::array<std::string_view, max_rank> labels{};
    for (std::size_t i = 0; i < mapped; ++i) labels[i] = i < mapped - block ? "a" : "b";
    const auto added = make.find_or_add({labels.data(), mapped}, why);
    if (why) break;
    std::byte* to = make.cells(added.block).data();
    for (std::uint64_t n = 0; n < each; ++n) to = numbers.put_next(to);
  }
  return why ? tensor_constant() : make.finish();
}

tensor_constant make_sample(const tensor_type& type, std::uint64_t max_cells) {
  failure why;
  tensor_constant out = make_sample(type, max_cells, why);
  tgmap::detail::raise_if(why);
  return out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
