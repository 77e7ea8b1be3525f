// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <fmt/format.h>

#include <memory>

#include "cli/archives.hpp"
#include "cli/complaint.hpp"
#include "cli/escape.hpp"
#include "cli/human.hpp"
#include "cli/verb.hpp"
#include "cli/verdict.hpp"

namespace tgmap::cli {

namespace {

struct options {
  std::vector<std::string> files;
  bool quick = false, checksum = false, full = false;
  bool json = false;
  validate_options how;
};

/// One file as lines: what is fine on standard output, everything else on standard error.
class lines final : public validation_visitor {
 public:
  lines(std::string file, output& out) : file_(std::move(file)), out_(out) {}

  void passage(const finding& what) override { complain(passage_line(file_, what)); }
  void message(const message_verdict& verdict) override {
    for (const finding& each : verdict.findings)
      if (each.code != issue::not_decoded) complain(finding_line(file_, each, verdict.message.offset()));
  }

  void finish(const validation_result& found) {
    if (found.not_decoded != 0)
      complain(fmt::format("{}: NOTE — the values of {} were not checked: this version does not decode them\n",
                           escaped(file_), counted(found.not_decoded, "object")));
    if (found.errors != 0) complain(summary_line(file_, found));
    flush();
    if (found.errors == 0) out_.write(summary_line(file_, found));
  }

  /// Before anything else is said of this file.
  void flush() {
    if (pending_.empty()) return;
    out_.flush();
    // Nobody is left to be told when standard error cannot be written.
    static_cast<void>(write_all(STDERR_FILENO, std::as_bytes(std::span(pending_))));
    pending_.clear();
  }

 private:
  void complain(const std::string& line) {
    pending_ += line;
    if (pending_.size() >= enough) flush();
  }

  static constexpr std::size_t enough = std::size_t{1} << 16;

  std::string file_;
  output& out_;
  std::string pending_;
};

/// One element of the array that all files make together, written as it comes.
class element final : public validation_visitor {
 public:
  element(const std::string& file, bool first, output& out) : out_(out) {
    out_.write((first ? "\n" : ",\n") + member("  {", "file", json(file)) + ",\n   \"file_issues\": [");
  }

  void passage(const finding& what) override { item(passage_json(what)); }
  void message(const message_verdict& verdict) override {
    begin_reports();
    item(report_json(verdict));
  }

  void finish(const validation_result& found, const failure& why) {
    begin_reports();
    std::string out = "],\n";
    out += member("   ", "status", found.sound() && !why ? "ok" : "failed") + ",\n";
    out += member("   ", "messages", found.messages) + ",\n" + member("   ", "objects", found.objects) + ",\n";
    out += member("   ", "hash_verified", hash_verified(found) && !why);
    if (found.not_decoded != 0) out += ",\n" + member("   ", "not_decoded", found.not_decoded);
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

  output& out_;
  bool any_ = false, reports_ = false;
};

void validate_lines(const target& t, const options& given, session& run) {
  const archive opened = open_archive(t, run);
  lines to(t.file, run.out);
  failure why;
  const validation_result found = validate(opened, given.how, to, why);
  if (why) {
    to.flush();
    return run.report.failed(t.file, why);
  }
  to.finish(found);
  if (!found.sound()) run.report.unsound();
}

void validate_json(const target& t, const options& given, bool& first, session& run) {
  const archive opened = open_archive(t, run);
  element to(t.file, first, run.out);
  first = false;
  failure why;
  const validation_result found = validate(opened, given.how, to, why);
  to.finish(found, why);
  if (why) return run.report.failed(t.file, why);
  if (!found.sound()) run.report.unsound();
}

void run_validate(options& given, session& run) {
  given.how.threads = run.threads;
  const auto targets = parse_targets(given.files);
  for (const target& t : targets)
    if (!t.whole_file()) throw usage_error("validate is about whole files");
  given.how.what = given.quick      ? validation::quick
                   : given.checksum ? validation::checksum
                   : given.full     ? validation::full
                                    : validation::standard;
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
  const auto given = std::make_shared<options>();
  add_targets(app, given->files, "Archives");
  auto* const quick = app.add_flag("--quick", given->quick, "Structure only");
  auto* const checksum = app.add_flag("--checksum", given->checksum, "Digests only")->excludes(quick);
  app.add_flag("--full", given->full, "Values too, of what can be decoded")->excludes(quick)->excludes(checksum);
  app.add_flag("--canonical", given->how.canonical, "Warn of CBOR that is not in its deterministic form");
  app.add_flag("-j,--json", given->json, "One JSON array, an element a file");
  return [given, &run] { run_validate(*given, run); };
}

}  // namespace tgmap::cli
