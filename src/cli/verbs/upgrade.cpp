// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "cli/app/cli_error.hpp"
#include "cli/app/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/output/output_file.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/transform/archive_rewrite.hpp"
#include "cli/transform/message_upgrade.hpp"
#include "cli/transform/verification.hpp"

namespace tgmap::cli {

namespace {

struct upgrade_options {
  rewrite_options where;
  damaged_objects damaged = damaged_objects::refuse;
  bool keep_raw = false, verify = false;
};

/// Returns true if the output can be read after writing.
bool can_be_read_again(const std::string& output) try {
  const output_location there = output_location::resolve(output);
  return there.inherited_descriptor < 0 && there.regular;
} catch (const std::exception&) {
  return true;  // a problem is reported when the output is opened
}

void check_upgrade(const upgrade_options& given) {
  if (parse_target(given.where.input).objects)
    throw usage_error("upgrade takes whole messages; leave the objects out of the address");
  if (!given.verify) return;
  if (!can_be_read_again(given.where.output))
    throw usage_error("--verify reads OUTPUT again, so it must be a file", "name a file, or leave out --verify");
  if (given.where.outputs.dry_run)
    throw usage_error("--verify has nothing to read after --dry-run; leave out one of them");
}

std::string told(const upgrade_options& given, const rewrite_result& done, const message_upgrade& how,
                 const std::optional<std::uint64_t>& verified) {
  std::string out = fmt::format("{}: {}, {} of them upgraded, {} bytes", given.where.output,
                                count_text(done.messages, "message"), done.changed, done.bytes);
  const std::uint64_t anew = how.reencoded_for_szip() + how.reencoded_for_missing();
  if (anew != 0)
    out += fmt::format("; {} re-encoded ({} for szip of old releases, {} for NaN or infinities)",
                       count_text(anew, "object"), how.reencoded_for_szip(), how.reencoded_for_missing());
  if (verified) out += fmt::format("; {} verified", count_text(*verified, "object"));
  out += not_written(given.where.outputs.dry_run);
  return out;
}

void tell(const upgrade_options& given, const rewrite_result& done, const message_upgrade& how,
          const std::optional<std::uint64_t>& verified, session& run) {
  if (given.where.json) {
    json line = as_json(given.where, done);
    line["encoded"] = {{"szip", how.reencoded_for_szip()}, {"non_finite", how.reencoded_for_missing()}};
    if (verified) line["verified"] = *verified;
    return run.out.write(json_line(line));
  }
  report_output(run, given.where.output, told(given, done, how, verified));
}

void run_upgrade(upgrade_options& given, session& run) {
  check_upgrade(given);
  message_upgrade how({.file = parse_target(given.where.input).file,
                       .damaged = given.damaged,
                       .keep_raw = given.keep_raw,
                       .missing = run.missing},
                      run);
  std::optional<std::uint64_t> verified;
  if (given.verify)
    given.where.verify_output = [&](const archive& from, int written) {
      const archive there = open_archive(written, run, object_lookup::index);
      verified = verify_elements(from, there, given.where.output, run);
    };
  const auto make = [&](const message& m, const selected_objects&, stored_message& out) {
    if (m.version() == 3) return false;
    how.upgrade(m, out);
    return true;
  };
  const rewrite_result done = rewrite_archive(given.where, run, make);
  if (done.done) tell(given, done, how, verified, run);
}

}  // namespace

action declare_upgrade(CLI::App& app, session& run) {
  const auto given = std::make_shared<upgrade_options>();
  add_input_and_output(app, given->where, "its numbers, like -w, select the messages to upgrade");
  app.add_flag("--keep-raw", given->keep_raw,
               "Keep NaN and infinities in the payload instead of storing them as masks");
  app.add_flag("--verify", given->verify, "Decode and compare every object before OUTPUT appears");
  app.add_flag_callback(
      "--take-damaged", [given] { given->damaged = damaged_objects::take; },
      "Copy objects unchanged if their hash does not match or they cannot be decoded");
  add_decode_limits(app, run, decoding_verb::pairs);
  add_rewrite_options(app, given->where);
  return [given, &run] { run_upgrade(*given, run); };
}

}  // namespace tgmap::cli
