// SPDX-License-Identifier: Apache-2.0
#include "decode/pipeline.hpp"

#include "decode/range_decoder.hpp"

namespace tgmap::decode {

failure run(const plan& p, const object& from, const decode_options& how, workspace& tools,
            std::span<std::byte> out) noexcept {
  if (out.empty()) return {};
  range_decoder all(p, from, how);
  if (failure why = all.open(false, tools.codec.stored, tools.masks)) return why;
  return all.decode_all(out, tools);
}

}  // namespace tgmap::decode
