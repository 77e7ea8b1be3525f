// SPDX-License-Identifier: Apache-2.0
#include "cli/elements.hpp"

namespace tgmap::cli {

tensor elements_of(const object& from, failure& why) {
  tensor out;
  from.decode_into(out, decode_options{}, why);
  if (why.code == make_error_code(errc::odd_strides))
    from.decode_into(out, decode_options{.elements = element_order::as_stored}, why);
  return out;
}

tensor elements_of(const object& from) {
  failure why;
  tensor out = elements_of(from, why);
  if (why) throw error(why);
  return out;
}

}  // namespace tgmap::cli
