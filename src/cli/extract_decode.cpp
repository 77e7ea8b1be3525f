// SPDX-License-Identifier: Apache-2.0
#include "cli/extract_decode.hpp"

#include <algorithm>
#include <tgmap/decode/executor.hpp>
#include <tgmap/decode/part_reader.hpp>

namespace tgmap::cli {

void decode_in_order(std::span<const object> objects, const decode_options& how, const tensor_receiver& take,
                     session& run) {
  decode_many_options options{.decode = how, .failures = on_failure::keep_going, .max_bytes = run.limits.ahead()};
  options.decode.executor = &run.workers();
  decode_each(objects, take, options);
}

void slices_in_order(std::size_t count, const std::function<sliced(std::size_t)>& make,
                     const std::function<bool(std::size_t, slice_outcome&&)>& take, session& run) {
  executor& on = run.decoders();
  for (std::size_t begin = 0; begin < count; begin += on.concurrency()) {
    std::vector<slice_outcome> some(std::min<std::size_t>(on.concurrency(), count - begin));
    auto piece = [&](std::size_t i) noexcept {
      try {
        some[i].part = make(begin + i);
      } catch (...) {
        some[i].thrown = std::current_exception();
      }
    };
    on.run(some.size(), {[](void* to, std::size_t i) noexcept { (*static_cast<decltype(piece)*>(to))(i); }, &piece});
    for (std::size_t i = 0; i < some.size(); ++i)
      if (!take(begin + i, std::move(some[i]))) return;
  }
}

sliced decode_slice(const object& from, const slice_text& slice, const decode_options& how) {
  box part = resolve(slice, from.descriptor().shape());
  const part_reader reader(from, how);
  return {.elements = reader.slab({part.start, part.count, part.stride}), .shape = std::move(part.shape)};
}

}  // namespace tgmap::cli
