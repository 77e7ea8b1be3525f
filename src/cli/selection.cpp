// SPDX-License-Identifier: Apache-2.0
#include "cli/selection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/complaint.hpp"
#include "cli/number_checks.hpp"
#include "core/text/trim.hpp"

namespace tgmap::cli {

void refuse_text(const std::string& text, const failure& why) {
  const std::size_t at = std::min<std::size_t>(why.found == 0 ? 0 : why.found - 1, text.size());
  const std::string rest = text.substr(at, 30);
  std::string out = fmt::format("'{}': {} ({})", text, why.text(), rest.empty() ? "its end" : "'" + rest + "'");
  if (why.expected == static_cast<std::uint64_t>(selection_error::unknown_property)) {
    const std::string near = key_lookup(message()).nearest_key(rest.substr(0, rest.find_first_of("=!<>~ ")));
    if (!near.empty()) out += "; did you mean '" + near + "'?";
  }
  throw usage_error(out, "run `tgmap help where`");
}

selection selection_options::compiled() const {
  selection all;
  for (const std::string& text : clauses) {
    failure why;
    const selection one = selection::parse(text, plain ? selection_syntax::single_clause : selection_syntax::full, why);
    if (why) refuse_text(text, why);
    all = all && one;
  }
  return all;
}

void add_where(CLI::App& app, selection_options& into) {
  app.add_option("-w,--where", into.clauses,
                 "Only what this holds for: 'mars.param=2t/10u and step=0..24'; several must all hold")
      ->allow_extra_args(false)
      ->type_name("WHERE");
  app.add_flag("--where-plain", into.plain, "Read --where as key=a/b or key!=a/b and nothing else");
}

void add_selection(CLI::App& app, selection_options& into) {
  add_where(app, into);
  app.add_option("--sort", into.sort, "In the order of these keys, between commas; KEY:desc for the largest first")
      ->type_name("KEYS");
  app.add_option("--limit", into.limit, "No more than that many")->type_name("N")->check(whole_number_from(0));
}

CLI::Validator named_keys() {
  return CLI::Validator([](std::string& text) { return text.empty() ? std::string("names no key") : std::string(); },
                        "");
}

std::vector<metadata_key> parse_keys(const std::string& text) {
  std::vector<metadata_key> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string name(core::trimmed(std::string_view(text).substr(begin, comma - begin)));
    failure why;
    out.push_back(metadata_key::parse(name, why));
    if (why) {
      const std::string near = key_lookup(message()).nearest_key(name);
      throw usage_error(
          fmt::format("there is no fact '{}'{}", name, near.empty() ? "" : "; did you mean '" + near + "'?"),
          "run `tgmap help keys`");
    }
    begin = comma + 1;
  }
  return out;
}

std::string advice_on_key(const metadata_key& missing, key_lookup& in, std::string_view file) {
  const std::string near = in.nearest_key(missing.text());
  if (!near.empty()) return "did you mean '" + near + "'?";
  if (missing.text().starts_with('@'))
    return "it is a fact of objects: add --objects, or name one, FILE:MESSAGE:OBJECT";
  return fmt::format("run `tgmap ls -p {} {}` to see which messages have it", missing.text(), file);
}

}  // namespace tgmap::cli
