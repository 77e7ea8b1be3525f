// SPDX-License-Identifier: Apache-2.0
#include "query/object_kind.hpp"

#include <xxhash.h>

#include <array>
#include <tgmap/array_view.hpp>

namespace tgmap::query {

namespace {

/// Adds numbers to a digest, which is the same on all machines.
class kind_digest {
 public:
  void add(std::uint64_t number) noexcept {
    std::array<std::byte, 8> bytes;
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(number >> 8 * i);
    digest_ = XXH3_64bits_withSeed(bytes.data(), bytes.size(), digest_);
  }
  std::uint64_t value() const noexcept { return digest_ >> 11; }  // JSON and float64 hold numbers below 2^53

 private:
  std::uint64_t digest_ = 0;
};

}  // namespace

std::uint64_t object_kind(dtype type, byte_order order, std::span<const std::uint64_t> shape,
                          std::span<const std::int64_t> strides) noexcept {
  kind_digest out;
  const std::string_view name = to_string_view(type);
  out.add(XXH3_64bits(name.data(), name.size()));
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
