// SPDX-License-Identifier: Apache-2.0
#include "cli/output/name_template.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/app/cli_error.hpp"
#include "cli/input/selection.hpp"

namespace tgmap::cli {

edit::file_template parse_template(const std::string& text) {
  failure why;
  edit::file_template out = edit::file_template::parse(text, why);
  if (!why) return out;
  const auto begin = static_cast<std::size_t>(why.found - 1), end = edit::closing_bracket(text, begin);
  const std::string name = text.substr(begin + 1, std::min(end, text.size()) - begin - 1);
  switch (static_cast<template_error>(why.expected)) {
    case template_error::no_key: throw usage_error(fmt::format("'{}': [] has no key", text));
    case template_error::unknown_property: static_cast<void>(parse_keys(name)); [[fallthrough]];
    case template_error::several_keys: throw usage_error(fmt::format("'{}': [{}] has more than one key", text, name));
    default: throw usage_error(fmt::format("'{}': the bracket at '{}' is not closed", text, text.substr(begin, 30)));
  }
}

}  // namespace tgmap::cli
