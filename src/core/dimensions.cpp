// SPDX-License-Identifier: Apache-2.0
#include <tgmap/dimensions.hpp>

#include <atomic>
#include <new>

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

constexpr std::size_t block_words = 1 + 2 * max_rank;

}  // namespace

void dimensions::retain(std::uint64_t* block) noexcept {
  std::atomic_ref(*block).fetch_add(1, std::memory_order_relaxed);
}

void dimensions::release() noexcept {
  if (std::atomic_ref(*block_).fetch_sub(1, std::memory_order_acq_rel) == 1) delete[] block_;
}

bool dimensions::set_shared(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept {
  dimensions fresh;  // the spans may lie in what is here
  if (shape.size() <= inside && strides.size() <= inside) {
    fresh.put_shape(shape);
    fresh.put_strides(strides);
  } else {
    auto* const block = new (std::nothrow) std::uint64_t[block_words];
    if (block == nullptr) return false;
    block[0] = 1;
    std::copy(shape.begin(), shape.end(), block + 1);
    std::transform(strides.begin(), strides.end(), block + 1 + max_rank,
                   [](std::int64_t stride) { return static_cast<std::uint64_t>(stride); });
    fresh.rank_ = small(shape.size());
    fresh.stride_count_ = small(strides.size());
    fresh.shared_ = true;
    fresh.block_ = block;
  }
  *this = fresh;
  return true;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
