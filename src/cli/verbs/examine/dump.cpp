// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/archive.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/app/output.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/target.hpp"
#include "cli/messages/message_dump.hpp"
#include "cli/messages/shown_key.hpp"
#include "cli/options/decode_limit_options.hpp"
#include "cli/print/json.hpp"
#include "core/text/escape.hpp"
#include "reports/message_json.hpp"

namespace tgmap::cli {

namespace {

/// A range of bytes; `end` may lie beyond the last byte.
struct part {
  std::uint64_t begin = 0, end = UINT64_MAX;
};

constexpr std::size_t bytes_per_line = 16;

std::uint64_t bound(std::string_view text, std::uint64_t without, std::string_view whole) {
  if (text.empty()) return without;
  std::uint64_t out = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (problem != std::errc{} || end != text.data() + text.size())
    throw usage_error("'" + std::string(whole) + "' is not a range such as 0..63, ..63 or 16..");
  return out;
}

std::string line_of(std::span<const std::byte> bytes, std::uint64_t at) {
  std::string numbers, text;
  for (std::size_t i = 0; i < bytes_per_line; ++i) {
    if (i == bytes_per_line / 2) numbers += ' ';
    if (i >= bytes.size()) {
      numbers += "   ";
      continue;
    }
    const auto byte = std::to_integer<unsigned>(bytes[i]);
    numbers += fmt::format(" {:02x}", byte);
    text += byte >= 0x20 && byte < 0x7f ? static_cast<char>(byte) : '.';
  }
  return fmt::format("{:08x} {}  |{}|\n", at, numbers, text);
}

/// Parses "16..63", "..63", "16.." or "..". Both ends belong to a range. Errors: usage_error.
part parse_part(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == text.npos) bound("?", 0, text);
  const part out{bound(text.substr(0, dots), 0, text), bound(text.substr(dots + 2), UINT64_MAX, text)};
  if (out.begin > out.end) throw usage_error("'" + std::string(text) + "' ends before it begins");
  return {out.begin, out.end == UINT64_MAX ? UINT64_MAX : out.end + 1};
}

/// Prints a part of the `size` bytes at archive offset `at`: offsets, hexadecimal digits and ASCII.
/// Errors: tgmap::error.
void dump_hex(const archive& of, std::uint64_t at, std::uint64_t size, part which, output& out) {
  const std::uint64_t end = std::min(which.end, size);
  std::array<std::byte, 256 * bytes_per_line> copy;
  for (std::uint64_t from = which.begin; from < end; from += copy.size()) {
    const auto piece =
        std::span(copy).first(static_cast<std::size_t>(std::min<std::uint64_t>(copy.size(), end - from)));
    of.read(at + from, piece);
    for (std::size_t i = 0; i < piece.size(); i += bytes_per_line)
      out.write(line_of(piece.subspan(i, std::min(bytes_per_line, piece.size() - i)), at + from + i));
  }
}

struct dump_options {
  std::vector<std::string> files;
  selection_options chosen;
  bool json = false, frames = false, typed = false;
  std::string keys, hex;
};

/// Dumps messages, or their objects.
class dumper {
 public:
  /// `names_files`: a line names each file before its first message.
  dumper(const dump_options& given, bool names_files, session& run)
      : given_(given),
        names_files_(names_files),
        run_(run),
        keys_(given.keys.empty() ? std::vector<typed_key>() : parse_typed_keys(given.keys)) {}

  /// Dumps one message. If its JSON exceeds the limit, reports that and continues.
  void dump(const target& t, const message& m, key_lookup& from, std::optional<std::size_t> object) try {
    name_file(t);
    if (given_.frames) {
      const auto one = t.objects ? object : std::nullopt;
      const auto& limit = run_.limits.max_memory;
      return check(given_.json ? reports::write_frames_json(t.file, m, one, limit, run_.out)
                               : dump_frames_text(m, one, limit, run_.out));
    }
    // Keys do not change the text, as in the reference implementation.
    if (given_.json && !keys_.empty()) return dump_keys(from);
    number_bounds objects{0, 0};
    if (object)
      objects = {*object, *object + 1};
    else if (m.version() != 1)
      objects.end = m.size();
    if (given_.json)
      check(reports::write_message_json(m, objects, run_.limits.max_memory, run_.out));
    else
      run_.out.write(dump_text(m, objects));
  } catch (const cli_error& why) {
    run_.out.write("\n");  // ends the part that was written
    run_.report.failed(address_text(t.file, m, object), why.what(), why.next_step());
  }

