// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace tgmap::convert {

/// An input that cannot be taken: why, in words for people, and what to do next. Both may quote the input, unescaped.
class refusal : public std::runtime_error {
 public:
  refusal(const std::string& text, std::string next_step)
      : std::runtime_error(text), next_step_(std::move(next_step)) {}
  const std::string& next_step() const noexcept { return next_step_; }

 private:
  std::string next_step_;
};

}  // namespace tgmap::convert
