// SPDX-License-Identifier: Apache-2.0
#include "json/value_builder.hpp"

namespace tgmap::json_text {

void value_builder::large_integer(double nearest, std::string_view digits) {
  is_strict_ ? refuse(read_fault::integer_too_large, digits) : add(nearest);
}

void value_builder::key(std::string_view name) {
  container& in = open_.back();
  in.key = name;
  if (is_strict_ && !in.keys.insert(in.key).second) refuse(read_fault::repeated_key, name);
}

void value_builder::add(cbor_value value) {
  if (open_.empty())
    value_ = std::move(value);
  else
    open_.back().members.emplace_back(open_.back().key, std::move(value));
}

void value_builder::end() {
  container last = std::move(open_.back());
  open_.pop_back();
  if (last.is_object) {
    std::vector<cbor_value::pair> pairs;
    pairs.reserve(last.members.size());
    for (auto& [key, value] : last.members) pairs.emplace_back(key, std::move(value));
    add(cbor_value::map(pairs));
  } else {
    std::vector<cbor_value> values;
    values.reserve(last.members.size());
    for (auto& member : last.members) values.push_back(std::move(member.second));
    add(cbor_value::array(values));
  }
}

}  // namespace tgmap::json_text
