// SPDX-License-Identifier: Apache-2.0
#include "validate/check_message.hpp"

#include "validate/collector.hpp"
#include "validate/fidelity.hpp"
#include "validate/metadata.hpp"
#include "validate/structure.hpp"

namespace tgmap::checks {

namespace {

using enum validation_level;

void check_levels(workshop& tools, const validate_options& options, const open_options& limits, collector& found,
                  message_report& out, failure& why) {
  const bool checksum = options.what == validation::checksum, quick = options.what == validation::quick;
  found.quiet(checksum);  // warnings of structure are not what was asked for
  const bool walked = check_structure(tools.raw, out.message.version(), limits, found, tools.parts, why);
  found.quiet(false);
  if (!walked || why) return;
  out.objects = tools.parts.objects.size();
  if (options.canonical || !(quick || checksum))
    check_metadata(tools.raw, tools.parts, limits, options.canonical, found, why);
  if (!quick && !why) out.hash_verified = check_integrity(tools.raw, tools.parts, limits, tools.integrity, found, why);
  if (options.what == validation::full && !why)
    out.not_decoded = check_fidelity(tools.raw, tools.parts, limits, found, why);
}

}  // namespace

message_report check_message(workshop& tools, const tgmap::message& message, std::size_t index,
                             const validate_options& options, const open_options& limits, std::vector<finding>& out,
                             failure& why) {
  message_report report{.message = message, .first = out.size()};
  collector found(out, message.offset(), static_cast<std::int64_t>(index), options.max_findings);
  if (message.version() == 1) {
    found.warning(issue::version_1, structure, {}, "version 1: known by its place, its content cannot be checked");
  } else if (why = tools.raw.open(message); why.code == make_error_code(errc::resident_limit)) {
    found.error(issue::limit_exceeded, structure, {}, "message not checked: " + why.text());
    why = {};
  } else if (!why) {
    check_levels(tools, options, limits, found, report, why);
  }
  found.finish();
  report.errors = found.errors();
  report.warnings = found.warnings();
  report.hash_verified = report.hash_verified && report.errors == 0;
  report.count = out.size() - report.first;
  return report;
}

}  // namespace tgmap::checks
