// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "cli/archives.hpp"
#include "cli/complaint.hpp"
#include "cli/human.hpp"
#include "cli/outputs/output_file.hpp"
#include "cli/outputs/tell_of_output.hpp"
#include "cli/recode/upgraded_message.hpp"
#include "cli/recode/verification.hpp"
#include "cli/rewrite/archive_rewrite.hpp"
#include "cli/verb.hpp"

namespace tgmap::cli {

namespace {

struct upgrade_options {
  rewrite_options where;
  damaged_objects damaged = damaged_objects::refuse;
  bool keep_raw = false, verify = false;
};

/// Whether what is written there can be read again.
bool can_be_read_again(const std::string& output) try {
  const output_place there = output_place::find(output);
  return there.inherited < 0 && there.regular;
} catch (const std::exception&) {
  return true;  // what is wrong with it is told when it is opened
}

void check_upgrade(const upgrade_options& given) {
  if (parse_target(given.where.input).objects)
    throw usage_error("messages are upgraded whole; leave the objects out of the address");
  if (!given.verify) return;
  if (!can_be_read_again(given.where.output))
    throw usage_error("--verify reads what was written again; of OUTPUT only a file can be",
                      "name a file, or leave --verify out");
  if (given.where.outputs.dry_run) throw usage_error("--verify has nothing to read after --dry-run; leave one out");
}

std::string told(const upgrade_options& given, const rewritten& done, const message_upgrade& how,
                 const std::optional<std::uint64_t>& verified) {
  std::string out = fmt::format("{}: {}, {} of them upgraded, {} bytes", given.where.output,
                                counted(done.messages, "message"), done.changed, done.bytes);
  const std::uint64_t anew = how.for_szip() + how.for_missing();
  if (anew != 0)
    out += fmt::format("; {} encoded anew ({} for szip of old releases, {} for NaN or infinities)",
                       counted(anew, "object"), how.for_szip(), how.for_missing());
  if (verified) out += fmt::format("; {} verified", counted(*verified, "object"));
  out += not_written(given.where.outputs.dry_run);
  return out;
}

void tell(const upgrade_options& given, const rewritten& done, const message_upgrade& how,
          const std::optional<std::uint64_t>& verified, session& run) {
  if (given.where.json) {
    json line = as_json(given.where, done);
    line["encoded"] = {{"szip", how.for_szip()}, {"non_finite", how.for_missing()}};
    if (verified) line["verified"] = *verified;
    return run.out.write(json_line(line));
  }
  tell_of_output(run, given.where.output, told(given, done, how, verified));
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
    given.where.examine = [&](const archive& from, int written) {
      const archive there = open_archive(written, run, object_lookup::index);
      verified = verify_elements(from, there, given.where.output, run);
    };
  const auto make = [&](const message& m, const selected_objects&, message_parts& out) {
    if (m.version() == 3) return false;
    how.make(m, out);
    return true;
  };
  const rewritten done = rewrite_archive(given.where, run, make);
  if (done.done) tell(given, done, how, verified, run);
}

}  // namespace

action declare_upgrade(CLI::App& app, session& run) {
  const auto given = std::make_shared<upgrade_options>();
  add_input_and_output(app, given->where, "its numbers, like -w, select the messages that are upgraded");
  app.add_flag("--keep-raw", given->keep_raw,
               "Leave NaN and infinities among the elements; without, masks tell of them, as version 3 has it");
  app.add_flag("--verify", given->verify, "Decode every object of both afterwards, and compare: before OUTPUT appears");
  app.add_flag_callback(
      "--take-damaged", [given] { given->damaged = damaged_objects::take; },
      "Take objects whose hash does not match, or which cannot be decoded, as they are");
  add_decode_limits(app, run, decoding_verb::pairs);
  add_rewrite_options(app, given->where);
  return [given, &run] { run_upgrade(*given, run); };
}

}  // namespace tgmap::cli
