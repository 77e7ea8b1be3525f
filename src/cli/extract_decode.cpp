// SPDX-License-Identifier: Apache-2.0
#include "cli/extract_decode.hpp"

#include <memory>
#include <tgmap/executor.hpp>
#include <tgmap/part_reader.hpp>

namespace tgmap::cli {

void decode_in_order(std::span<const object> objects, const decode_options& how, const tensor_receiver& take,
                     session& run) {
  many_options options{.how = how, .failures = on_failure::go_on};
  const auto own = run.threads == 0 ? nullptr : make_executor(run.threads);
  options.how.on = own.get();
  decode_each(objects, take, options);
}

sliced decode_slice(const object& from, const slice_text& slice, const decode_options& how) {
  box part = resolve(slice, from.descriptor().shape());
  const part_reader reader(from, how);
  return {.elements = reader.slab({.start = part.start, .count = part.count, .stride = part.stride}),
          .shape = std::move(part.shape)};
}

}  // namespace tgmap::cli
