// SPDX-License-Identifier: Apache-2.0
#include <tgmap/detail/dimensions.hpp>

#include <atomic>
#include <new>

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

constexpr std::size_t first_stride = 1 + max_rank, block_words = first_stride + max_rank;

}  // namespace

void dimensions::retain(std::uint64_t* block) noexcept {
  std::atomic_ref(*block).fetch_add(1, std::memory_order_relaxed);
}

void dimensions::release() noexcept {
  if (std::atomic_ref(*block_).fetch_sub(1, std::memory_order_acq_rel) == 1) delete[] block_;
}

/// Copies shape and strides into a block of its own. The spans may point into the old one.
bool dimensions::take_block(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept {
  auto* const block = new (std::nothrow) std::uint64_t[block_words];
  if (block == nullptr) return false;
  block[0] = 1;
  std::copy(shape.begin(), shape.end(), block + 1);
  std::transform(strides.begin(), strides.end(), block + first_stride,
                 [](std::int64_t stride) { return static_cast<std::uint64_t>(stride); });
  rank_ = small(shape.size());
  stride_count_ = small(strides.size());
  if (shared_) release();
  shared_ = true;
  block_ = block;
  return true;
}

bool dimensions::set_shared(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept {
  if (shape.size() > inside || strides.size() > inside) return take_block(shape, strides);
  dimensions copy;
  copy.put(shape, strides);
  *this = copy;
  return true;
}

/// Makes sure that the block is not shared.
bool dimensions::own_block() noexcept {
  if (shared_ && std::atomic_ref(*block_).load(std::memory_order_acquire) == 1) return true;
  return take_block(shape(), strides());
}

bool dimensions::add_shared_extent(std::uint64_t extent) noexcept {
  if (rank_ == max_rank || !own_block()) return false;
  block_[1 + rank_++] = extent;
  return true;
}

bool dimensions::add_shared_stride(std::int64_t stride) noexcept {
  if (stride_count_ == max_rank || !own_block()) return false;
  block_[first_stride + stride_count_++] = static_cast<std::uint64_t>(stride);
  return true;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
