// SPDX-License-Identifier: Apache-2.0
#include "edit/key_values.hpp"

namespace tgmap::edit {

std::string key_values(std::span<const metadata_key> keys, key_lookup& in, failure& why) {
  std::string out;
  why = {};
  for (const metadata_key& each : keys) {
    const key_result found = in.find(each, why);
    if (why) return {};
    const std::string text = found.text();
    out += found ? std::to_string(text.size()) + ":" + text : "-";
  }
  return out;
}

std::string key_values(std::span<const metadata_key> keys, key_lookup& in) {
  failure why;
  std::string out = key_values(keys, in, why);
  detail::raise_if(why);
  return out;
}

}  // namespace tgmap::edit
