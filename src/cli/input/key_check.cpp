// SPDX-License-Identifier: Apache-2.0
#include "cli/input/key_check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tgmap::cli {

std::string missing_key_advice(const metadata_key& missing, const std::string& near, std::string_view file) {
  if (missing.text().starts_with('@'))
    return "it is a property of objects: add --objects, or name one, FILE:MESSAGE:OBJECT";
  if (!near.empty()) return "did you mean '" + near + "'?";
  return fmt::format("run `tgmap ls -p {} {}` to see which messages have it", missing.text(), file);
}

std::string absent_key_advice(const metadata_key& absent, const std::string& near, std::string_view file) {
  if (near.empty() && !absent.text().starts_with('@')) return fmt::format("run `tgmap dump {}` to see all keys", file);
  return missing_key_advice(absent, near, file);
}

key_check::key_check(std::vector<metadata_key> keys) : missing_(std::move(keys)) {}

void key_check::see(const message& m, key_lookup& in) {
  ++seen_;
  if (missing_.empty()) return;
  std::erase_if(missing_, [&](const metadata_key& each) {
    failure why;
    const bool found = static_cast<bool>(in.find(each, why));
    is_unsure_ = is_unsure_ || why;
    return found;
  });
  // The objects of a message are seen one after another, but its keys are collected once.
  if (missing_.empty() || seen_ > max_collected || m.offset() == last_) return;
  last_ = m.offset();
  known_.add(m);
}

std::vector<metadata_key> key_check::missing() const {
  return seen_ == 0 || is_unsure_ ? std::vector<metadata_key>() : missing_;
}

}  // namespace tgmap::cli
