// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <tgmap/constant/report.hpp>

#include "json/writer.hpp"

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

std::string problem::json() const {
  const bool is_constant_error = cause.code.category() == category();
  std::string out;
  core::text_builder text(out);
  json_text::writer<> to(text, json_text::ascii_style);
  to.begin_object();
  to.key("code").string(is_constant_error ? to_string_view(static_cast<errc>(cause.code.value())) : "io");
  if (line != 0) {
    to.key("line").integer(line);
    to.key("column").integer(column);
  }
  to.key("offset").integer(cause.offset);
  if (!path.empty()) to.key("path").string(path);
  if (!expected.empty()) to.key("expected").string(expected);
  if (!found.empty()) to.key("found").string(found);
  to.key("text").string(what());
  to.end_object();
  return out;
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
