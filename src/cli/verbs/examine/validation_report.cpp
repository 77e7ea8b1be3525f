// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/examine/validation_report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <utility>

#include "cli/print/human_numbers.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

namespace {

constexpr std::size_t flush_size = std::size_t{1} << 16;

std::string_view heading(severity how) noexcept {
  return how == severity::error ? "FAILED" : how == severity::warning ? "WARNING" : "NOTE";
}

/// Returns the line for bytes that belong to no message.
std::string unclaimed_line(const std::string& file, const finding& what) {
  return fmt::format("{}: WARNING — {} (at byte offset {}, {} bytes)\n", core::escaped(file), core::escaped(what.text),
                     what.offset, what.length);
}

/// Returns the line for a finding in a message that begins at `message_offset`. Numbers count from 1, as the reference
/// implementation prints them; the address at the end counts from 0, as other verbs take it.
std::string finding_line(const std::string& file, const finding& what, std::uint64_t message_offset, bool with_offset) {
  const std::string object = what.object ? fmt::format(", object {}", *what.object + 1) : "";
  const std::string place =
      reports::has_reference_offset(what.code) ? fmt::format(" (at byte {})", what.offset - message_offset) : "";
  const std::string offset = with_offset ? fmt::format(" (archive offset {})", what.offset) : "";
  const std::string part = what.object ? fmt::format(":{}", *what.object) : "";
  return fmt::format("{0}: {1} — message {2}{3}: {4}{5}{6} [{0}:{7}{8}]\n", core::escaped(file), heading(what.severity),
                     *what.message + 1, object, core::escaped(what.text), place, offset, *what.message, part);
}

/// Returns the last line for a file.
std::string summary_line(const std::string& file, const validation_result& found) {
  if (found.errors == 0)
    return fmt::format("{}: OK ({} messages, {} objects{})\n", core::escaped(file), found.messages, found.objects,
                       reports::is_hash_verified(found) ? ", hash verified" : "");
  return fmt::format("{}: FAILED ({} {}, {} messages, {} objects)\n", core::escaped(file), found.errors,
                     found.errors == 1 ? "error" : "errors", found.messages, found.objects);
}

}  // namespace

void text_report::unclaimed_bytes(const finding& what) { add_line(what.severity, unclaimed_line(file_, what)); }

void text_report::message(const message_report& verdict) {
  for (const finding& each : verdict.findings)
    if (each.code != finding_code::not_decoded)
      add_line(each.severity, finding_line(file_, each, verdict.message.offset(), offsets_));
    else if (not_checked_.empty())
      not_checked_ = each.text;
}

void text_report::finish(const validation_result& found) {
  if (found.objects_not_decoded != 0)
    add_line(severity::note, fmt::format("{}: NOTE — {} could not be decoded; the first: {}\n", core::escaped(file_),
                                         count_text(found.objects_not_decoded, "object"), core::escaped(not_checked_)));
  if (found.errors != 0) add_line(severity::error, summary_line(file_, found));
  flush();
  if (found.errors == 0) out_.write(summary_line(file_, found));
}

void text_report::flush() {
  if (pending_.empty()) return;
  out_.flush();
  out_.clear_progress();
  const std::string text = std::exchange(pending_, {});
  if (write_all(STDERR_FILENO, std::as_bytes(std::span(text))) || errno != EPIPE) return;
  // As for standard output: a closed reader ends the run quietly.
  run_.report.mark_failed();
  throw closed_pipe{};
}

/// Adds a line; under --quiet only errors.
void text_report::add_line(severity how, const std::string& line) {
  if (how != severity::error && !run_.report.has_hints()) return;
  pending_ += line;
  if (pending_.size() >= flush_size) flush();
}

void json_report::progress(const validation_result& so_far) {
  if (!bar_) bar_.emplace(run_, file_, so_far.total_bytes);
  bar_->update(so_far.checked_bytes);
}

}  // namespace tgmap::cli
