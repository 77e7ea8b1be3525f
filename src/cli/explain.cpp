// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <memory>
#include <tgmap/tools/explain.hpp>

#include "cli/advice.hpp"
#include "cli/archives.hpp"
#include "cli/complaint.hpp"
#include "cli/escape.hpp"
#include "cli/explain_rows.hpp"
#include "cli/sample_message.hpp"
#include "cli/verb.hpp"

namespace tgmap::cli {

namespace {

struct explain_options {
  std::vector<std::string> files;
  std::string lookup = "index";
  bool json = false;

  open_options opening(const session& run) const {
    return {.io = run.io,
            .damage = on_damage::skip,
            .lookup = lookup == "walk" ? object_lookup::walk : object_lookup::index};
  }
};

/// Goes the same way once in a file of our own, so that code which runs for the first time is not measured.
void warm_up(const open_options& how) {
  const int file = ::memfd_create("tgmap", MFD_CLOEXEC);
  if (file < 0) return;
  failure ignored;
  if (write_all(file, sample_message()))
    explain_access(fmt::format("/proc/self/fd/{}", file), {.message = 0, .object = 0}, how, ignored);
  ::close(file);
}

access_target wanted_by(const target& t) {
  if (t.file == "-") throw usage_error("explain opens the archive itself and takes a file, not standard input");
  if (!t.one_message() || (t.objects && !t.objects->single))
    throw usage_error("explain takes one message or object, such as " + t.file + ":0 or " + t.file + ":0:0");
  access_target out{.offset = t.offset};
  if (t.messages) out.message = t.messages->begin.value_or(0);
  if (t.objects) out.object = t.objects->begin;
  return out;
}

bool index_lies(const failure& why) {
  return why.code.category() == category() && why.code.value() >= static_cast<int>(errc::bad_index) &&
         why.code.value() <= static_cast<int>(errc::index_length_mismatch);
}

/// The one message of a file that has no other.
target only_message(const target& file, session& run) {
  const archive in = open_archive(file, run);
  failure why;
  if (static_cast<void>(in.at(1, why)); why.code != make_error_code(errc::out_of_range))
    throw complaint("it has several messages",
                    "name one, or an object of it: " + file.file + ":0, " + file.file + ":0:0");
  target out = file;
  out.messages = numbers{.begin = 0};
  return out;
}

void explain_target(const explain_options& given, const target& named, session& run) {
  failure why;
  const target t = named.whole_file() && named.file != "-" ? only_message(named, run) : named;
  const open_options how = given.opening(run);
  const access_report what = explain_access(t.file, wanted_by(t), how, why);
  if (why && index_lies(why) && how.lookup == object_lookup::index)
    return run.report.failed(t.file, why.text(), "add --lookup walk to find the objects without the index");
  if (why) return run.report.failed(t.file, why);
  if (given.json)
    run.out.write(json_line(access_json(t.file, what)));
  else
    print_access(what, run.out);
  if (what.is_damaged) tell_of_damage(t.file, run);
}

void run_explain(const explain_options& given, session& run) {
  const auto targets = parse_targets(given.files);
  for (const target& t : targets)
    if (!t.whole_file() || t.file == "-") wanted_by(t);
  warm_up(given.opening(run));
  for (const target& t : targets) {
    const bool many = targets.size() > 1 && !given.json;
    if (many) run.out.write(fmt::format("{}{}:\n", &t == &targets.front() ? "" : "\n", escaped(t.file)));
    run.report.guard(t.file, [&] { explain_target(given, t, run); });
  }
}

}  // namespace

action declare_explain(CLI::App& app, session& run) {
  const auto given = std::make_shared<explain_options>();
  app.add_option("FILE", given->files, "FILE:MESSAGE, FILE:MESSAGE:OBJECT, FILE@OFFSET or FILE@OFFSET:OBJECT")
      ->required()
      ->type_name("");
  app.add_option("--lookup", given->lookup, "By the index of the message where there is one, or frame by frame")
      ->check(CLI::IsMember({"index", "walk"}))
      ->type_name("WAY");
  app.add_flag("-j,--json", given->json, "One JSON object a target, each on a line");
  return [given, &run] { run_explain(*given, run); };
}

}  // namespace tgmap::cli
