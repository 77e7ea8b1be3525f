// SPDX-License-Identifier: Apache-2.0
#include "cli/elements.hpp"

namespace tgmap::cli {

namespace {

tensor decoded(const object& from, bool& as_stored, failure& why) {
  tensor out;
  from.decode_into(out, decode_options{}, why);
  as_stored = why.code == make_error_code(errc::unsupported_strides);
  if (as_stored) from.decode_into(out, decode_options{.strides = stride_policy::ignore}, why);
  return out;
}

}  // namespace

tensor elements_of(const object& from, failure& why) {
  bool as_stored = false;
  return decoded(from, as_stored, why);
}

tensor elements_of(const object& from, bool& as_stored) {
  failure why;
  tensor out = decoded(from, as_stored, why);
  if (why) throw error(why);
  return out;
}

tensor elements_of(const object& from) {
  bool as_stored = false;
  return elements_of(from, as_stored);
}

}  // namespace tgmap::cli
