// SPDX-License-Identifier: Apache-2.0
#include "query/object_kind.hpp"

#include <algorithm>
#include <array>
#include <tgmap/array_view.hpp>

namespace tgmap::query {

namespace {

/// Digests numbers. The result is the same on all machines.
class kind_digest {
 public:
  void add(std::uint64_t number) noexcept {  // the finalizer of SplitMix64
    digest_ += number + 0x9e3779b97f4a7c15;
    digest_ = (digest_ ^ digest_ >> 30) * 0xbf58476d1ce4e5b9;
    digest_ = (digest_ ^ digest_ >> 27) * 0x94d049bb133111eb;
    digest_ ^= digest_ >> 31;
  }
  std::uint64_t value() const noexcept { return digest_ >> 11; }  // JSON and float64 hold numbers below 2^53

 private:
  std::uint64_t digest_ = 0;
};

}  // namespace

std::uint64_t object_kind(dtype type, byte_order order, std::span<const std::uint64_t> shape,
                          std::span<const std::int64_t> strides) noexcept {
  kind_digest out;
  for (const char each : to_string_view(type)) out.add(static_cast<unsigned char>(each));
  out.add(order == byte_order::big ? 1 : 0);
  out.add(shape.size());
  for (const std::uint64_t extent : shape) out.add(extent);
  // Strides in bytes and in elements, and none at all, may mean the same order.
  std::array<std::int64_t, max_rank> elements;
  const auto in_elements = std::span(elements).first(std::min(shape.size(), elements.size()));
  const bool is_dense = dense_strides(shape, strides, element_size(type), in_elements);
  for (const std::int64_t stride : is_dense ? std::span<const std::int64_t>(in_elements) : strides)
    out.add(static_cast<std::uint64_t>(stride));
  return out.value();
}

}  // namespace tgmap::query
