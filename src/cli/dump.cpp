// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "cli/archives.hpp"
#include "cli/complaint.hpp"
#include "cli/dump_frames.hpp"
#include "cli/dump_hex.hpp"
#include "cli/dump_message.hpp"
#include "cli/key_row.hpp"
#include "cli/selection.hpp"
#include "cli/verb.hpp"

namespace tgmap::cli {

namespace {

struct dump_options {
  std::vector<std::string> files;
  selection_options chosen;
  bool json = false, frames = false, typed = false;
  std::string keys, hex;
};

/// What is done with one message, or one object of it.
class dumper {
 public:
  dumper(const dump_options& given, session& run)
      : given_(given), run_(run), keys_(given.keys.empty() ? std::vector<metadata_key>() : parse_keys(given.keys)) {}

  /// What takes too much is told of, and the next one dumped.
  void dump(const target& t, const message& m, key_lookup& from, std::optional<std::size_t> object) try {
    if (given_.frames) {
      const auto one = t.objects ? object : std::nullopt;
      return given_.json ? dump_frames_json(t.file, m, one, run_.limits.max_memory, run_.out)
                         : dump_frames_text(m, one, run_.limits.max_memory, run_.out);
    }
    // As in the reference, keys change nothing about the text.
    if (given_.json && !keys_.empty()) return dump_keys(from);
    bounds objects{0, 0};
    if (object)
      objects = {*object, *object + 1};
    else if (m.version() != 1)
      objects.end = m.size();
    if (given_.json)
      dump_json(m, objects, run_.limits.max_memory, run_.out);
    else
      run_.out.write(dump_text(m, objects));
  } catch (const complaint& why) {
    run_.out.write("\n");  // behind what was written of it
    const auto number = m.index();
    std::string name = number ? fmt::format("{}:{}", t.file, *number) : fmt::format("{}@{}", t.file, m.offset());
    if (object) name += fmt::format(":{}", *object);
    run_.report.failed(name, why.what(), why.next_step());
  }

  void dump_bytes(const target& t, part which) {
    const archive from = open_archive(t, run_, object_lookup::walk);
    const message m = find_message(from, t);
    if (t.objects) {
      const object o = find_object(m, t);
      dump_hex(from, o.frame().offset(), o.frame().length(), which, run_.out);
    } else {
      dump_hex(from, m.offset(), m.length(), which, run_.out);
    }
    if (damage_known(from)) run_.report.damaged();
  }

 private:
  void dump_keys(key_lookup& from) {
    auto all = stream_members(keys_, from, given_.typed);
    std::uint64_t input = 0;
    for (const auto& [name, what] : all) {
      input += name.size();
      if (const cbor_view* const item = std::get_if<cbor_view>(&what)) input += item->bytes().size();
      if (const sorted_json* const small = std::get_if<sorted_json>(&what); small != nullptr && small->is_string())
        input += small->get_ref<const std::string&>().size();
    }
    json_stream(run_.out, json_stream::layout::pretty, json_limit::of(input, run_.limits.max_memory))
        .put(std::move(all));
    run_.out.write("\n");
  }

  const dump_options& given_;
  session& run_;
  std::vector<metadata_key> keys_;
};

void run_dump(const dump_options& given, session& run) {
  const auto targets = parse_targets(given.files);
  dumper to(given, run);
  if (given.hex.empty()) {
    const auto each = [&](const target& t, const message& m, key_lookup& from, std::optional<std::size_t> object) {
      return to.dump(t, m, from, object), true;
    };
    // By the frames: an index that lies hides nothing from a dump.
    return for_each_selected(targets, given.chosen, run, each, object_lookup::walk);
  }
  const part which = parse_part(given.hex);
  for (const target& t : targets)
    if (!t.one_message() || (t.objects && !t.one_object()))
      throw usage_error("--hex is of one message or object: FILE:MESSAGE or FILE:MESSAGE:OBJECT");
  for (const target& t : targets) run.report.guard(t.file, [&] { to.dump_bytes(t, which); });
}

}  // namespace

action declare_dump(CLI::App& app, session& run) {
  const auto given = std::make_shared<dump_options>();
  add_targets(app, given->files, target_forms, false);
  auto* const as_json =
      app.add_flag("-j,--json", given->json, "A JSON document a message; with --frames a line a frame");
  add_typed(app, given->typed);
  auto* const frames = app.add_flag("--frames", given->frames, "Every frame: place, flags, hash, what it says");
  app.add_option("-p,--keys", given->keys, "With --json: these keys alone, between commas")
      ->type_name("KEYS")
      ->excludes(frames);
  add_selection(app, given->chosen);
  add_max_memory(
      app, run,
      "Bytes that the JSON of a message, or of a frame, may take; unless given 40 for each byte of its metadata, "
      "and 64KiB");
  app.add_flag("--objects", given->chosen.objects, "One object at a time instead of whole messages")->excludes(frames);
  app.add_option("--hex", given->hex, "Bytes FROM..TO of the message, or of the object's frame")
      ->type_name("FROM..TO")
      ->excludes(as_json)
      ->excludes(frames);
  return [given, &run] { run_dump(*given, run); };
}

}  // namespace tgmap::cli
