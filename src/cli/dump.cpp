// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/archives.hpp"
#include "cli/complaint.hpp"
#include "cli/dump_frames.hpp"
#include "cli/dump_hex.hpp"
#include "cli/dump_message.hpp"
#include "cli/verb.hpp"

namespace tgmap::cli {

namespace {

struct options {
  std::vector<std::string> files;
  bool json = false, frames = false;
  std::string hex;
};

void dump_bytes(const message& m, const std::optional<object>& o, part which, session& run) {
  if (!o) return dump_hex(m.bytes(), m.offset(), which, run.out);
  const auto at = o->frame().offset_in_message();
  dump_hex(m.bytes().subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(o->frame().length())),
           o->frame().offset(), which, run.out);
}

void dump_message(const options& given, const target& what, const message& m, session& run) {
  if (!given.hex.empty())
    return dump_bytes(m, what.objects ? std::optional(find_object(m, what)) : std::nullopt, parse_part(given.hex), run);
  if (given.frames && given.json) return dump_frames_json(what.file, m, run.out);
  if (given.frames) return dump_frames_text(m, run.out);
  const bounds objects = m.version() == 1 ? bounds{0, 0} : object_numbers(m, what);
  run.out.write(given.json ? dump_json(m, objects) : dump_text(m, objects));
}

void dump_target(const options& given, const target& what, session& run) {
  // By the frames: an index that lies hides nothing from a dump.
  const archive from = open_archive(what, run, object_lookup::walk);
  for_each_message(from, what, run, [&](const message& m) {
    if (what.one_message())
      dump_message(given, what, m, run);
    else
      run.report.guard(what.file, [&] { dump_message(given, what, m, run); });
    return true;
  });
  if (damage_known(from)) run.report.damaged();
}

void run_dump(const options& given, session& run) {
  const auto targets = parse_targets(given.files);
  if (!given.hex.empty()) {
    parse_part(given.hex);
    for (const target& t : targets)
      if (!t.one_message() || (t.objects && !t.one_object()))
        throw usage_error("--hex is of one message or object: FILE:MESSAGE or FILE:MESSAGE:OBJECT");
  }
  for (const target& t : targets) run.report.guard(t.file, [&] { dump_target(given, t, run); });
}

}  // namespace

action declare_dump(CLI::App& app, session& run) {
  const auto given = std::make_shared<options>();
  add_targets(app, given->files, "FILE, FILE:MESSAGE, FILE:MESSAGE:OBJECT, FILE@OFFSET or FILE@OFFSET:OBJECT");
  auto* const json = app.add_flag("-j,--json", given->json, "A JSON document a message; with --frames a line a frame");
  auto* const frames = app.add_flag("--frames", given->frames, "Every frame: place, flags, digest, what it says");
  app.add_option("--hex", given->hex, "Bytes FROM..TO of the message, or of the object's frame")
      ->type_name("FROM..TO")
      ->excludes(json)
      ->excludes(frames);
  return [given, &run] { run_dump(*given, run); };
}

}  // namespace tgmap::cli
