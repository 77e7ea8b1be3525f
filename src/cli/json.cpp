// SPDX-License-Identifier: Apache-2.0
#include "cli/json.hpp"

namespace tgmap::cli {

namespace {

/// What to branch on: the reason's name, or "io" with the system's text beside it.
std::string code_of(const failure& why) {
  return why.code.category() == category() ? std::string(to_string_view(static_cast<errc>(why.code.value()))) : "io";
}

json passage(std::uint64_t begin, std::uint64_t end, const failure& reason) {
  return {{"begin", begin}, {"end", end}, {"code", code_of(reason)}, {"cause", reason.text()}};
}

}  // namespace

std::string json_line(const json& value) {
  constexpr int compact = -1;
  return value.dump(compact, ' ', true, json::error_handler_t::replace) + "\n";
}

json to_json(const gap& g) { return passage(g.begin, g.end, g.cause); }

json to_json(const std::optional<incomplete_tail>& t) { return t ? passage(t->begin, t->end, t->cause) : json(); }

}  // namespace tgmap::cli
