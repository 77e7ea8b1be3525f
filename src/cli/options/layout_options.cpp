// SPDX-License-Identifier: Apache-2.0
#include "cli/options/layout_options.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "cli/app/cli_error.hpp"
#include "cli/options/option_checks.hpp"

namespace tgmap::cli {

void add_layout_options(CLI::App& app, layout_options& into) {
  constexpr const char* layout = "Layout";
  add_choice<int>(app, "--wire", "Version of the format; default: 3", {{"2", 2}, {"3", 3}}, [&into](int version) {
    into.wire = version;
  })->group(layout);
  app.add_flag("--no-hash", into.no_hash, "Write no hashes")->group(layout);
  add_choice<index_placement>(app, "--index", "Where to put the index of objects; default: header",
                              by_name({index_placement::header, index_placement::footer, index_placement::none}),
                              [&into](index_placement where) { into.index = where; })
      ->group(layout);
  app.add_option("--align", into.alignment, "Alignment of payloads, a power of two from 8 to 4096")
      ->check(CLI::Validator(
          [](std::string& text) {
            std::uint64_t number = 0;
            const bool fits =
                CLI::detail::lexical_cast(text, number) && std::has_single_bit(number) && number >= 8 && number <= 4096;
            return fits ? std::string() : "'" + text + "' is not a power of two from 8 to 4096";
          },
          ""))
      ->check(offered_words({"8", "16", "32", "64", "128", "256", "512", "1024", "2048", "4096"}))
      ->type_name("BYTES")
      ->group(layout);
  app.add_flag("--reproducible", into.reproducible,
               "Same bytes for the same input: no identifier, and no time except SOURCE_DATE_EPOCH")
      ->group(layout);
}

void check_source_date() {
  const char* const text = std::getenv("SOURCE_DATE_EPOCH");
  if (text == nullptr || *text == '\0') return;
  const std::string_view digits(text);
  std::int64_t seconds = 0;
  const auto [end, why] = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
  if (why != std::errc() || end != digits.data() + digits.size())
    throw usage_error(fmt::format("SOURCE_DATE_EPOCH is '{}', not a time", digits),
                      "set it to a number of seconds, or unset it");
}

write_options make_layout(const layout_options& given) {
  check_source_date();
  write_options out;
  out.version = given.wire;
  out.hashes = !given.no_hash;
  out.index = given.index.value_or(out.index);
  if (out.index != index_placement::none) out.hash_list = out.index;
  out.payload_alignment = given.alignment;
  if (given.reproducible) out.provenance = provenance::reproducible();
  return out;
}

}  // namespace tgmap::cli