  std::vector<metadata_key> keys() const { return archives::without_types(keys_); }

  void dump_bytes(const target& t, part which) {
    name_file(t);
    const archive from = open_archive(t, run_, object_lookup::walk);
    const message m = find_message(from, t);
    if (t.objects) {
      const object o = find_object(m, t);
      dump_hex(from, o.frame().offset(), o.frame().length(), which, run_.out);
    } else {
      dump_hex(from, m.offset(), m.length(), which, run_.out);
    }
    if (has_known_damage(from)) run_.report.mark_damaged();
  }

 private:
  /// Throws cli_error if a limit was exceeded.
  static void check(const std::optional<reports::json_limit>& exceeded) {
    if (exceeded)
      throw cli_error(
          fmt::format("its JSON exceeds {} bytes, from {} bytes of metadata", exceeded->max_bytes, exceeded->input),
          "allow more with --max-memory");
  }

  void dump_keys(key_lookup& from) {
    auto all = stream_members(keys_, from, given_.typed);
    std::uint64_t input = 0;
    for (const auto& [name, what] : all) {
      input += name.size();
      if (const cbor_view* const item = std::get_if<cbor_view>(&what)) input += item->bytes().size();
      if (const json* const small = std::get_if<json>(&what); small != nullptr && small->is_string())
        input += small->get_ref<const std::string&>().size();
    }
    reports::json_stream to(run_.out, true, reports::json_limit::for_metadata(input, run_.limits.max_memory));
    to.put(std::move(all));
    check(to.exceeded());
    run_.out.write("\n");
  }

  /// Names the file of the following text if it is another one than before.
  void name_file(const target& t) {
    if (!names_files_ || named_ == &t) return;
    run_.out.write(core::escaped(t.file) + ":\n");
    named_ = &t;
  }

  const dump_options& given_;
  bool names_files_;
  session& run_;
  std::vector<typed_key> keys_;
  const target* named_ = nullptr;
};

void run_dump(const dump_options& given, session& run) {
  const auto targets = parse_targets(given.files);
  // Text of messages in a pipe is that of the reference implementation, which names no files.
  const bool is_own_text = given.frames || !given.hex.empty() || run.out.is_terminal();
  dumper to(given, targets.size() > 1 && !given.json && is_own_text, run);
  if (given.hex.empty()) {
    require_keys({}, targets, given.chosen, run, object_lookup::walk);
    const auto each = [&](const target& t, const message& m, key_lookup& from, std::optional<std::size_t> object) {
      return to.dump(t, m, from, object), true;
    };
    const std::vector<std::string> hints = find_absent_keys(to.keys(), targets, given.chosen, run, object_lookup::walk);
    // Visits the frames, so that objects missing from a wrong index are found.
    for_each_selected(targets, given.chosen, run, each, object_lookup::walk);
    for (const std::string& each_hint : hints) run.report.hint(each_hint);
    return;
  }
  const part which = parse_part(given.hex);
  for (const target& t : targets)
    if (!t.one_message() || (t.objects && !t.one_object()))
      throw usage_error("--hex takes one message or object: FILE:MESSAGE or FILE:MESSAGE:OBJECT");
  for (const target& t : targets) run.report.guard(t.file, [&] { to.dump_bytes(t, which); });
}

}  // namespace

action declare_dump(CLI::App& app, session& run) {
  const auto given = std::make_shared<dump_options>();
  add_targets(app, given->files, target_forms);
  auto* const as_json =
      app.add_flag("-j,--json", given->json, "Print a JSON document per message; with --frames a line per frame");
  app.add_flag("--typed", given->typed, "With --json and -p: print numbers, lists and maps as such, not as text");
  auto* const frames = app.add_flag("--frames", given->frames, "Print every frame: position, flags, hash, contents");
  app.add_option("-p,--keys", given->keys,
                 "With --json: print only these keys, comma-separated; KEY:i, KEY:d and KEY:s set the type")
      ->type_name("KEYS")
      ->excludes(frames);
  add_selection(app, given->chosen);
  add_max_memory(app, run,
                 "Maximum bytes of the JSON of a message or frame; default: 40 per byte of metadata, plus 64KiB");
  app.add_flag("--objects", given->chosen.objects, "Dump objects instead of whole messages")->excludes(frames);
  app.add_option("--hex", given->hex, "Print bytes FROM..TO of the message, or of the object's frame")
      ->type_name("FROM..TO")
      ->excludes(as_json)
      ->excludes(frames);
  return [given, &run] { run_dump(*given, run); };
}

}  // namespace tgmap::cli
