// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <fmt/format.h>

#include <cerrno>
#include <memory>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "cli/archives.hpp"
#include "cli/complaint.hpp"
#include "cli/escape.hpp"
#include "cli/human.hpp"
#include "cli/progress.hpp"
#include "cli/verb.hpp"
#include "cli/verdict.hpp"

namespace tgmap::cli {

namespace {

struct validate_flags {
  std::vector<std::string> files;
  bool quick = false, checksum = false, full = false;
  bool json = false, offsets = false;
  validate_options how;
};

/// One file as lines: what is fine on standard output, everything else on standard error.
class lines final : public validation_visitor {
 public:
  lines(const target& what, std::uint64_t size, bool offsets, session& run)
      : file_(what.file), offsets_(offsets), run_(run), out_(run.out), bar_(run, what.file, size) {}

  void progress(const validation_result& so_far) override { bar_.at(so_far.checked_bytes); }
  void unclaimed_bytes(const finding& what) override { complain(passage_line(file_, what)); }
  void message(const message_report& verdict) override {
    for (const finding& each : verdict.findings)
      if (each.code != finding_code::not_decoded)
        complain(finding_line(file_, each, verdict.message.offset(), offsets_));
      else if (not_checked_.empty())
        not_checked_ = each.text;
  }

  void finish(const validation_result& found) {
    if (found.objects_not_decoded != 0)
      complain(fmt::format("{}: NOTE — {} could not be decoded; of the first: {}\n", escaped(file_),
                           counted(found.objects_not_decoded, "object"), escaped(not_checked_)));
    if (found.errors != 0) complain(summary_line(file_, found));
    flush();
    if (found.errors == 0) out_.write(summary_line(file_, found));
  }

  /// Before anything else is said of this file.
  void flush() {
    if (pending_.empty()) return;
    out_.flush();
    out_.make_way();
    const std::string text = std::exchange(pending_, {});
    if (write_all(STDERR_FILENO, std::as_bytes(std::span(text))) || errno != EPIPE) return;
    // As with standard output: whoever has read enough ends this, quietly.
    run_.report.unsound();
    throw closed_pipe{};
  }

 private:
  void complain(const std::string& line) {
    pending_ += line;
    if (pending_.size() >= enough) flush();
  }

  static constexpr std::size_t enough = std::size_t{1} << 16;

  std::string file_;
  bool offsets_;
  session& run_;
  output& out_;
  progress_bar bar_;
  std::string pending_;
  std::string not_checked_;  ///< the first note of that kind
};

/// One element of the array that all files make together, written as it comes.
class element final : public validation_visitor {
 public:
  element(const std::string& file, bool first, bool offsets, session& run)
      : file_(file), offsets_(offsets), run_(run), out_(run.out) {
    out_.write((first ? "\n" : ",\n") + member("  {", "file", json(file)) + ",\n   \"file_issues\": [");
  }

  void progress(const validation_result& so_far) override {
    if (!bar_) bar_.emplace(run_, file_, so_far.total_bytes);
    bar_->at(so_far.checked_bytes);
  }
  void unclaimed_bytes(const finding& what) override { item(passage_json(what)); }
  void message(const message_report& verdict) override {
    begin_reports();
    item(report_json(verdict, offsets_));
  }

  void finish(const validation_result& found, const failure& why) {
    begin_reports();
    std::string out = "],\n";
    out += member("   ", "status", found.is_sound() && !why ? "ok" : "failed") + ",\n";
    out += member("   ", "messages", found.messages) + ",\n" + member("   ", "objects", found.objects) + ",\n";
    out += member("   ", "hash_verified", hash_verified(found) && !why);
    if (found.objects_not_decoded != 0) out += ",\n" + member("   ", "not_decoded", found.objects_not_decoded);
    if (why) out += ",\n" + member("   ", "error", why.text());
    out_.write(out + "}");
  }

 private:
  static std::string text(const json& value) { return value.dump(-1, ' ', true, json::error_handler_t::replace); }
  static std::string member(std::string_view before, std::string_view name, const json& value) {
    return fmt::format("{}\"{}\": {}", before, name, text(value));
  }
  void item(const json& value) {
    out_.write((any_ ? ",\n     " : "\n     ") + text(value));
    any_ = true;
  }
  void begin_reports() {
    if (reports_) return;
    out_.write("],\n   \"message_reports\": [");
    reports_ = true;
    any_ = false;
  }

  std::string file_;
  bool offsets_;
  session& run_;
  output& out_;
  std::optional<progress_bar> bar_;
  bool any_ = false, reports_ = false;
};

void validate_lines(const target& t, const validate_flags& given, session& run) {
  const archive opened = open_archive(t, run);
  lines to(t, opened.size_bytes(), given.offsets, run);
  failure why;
  const validation_result found = validate(opened, given.how, to, why);
  if (why) {
    to.flush();
    return run.report.failed(t.file, why);
  }
  to.finish(found);
  if (!found.is_sound()) run.report.unsound();
}

void validate_json(const target& t, const validate_flags& given, bool& first, session& run) {
  element to(t.file, first, given.offsets, run);
  first = false;
  failure why;
  validation_result found;
  try {
    const archive opened = open_archive(t, run);
    found = validate(opened, given.how, to, why);
  } catch (const error& unopened) {
    why = unopened.details();
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  to.finish(found, why);
  if (why) return run.report.failed(t.file, why);
  if (!found.is_sound()) run.report.unsound();
}

void run_validate(validate_flags& given, session& run) {
  given.how.threads = run.limits.threads(run.threads != 0 ? run.threads : std::thread::hardware_concurrency());
  given.how.max_decoded = run.limits.of_all();
  const auto targets = parse_targets(given.files);
  for (const target& t : targets)
    if (!t.whole_file()) throw usage_error("validate is about whole files");
  given.how.mode = given.quick      ? validation_mode::quick
                   : given.checksum ? validation_mode::checksum
                   : given.full     ? validation_mode::full
                                    : validation_mode::standard;
  bool first = true;
  if (given.json) run.out.write("[");
  for (const target& t : targets)
    run.report.guard(t.file, [&] {
      if (given.json)
        validate_json(t, given, first, run);
      else
        validate_lines(t, given, run);
    });
  if (given.json) run.out.write(first ? "]\n" : "\n]\n");
}

}  // namespace

action declare_validate(CLI::App& app, session& run) {
  const auto given = std::make_shared<validate_flags>();
  add_targets(app, given->files, "Archives");
  auto* const quick = app.add_flag("--quick", given->quick, "Structure only");
  auto* const checksum = app.add_flag("--checksum", given->checksum, "Hashes only")->excludes(quick);
  app.add_flag("--full", given->full, "Values too: everything is decoded")->excludes(quick)->excludes(checksum);
  app.add_flag("--canonical", given->how.check_canonical, "Warn of CBOR that is not in its deterministic form");
  add_decode_limits(app, run, decoding_verb::one_object);
  add_max_total(app, run);
  app.add_flag("--offsets", given->offsets, "Where in the archive each finding is, beside where in its message");
  app.add_flag("-j,--json", given->json, "One JSON array, an element a file");
  return [given, &run] { run_validate(*given, run); };
}

}  // namespace tgmap::cli
