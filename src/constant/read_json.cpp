// SPDX-License-Identifier: Apache-2.0
#include <tgmap/constant/read.hpp>

#include "constant/json/document.hpp"
#include "constant/raise_first.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

tensor_constant read_json(std::string_view text, const read_options& options, report& into) noexcept {
  return json::read_text({text.data(), text.size()}, options, into);
}

tensor_constant read_json(std::string_view text, const read_options& options) {
  report all;
  tensor_constant out = read_json(text, options, all);
  raise_first(all);
  return out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
