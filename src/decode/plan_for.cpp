// SPDX-License-Identifier: Apache-2.0
#include "decode/plan_for.hpp"

#include "archive/lookup/message_structure.hpp"
#include "archive/payload_access.hpp"

namespace tgmap::decode {

failure concerning(const object& of, failure why) noexcept {
  if (!why) return why;
  if (why.offset == 0) why.offset = of.payload_offset();
  return detail::located(why, of.frame().message(), of.index());
}

failure plan_for(const object& of, const descriptor& what, plan& out) noexcept {
  bool legacy = false;
  if (what.compression == compression::szip)
    if (failure why = detail::legacy_szip_flags(of, legacy)) return concerning(of, why);
  const open_options& limits = detail::options_of(of);
  return concerning(of, make_plan(what, of.payload_size(), limits, legacy, out));
}

}  // namespace tgmap::decode
