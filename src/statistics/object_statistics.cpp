// SPDX-License-Identifier: Apache-2.0
#include "statistics/object_statistics.hpp"

#include <tgmap/decode/decode_many.hpp>
#include <tgmap/decode/missing_mask.hpp>

namespace tgmap::statistics {

namespace {

// Small enough to show results early, large enough that threads seldom wait for the last object.
constexpr std::size_t batch_objects = 4096;
constexpr std::uint64_t batch_bytes = std::uint64_t{1} << 28;

std::uint64_t masked_elements(const object& one, failure& why) {
  std::uint64_t out = 0;
  for (const missing_mask& each : one.masks(why)) out += each.count();
  return out;
}

}  // namespace

void object_measurement::add(const message& in, const object& one) {
  messages_.push_back(in);
  objects_.push_back(one);
  bytes_ += one.payload_size();
  if (objects_.size() == batch_objects || bytes_ >= batch_bytes) finish();
}

void object_measurement::finish() {
  const decode_many_options how{
      .decode = {.strides = stride_policy::ignore, .executor = how_.executor, .verify = how_.verify},
      .failures = on_failure::keep_going,
      .max_bytes = how_.max_bytes};
  const auto measure = [&](std::size_t i, tensor&& elements, const failure& undecoded) {
    object_statistics out{.message = messages_[i], .object = objects_[i], .why = undecoded};
    if (!out.why) out.found = compute_statistics(elements, how_.executor, out.why);
    if (!out.why) out.masked = masked_elements(out.object, out.why);
    take_(out);
    return true;
  };
  decode_each(objects_, measure, how);
  messages_.clear();
  objects_.clear();
  bytes_ = 0;
}

}  // namespace tgmap::statistics
