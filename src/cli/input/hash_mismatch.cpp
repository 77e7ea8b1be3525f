// SPDX-License-Identifier: Apache-2.0
#include "cli/input/hash_mismatch.hpp"

#include <fmt/format.h>

#include "cli/input/archives.hpp"
#include "cli/print/human_numbers.hpp"

namespace tgmap::cli {

CLI::Option* add_verify(CLI::App& app, bool& into, const std::string& effect) {
  return app.add_flag("--verify", into, "Compare stored hashes with the bytes " + effect);
}

bool is_hash_mismatch(const failure& why) { return why.code == make_error_code(errc::hash_mismatch); }

std::string address_text(const std::string& file, const message& of, const failure& why) {
  const auto object = why.object;
  return address_text(file, of, object ? std::optional(static_cast<std::size_t>(*object)) : std::nullopt);
}

void report_unverified(const edit::hash_check& of, session& run) {
  for (const auto& [file, each] : of.without_hash()) {
    std::string what;
    if (each.objects != 0) what = count_text(each.objects, "object") + " without a hash";
    if (each.messages != 0)
      what += (what.empty() ? "" : " and ") + count_text(each.messages, "message") + " of version 1";
    std::string first = each.first.message ? fmt::format("{}:{}", file, *each.first.message)
                                           : fmt::format("{}@{}", file, each.first.offset);
    if (each.first.object) first += fmt::format(":{}", *each.first.object);
    run.report.say(fmt::format("{}: not verified: {}, first {}; `tgmap rehash` adds hashes", file, what, first));
  }
}

}  // namespace tgmap::cli
