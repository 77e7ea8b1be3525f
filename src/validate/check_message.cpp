// SPDX-License-Identifier: Apache-2.0
#include "validate/check_message.hpp"

#include "validate/collector.hpp"
#include "validate/fidelity.hpp"
#include "validate/metadata.hpp"
#include "validate/structure.hpp"

namespace tgmap::checks {

namespace {

using enum validation_level;

bool walk_frames(workshop& tools, int version, bool checksum, const open_options& limits, collector& found,
                 failure& why) {
  found.quiet(checksum);  // warnings of structure are not what was asked for
  const bool walked = check_structure(tools.raw, version, limits, found, tools.parts, why);
  found.quiet(false);
  return walked && !why;
}

void check_levels(workshop& tools, const tgmap::message& message, bool looked_over, const validate_options& options,
                  const open_options& limits, collector& found, message_report& out, failure& why) {
  const bool checksum = options.mode == validation_mode::checksum, quick = options.mode == validation_mode::quick;
  if (!looked_over && !walk_frames(tools, message.version(), checksum, limits, found, why)) return;
  out.objects = tools.parts.objects.size();
  if (options.check_canonical || !(quick || checksum))
    check_metadata(tools.raw, tools.parts, limits, options.check_canonical, found, why);
  if (wants_digests(options.mode) && !why)
    out.hash_verified = check_integrity(tools.raw, tools.parts, limits, tools.integrity, found, why);
  if (options.mode == validation_mode::full && !why)
    out.not_decoded = check_fidelity(tools.raw, message, tools.parts, limits, tools.decoded, found, why);
}

}  // namespace

message_report check_message(workshop& tools, const tgmap::message& message, std::size_t index, bool looked_over,
                             const validate_options& options, const open_options& limits, std::vector<finding>& out,
                             failure& why) {
  message_report report{.first = out.size()};
  collector found(out, message.offset(), index, options.max_findings);
  if (message.version() == 1)
    found.warning(finding_code::version_1, structure, {},
                  "version 1: known by its place, its content cannot be checked");
  else
    check_levels(tools, message, looked_over, options, limits, found, report, why);
  found.finish();
  report.errors = found.errors();
  report.warnings = found.warnings();
  report.hash_verified = report.hash_verified && report.errors == 0;
  report.count = out.size() - report.first;
  return report;
}

}  // namespace tgmap::checks
