// SPDX-License-Identifier: Apache-2.0
// The output function and the error of all conversions.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace tgmap::convert {

/// Takes the bytes of a file piece by piece. An exception that it throws ends the conversion.
using write_function = std::function<void(std::span<const std::byte>)>;

/// A `conversion_error` says why an input cannot be read, and what to do next. Both texts may quote the input,
/// unescaped.
class conversion_error : public std::runtime_error {
 public:
  conversion_error(const std::string& text, std::string next_step)
      : std::runtime_error(text), next_step_(std::move(next_step)) {}
  const std::string& next_step() const noexcept { return next_step_; }

 private:
  std::string next_step_;
};

}  // namespace tgmap::convert
