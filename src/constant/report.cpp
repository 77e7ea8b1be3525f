// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <tgmap/constant/report.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

std::string problem::text() const {
  std::string out;
  if (line != 0) out += std::to_string(line) + ':' + std::to_string(column) + ": ";
  if (!path.empty()) out += path + ": ";
  if (expected.empty() && found.empty()) {
    out += why.code.category() == category() ? why.code.message() : why.text();
  } else {
    if (!expected.empty()) out += "expected " + expected;
    if (!expected.empty() && !found.empty()) out += ", ";
    if (!found.empty()) out += "found " + found;
  }
  if (line == 0 && why.code.category() == category()) out += " (byte " + std::to_string(why.offset) + ')';
  return out;
}

error::error(const problem& what)
    : tgmap::error(what.why),
      problem_(std::make_shared<const problem>(what)),
      text_(std::make_shared<const std::string>(what.text())) {}
error::~error() = default;

const char* error::what() const noexcept { return text_->c_str(); }

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
