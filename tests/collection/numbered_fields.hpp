// SPDX-License-Identifier: Apache-2.0
// Archives of small messages, whose keys tell them apart.
#pragma once

#include <initializer_list>
#include <string_view>
#include <support/builder.hpp>

namespace tgmap_test {

/// Returns a message of one object of two float32 for each parameter, with the keys `param` and `step`.
inline bytes field_message(std::initializer_list<std::string_view> params, std::int64_t step) {
  message_spec spec;
  for (const std::string_view each : params) {
    spec.objects.push_back(numbers_object<float>("float32", {1.0F, 2.0F}));
    spec.base.push_back(cbor::map({cbor::key("param", cbor::text(each)), cbor::key("step", cbor::integer(step))}));
  }
  return message(spec);
}

/// Returns an archive of messages with the parameter and the given steps.
inline bytes field_archive(std::string_view param, std::initializer_list<std::int64_t> steps) {
  bytes out;
  for (const std::int64_t step : steps) out += field_message({param}, step);
  return out;
}

}  // namespace tgmap_test
