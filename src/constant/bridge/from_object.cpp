// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <numeric>
#include <tgmap/array_view.hpp>
#include <tgmap/constant/archive.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

dtype cells_for(dtype elements) noexcept {
  switch (elements) {
    case dtype::float32:
    case dtype::bfloat16:
    case dtype::int8: return elements;
    case dtype::float16: return dtype::float32;
    default: return dtype::float64;
  }
}

tensor_type type_for(std::span<const std::uint64_t> shape, std::span<const std::string> names, dtype cells,
                     failure& why) {
  if (shape.size() != names.size()) {
    why = {.code = tgmap::errc::invalid_option,
           .expected = shape.size(),
           .found = names.size(),
           .argument = "names.size()"};
    return {};
  }
  std::vector<dimension> all;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 0) {  // size 0 stands for a mapped dimension
      why = {.code = errc::bad_size, .found = 0};
      return {};
    }
    all.push_back({names[d], shape[d]});
  }
  return tensor_type::make(cells, std::move(all), why);
}

tensor_constant make_dense(const archive& in, const object& object, std::span<const std::string> names,
                           std::optional<dtype> cells, failure& why) {
  const descriptor d = object.descriptor(why);
  if (why) return {};
  const dtype stored = d.encoding == encoding::simple_packing ? dtype::float64 : d.dtype;
  const dtype wanted = names.empty() && !cells ? dtype::float64 : cells.value_or(cells_for(stored));
  tensor_type type = type_for(d.shape(), names, wanted, why);
  if (why) return {};
  const auto elements =
      std::make_shared<tensor>(stored == wanted ? object.decode({}, why) : object.decode_as(wanted, {}, why));
  if (why) return {};

  // Sort the axes by name.
  std::array<std::size_t, max_rank> order{};
  const std::size_t rank = names.size();
  std::iota(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(rank), std::size_t{0});
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(rank),
            [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
  std::array<std::uint64_t, max_rank> shape{};
  std::array<std::int64_t, max_rank> strides{};
  for (std::size_t i = 0; i < rank; ++i) {
    shape[i] = elements->shape()[order[i]];
    strides[i] = elements->strides()[order[i]];
  }
  if (is_c_order({shape.data(), rank}, {strides.data(), rank})) {
    const auto bytes = elements->bytes();
    const pin owner = elements->is_borrowed() ? in.pin() : pin(elements);
    return tensor_constant::of(std::move(type), bytes, owner, why);
  }
  if (elements->is_borrowed()) {  // copy first: the file may become shorter while elements are gathered
    object.decode_into(*elements, {}, why);
    if (why) return {};
  }
  const std::shared_ptr<std::byte[]> own = std::make_shared_for_overwrite<std::byte[]>(type.block_bytes());
  gather_elements(elements->bytes().data(), element_size(wanted), {shape.data(), rank}, {strides.data(), rank},
                  own.get());
  const std::span<const std::byte> bytes(own.get(), static_cast<std::size_t>(type.block_bytes()));
  return tensor_constant::of(std::move(type), bytes, pin(own), why);
}

}  // namespace

tensor_constant from_object(const archive& in, const object& object, std::span<const std::string> names,
                            std::optional<dtype> cells, failure& why) noexcept try {
  why = {};
  return make_dense(in, object, names, cells, why);
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

tensor_constant from_object(const archive& in, const object& object, std::span<const std::string> names,
                            std::optional<dtype> cells) {
  failure why;
  tensor_constant out = from_object(in, object, names, cells, why);
  tgmap::detail::raise_if(why);
  return out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
