// SPDX-License-Identifier: Apache-2.0
#include "validate/collector.hpp"

#include "core/text/hex.hpp"

namespace tgmap::checks {

std::string hexadecimal(std::uint64_t number) {
  const auto digits = core::hex_digits(number);
  return {digits.data(), digits.size()};
}

void collector::add(finding_code code, validation_level level, severity how, about what, std::string&& text) {
  if (out_->size() - begin_ >= limit_) {
    ++left_out_;
    return;
  }
  out_->push_back({.code = code,
                   .level = level,
                   .severity = how,
                   .offset = offset_ + what.at,
                   .message = message_,
                   .object = what.object,
                   .text = std::move(text)});
}

void collector::finish() {
  if (left_out_ == 0) return;
  ++limit_;
  add(finding_code::too_many_findings, validation_level::structure, severity::note, {},
      say(left_out_, " further findings of this message"));
}

}  // namespace tgmap::checks
