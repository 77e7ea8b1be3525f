// SPDX-License-Identifier: Apache-2.0
#include "cli/assigned_item.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "cli/complaint.hpp"
#include "cli/json_item.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::cli {

namespace {

/// All of the text as a number; std::from_chars takes neither blanks nor a plus sign.
template <class Number>
std::optional<Number> whole_text(const std::string& text) {
  Number out{};
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, out);
  return problem == std::errc() && stop == end ? std::optional(out) : std::nullopt;
}

[[noreturn]] void refuse_value(const assignment& of, const char* wanted) {
  throw usage_error(fmt::format("'{}' for {} is no {}", of.value, of.key, wanted),
                    "mend it, or write " + of.key + ":s=… to store it as text");
}

cbor_value integer(const assignment& of) {
  if (const auto number = whole_text<std::int64_t>(of.value)) return *number;
  if (const auto number = whole_text<std::uint64_t>(of.value)) return *number;
  refuse_value(of, "whole number of 64 bits");
}

cbor_value floating(const assignment& of) {
  if (const auto number = whole_text<double>(of.value)) return *number;
  refuse_value(of, "number");
}

cbor_value boolean(const assignment& of) {
  if (of.value == "true" || of.value == "false") return of.value == "true";
  refuse_value(of, "boolean, true or false");
}

cbor_value well_formed_text(const assignment& of) {
  if (core::is_utf8(of.value)) return std::string_view(of.value);
  throw usage_error(fmt::format("the value for {} is no UTF-8", of.key), "write it in the encoding of all text here");
}

}  // namespace

cbor_value assigned_item(const assignment& of, assigned_type unsaid) {
  switch (of.type == assigned_type::unsaid ? unsaid : of.type) {
    case assigned_type::integer: return integer(of);
    case assigned_type::floating: return floating(of);
    case assigned_type::boolean: return boolean(of);
    case assigned_type::null: return {};
    case assigned_type::json: return json_item(of.value, of.key);
    default: return well_formed_text(of);
  }
}

}  // namespace tgmap::cli
