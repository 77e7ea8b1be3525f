// SPDX-License-Identifier: Apache-2.0
#include "query/pattern.hpp"

#include <re2/re2.h>

#include <utility>

namespace tgmap::query {

namespace {

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

bool pattern::available() noexcept { return true; }

pattern pattern::compile(std::string_view text) {
  RE2::Options options;
  options.set_log_errors(false);
  auto compiled = std::make_shared<RE2>(piece(text), options);
  pattern out;
  if (compiled->ok()) out.compiled_ = std::move(compiled);
  return out;
}

bool pattern::found_in(std::string_view text) const {
  return RE2::PartialMatch(piece(text), *static_cast<const RE2*>(compiled_.get()));
}

}  // namespace tgmap::query
