// SPDX-License-Identifier: Apache-2.0
#include "cli/stats_row.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <type_traits>

#include "cli/archives.hpp"
#include "cli/caption.hpp"
#include "cli/escape.hpp"
#include "cli/undecodable.hpp"

namespace tgmap::cli {

namespace {

using statistics::exact_number;

/// In the fewest digits that mean this number and no other one of its dtype.
std::string digits_of(const exact_number& number, dtype of) {
  return std::visit(
      [&](auto x) -> std::string {
        if constexpr (std::is_same_v<decltype(x), std::monostate>) {
          return "-";
        } else if constexpr (std::is_same_v<decltype(x), double>) {
          const bool narrow = of == dtype::float16 || of == dtype::bfloat16 || of == dtype::float32;
          return narrow ? fmt::format("{}", static_cast<float>(x)) : fmt::format("{}", x);
        } else {
          return std::to_string(x);
        }
      },
      number);
}

json exact_json(const exact_number& number) {
  return std::visit(
      [](auto x) -> json {
        if constexpr (std::is_same_v<decltype(x), std::monostate>)
          return nullptr;
        else
          return x;
      },
      number);
}

std::string digits_of(double x) { return std::isnan(x) ? "-" : fmt::format("{:.9g}", x); }

json or_null(double x) { return std::isfinite(x) ? json(x) : json(); }

json or_null(const std::string& text) { return text.empty() ? json() : json(text); }

caption words_of(const object& one) {
  failure none;  // an object without metadata has numbers all the same
  return caption_of(one.metadata(none));
}

}  // namespace

std::vector<table::column> stats_columns() {
  using side = table::align;
  return {{"message", side::right}, {"object", side::right},   {"name", side::left},    {"dtype", side::left},
          {"shape", side::left},    {"elements", side::right}, {"masked", side::right}, {"nan", side::right},
          {"inf+", side::right},    {"inf-", side::right},     {"min", side::right},    {"max", side::right},
          {"mean", side::right},    {"std", side::right},      {"notes", side::left}};
}

std::vector<std::string> stats_cells(const stats_row& row) {
  const auto index = row.message.index();
  failure unread;
  const descriptor what = row.object.descriptor(unread);
  const std::string name = words_of(row.object).name;
  std::vector<std::string> out{index ? std::to_string(*index) : "-", std::to_string(row.object.index()),
                               name.empty() ? "-" : name, unread ? "-" : std::string(tgmap::to_string_view(what.dtype)),
                               unread ? "-" : fmt::format("[{}]", fmt::join(what.shape(), ", "))};
  if (row.why) {
    out.resize(stats_columns().size(), "-");
    out.back() = escaped(why_not_decoded(row.object, row.why));
    return out;
  }
  const auto& found = row.found;
  for (const std::uint64_t count :
       {found.elements, row.masked, found.nan, found.positive_infinities, found.negative_infinities})
    out.push_back(std::to_string(count));
  for (const exact_number& end : {found.least, found.greatest}) out.push_back(digits_of(end, what.dtype));
  out.push_back(digits_of(found.mean));
  out.push_back(digits_of(found.deviation));
  out.emplace_back();
  return out;
}

json as_json(const stats_row& row) {
  const auto index = row.message.index();
  const caption words = words_of(row.object);
  json out{{"message", index ? json(*index) : json()},
           {"object", row.object.index()},
           {"name", or_null(words.name_text)},
           {"units", or_null(words.unit_text)}};
  failure unread;
  const descriptor what = row.object.descriptor(unread);
  if (!unread)
    out.update({{"dtype", to_string_view(what.dtype)},
                {"shape", to_json(what.shape())},
                {"encoding", what.encoding_name.view()},
                {"filter", what.filter_name.view()},
                {"compression", what.compression_name.view()}});
  if (row.why) {
    out["error"] = why_not_decoded(row.object, row.why);
    return out;
  }
  const auto& found = row.found;
  out.update({{"elements", found.elements},
              {"finite", found.finite()},
              {"masked", row.masked},
              {"nan", found.nan},
              {"inf+", found.positive_infinities},
              {"inf-", found.negative_infinities},
              {"min", exact_json(found.least)},
              {"max", exact_json(found.greatest)},
              {"mean", or_null(found.mean)},
              {"std", or_null(found.deviation)}});
  return out;
}

}  // namespace tgmap::cli
