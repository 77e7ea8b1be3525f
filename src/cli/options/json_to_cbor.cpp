// SPDX-License-Identifier: Apache-2.0
#include "cli/options/json_to_cbor.hpp"

#include <fmt/format.h>

#include <string>

#include "cli/app/cli_error.hpp"
#include "json/reader.hpp"

namespace tgmap::cli {

namespace {

std::string text_of(const json_text::read_error& why) {
  using json_text::read_fault;
  switch (why.fault) {
    case read_fault::incomplete: return "the JSON ends too early";
    case read_fault::too_deep:
      return fmt::format("containers are nested more than {} deep", json_text::max_value_depth);
    case read_fault::number_too_large: return "the number " + why.quoted + " does not fit into a float64";
    case read_fault::integer_too_large: return "the integer " + why.quoted + " does not fit into 64 bits";
    case read_fault::repeated_key: return "the key '" + why.quoted + "' occurs twice";
    case read_fault::malformed:
    case read_fault::none: break;
  }
  return "this is not valid JSON";
}

}  // namespace

cbor_value json_to_cbor(std::string_view text, std::string_view what) {
  json_text::read_error why;
  const cbor_value out = json_text::read_value(text, why);
  if (!why) return out;
  const auto [line, column] = json_text::position_of(text, why);
  throw usage_error(fmt::format("{}: {}, at line {}, column {}", what, text_of(why), line, column),
                    "correct the JSON there");
}

}  // namespace tgmap::cli
