// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tgmap/archive.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/app/session.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/decode_error.hpp"
#include "cli/options/decode_limit_options.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/progress.hpp"
#include "cli/transform/rewriting.hpp"
#include "edit/compare/element_verification.hpp"
#include "edit/message_upgrade.hpp"
#include "edit/output/output_location.hpp"
#include "statistics/element_statistics.hpp"

namespace tgmap::cli {

namespace {

/// Returns the error for an object that cannot be upgraded.
cli_error upgrade_error(const edit::upgrade_fault& of, const message& in, const std::string& file) {
  using kind = edit::upgrade_fault::kind;
  const std::string place = location_text(in, of.object) + ": ";
  if (of.what == kind::store) return {place + of.why.text(), next_step(of.why, file)};
  if (of.what == kind::half_nan)
    return {place + "masks cannot represent complex numbers of which only one part is NaN or infinite",
            "add --keep-raw to leave NaN and infinities among the elements"};
  const std::string name = fmt::format("{}@{}:{}", file, in.offset(), of.object);
  const cli_error reason = decode_error(in[of.object], of.why, name, file);
  return {place + reason.what(), "add --take-damaged to copy it unchanged; " + reason.next_step()};
}

bool holds_non_finite(const tensor& elements, session& run) {
  failure why;
  const auto found = statistics::compute_statistics(elements, &run.workers(), why);
  if (why) throw error(why);
  return found.finite_count() != found.elements;
}

struct upgrade_options {
  rewrite_options where;
  bool keep_raw = false, verify = false;
};

/// Returns true if the output can be read after writing.
bool can_be_read_again(const std::string& output) try {
  return !edit::locate_output(output).in_place();
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

std::string summary_text(const upgrade_options& given, const rewrite_result& done, const edit::message_upgrade& how,
                         const std::optional<std::uint64_t>& verified) {
  std::string out = fmt::format("{}: {}, {} of them upgraded, {} bytes", given.where.output,
                                count_text(done.messages, "message"), done.changed, done.bytes);
  const std::uint64_t reencoded = how.reencoded_for_szip() + how.reencoded_for_missing();
  if (reencoded != 0)
    out += fmt::format("; {} re-encoded ({} for szip of old releases, {} for NaN or infinities)",
                       count_text(reencoded, "object"), how.reencoded_for_szip(), how.reencoded_for_missing());
  if (verified) out += fmt::format("; {} verified", count_text(*verified, "object"));
  out += not_written(given.where.outputs.dry_run);
  return out;
}

void report_upgrade(const upgrade_options& given, const rewrite_result& done, const edit::message_upgrade& how,
                    const std::optional<std::uint64_t>& verified, session& run) {
  if (given.where.json) {
    json line = as_json(given.where, done);
    line["encoded"] = {{"szip", how.reencoded_for_szip()}, {"non_finite", how.reencoded_for_missing()}};
    if (verified) line["verified"] = *verified;
    return run.out.write(json_line(line));
  }
  report_output(run, given.where.output, summary_text(given, done, how, verified));
}

/// Returns the number of objects whose elements are equal in the output. Errors: cli_error for the first difference.
std::uint64_t verify_output(const archive& before, const archive& after, const std::string& file, session& run) {
  progress_bar bar(run, "verifying " + file, before.size_bytes());
  const edit::verification found = edit::verify_elements(before, after, bar.callback());
  if (!found.fault) return found.equal;
  using kind = edit::verification_fault::kind;
  const edit::verification_fault& of = *found.fault;
  std::string text = fmt::format("verification failed at {}: ", location_text(of.message));
  switch (of.what) {
    case kind::objects: text += fmt::format("{} became {}", count_text(of.before, "object"), of.after); break;
    case kind::type: text += fmt::format("object {} has another dtype or shape", of.object); break;
    case kind::elements:
      text += fmt::format("{} of {} elements of object {} differ", of.differing, of.elements, of.object);
      break;
    case kind::missing: text += "the message is missing"; break;
    case kind::unexpected: text += "the message does not exist in the input"; break;
  }
  throw cli_error(text, "nothing was written");
}

void run_upgrade(upgrade_options& given, session& run) {
  check_upgrade(given);
  const std::string file = parse_target(given.where.input).file;
  edit::message_upgrade how({.damaged = given.where.damaged,
                             .keep_raw = given.keep_raw,
                             .missing = run.missing,
                             .holds_non_finite = [&](const tensor& of) { return holds_non_finite(of, run); }});
  std::optional<std::uint64_t> verified;
  if (given.verify)
    given.where.verify_output = [&](const archive& from, int written) {
      const archive there = open_archive(written, run, object_lookup::index);
      verified = verify_output(from, there, given.where.output, run);
    };
  const auto make = [&](const message& m, const selected_objects&, stored_message& out) {
    if (m.version() == 3) return false;
    if (m.version() == 1)
      throw cli_error(fmt::format("the message at offset {} has version 1, which no release can read", m.offset()),
                      "copy the other messages with `tgmap copy` first");
    if (const auto fault = how.upgrade(m, out)) throw upgrade_error(*fault, m, file).in_object(fault->object);
    return true;
  };
  const auto done = rewrite_archive(given.where, run, make);
  if (done) report_upgrade(given, *done, how, verified, run);
}

}  // namespace

action declare_upgrade(CLI::App& app, session& run) {
  const auto given = std::make_shared<upgrade_options>();
  add_input_and_output(app, given->where, "its numbers, like -w, select the messages to upgrade");
  app.add_flag("--keep-raw", given->keep_raw,
               "Keep NaN and infinities in the payload instead of storing them as masks");
  app.add_flag("--verify", given->verify, "Decode and compare every object before OUTPUT appears");
  add_decode_limits(app, run, decoding_verb::pairs);
  add_rewrite_options(
      app, given->where,
      "Copy objects unchanged, with a new hash, if their hash does not match or they cannot be decoded");
  return [given, &run] { run_upgrade(*given, run); };
}

}  // namespace tgmap::cli
