// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <tgmap/constant/report.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

std::string problem::what() const {
  const bool is_constant_error = cause.code.category() == category(),
             has_description = !expected.empty() || !found.empty();
  std::string out = path.empty() ? "" : path + ": ";
  if (!expected.empty()) out += "expected " + expected;
  if (!expected.empty() && !found.empty()) out += ", ";
  if (!found.empty()) out += "found " + found;
  if (!has_description) out += is_constant_error ? cause.code.message() : cause.text();
  if (line == 0 && (has_description || (is_constant_error && cause.offset != 0)))
    out += " (byte " + std::to_string(cause.offset) + ')';
  return out;
}

std::string problem::text() const {
  return line == 0 ? what() : std::to_string(line) + ':' + std::to_string(column) + ": " + what();
}

error::error(const problem& what)
    : tgmap::error(what.cause),
      problem_(std::make_shared<const problem>(what)),
      text_(std::make_shared<const std::string>(what.text())) {}
error::~error() = default;

const char* error::what() const noexcept { return text_->c_str(); }

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
