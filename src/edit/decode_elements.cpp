// SPDX-License-Identifier: Apache-2.0
#include "edit/decode_elements.hpp"

namespace tgmap::edit {

tensor decode_elements(const object& from, bool& as_stored, failure& why) {
  tensor out;
  from.decode_into(out, decode_options{}, why);
  as_stored = why.code == make_error_code(errc::unsupported_strides);
  if (as_stored) from.decode_into(out, decode_options{.strides = stride_policy::ignore}, why);
  return out;
}

}  // namespace tgmap::edit
