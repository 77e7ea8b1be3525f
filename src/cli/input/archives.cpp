// SPDX-License-Identifier: Apache-2.0
#include "cli/input/archives.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <tgmap/tools/caption.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/app/file_kind.hpp"
#include "cli/print/progress.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

namespace {

bool is_beyond(const failure& why) { return why.code == make_error_code(errc::out_of_range); }

[[noreturn]] void refuse_several(const target& what, const char* kind, const char* example) {
  throw usage_error("'" + what.file + "' must name one " + kind + ", for example " + what.file + example);
}

[[noreturn]] void refuse_number(const char* kind, std::int64_t number, std::size_t count, const std::string& file) {
  const std::string available = count == 0   ? fmt::format("there are no {}s", kind)
                                : count == 1 ? fmt::format("there is only {} 0", kind)
                                             : fmt::format("there are {}s 0 to {}", kind, count - 1);
  throw cli_error(fmt::format("no {} {}; {}", kind, number, available),
                  fmt::format("run `tgmap ls {}` to see what there is", file));
}

}  // namespace

open_options options_for(const session& run, object_lookup lookup) {
  open_options out{.io = run.io,
                   .damage = on_damage::skip,
                   .lookup = lookup,
                   .index = run.index,
                   .index_cache = run.index_cache,
                   .trust_index_of = run.trust_index_of};
  out.max_decoded_bytes = run.limits.object_bytes();
  if (run.limits.max_memory) out.max_resident_bytes = *run.limits.max_memory;
  return out;
}

archive open_archive(const target& from, session& run, object_lookup lookup) {
  archive out = open_any_file(from, run, lookup);
  if (!from.offset) require_archive(out);
  return out;
}

archive open_any_file(const target& from, session& run, object_lookup lookup) {
  if (from.file != "-") {
    archive out(from.file, options_for(run, lookup));
    const index_status index = out.index_status();
    const std::string name = core::escaped(from.file);
    if (index.refusal)
      run.report.hint(fmt::format("{}: its index is not used: {}; {}", name, index.refusal.text(),
                                  next_step(index.refusal, from.file)));
    else if (index.is_used && !index.is_current)
      run.report.hint(
          fmt::format("{}: its index is not current, since the archive has changed or was copied; everything is "
                      "read. Run `tgmap index update {}`",
                      name, name));
    return out;
  }
  return run.standard_input ? *run.standard_input : open_archive(STDIN_FILENO, run, lookup);
}

void use_no_index(session& run) noexcept { run.index = index_use::none; }

archive open_archive(int descriptor, const session& run, object_lookup lookup) {
  return archive::from_descriptor(descriptor, options_for(run, lookup));
}

void scan_all(const archive& from, const target& what, session& run) {
  progress_bar bar(run, what.file, from.size_bytes());
  archives::scan_all(from, bar.callback());
}

void for_each_message(const archive& from, const target& what, session& run, const message_callback& take,
                      const indexed_selection& known) {
  if (what.one_message()) return void(take(find_message(from, what)));
  progress_bar bar(run, what.file, from.size_bytes());
  archives::for_each_message(from, what, take, known, bar.callback());
}

message find_message(const archive& from, const target& wanted) {
  if (!wanted.one_message()) refuse_several(wanted, "message", ":0");
  failure why;
  if (wanted.offset) {
    const message found = archives::find_message(from, wanted, why);
    if (is_beyond(why))
      throw cli_error(fmt::format("offset {} is past the end of the file, {}", *wanted.offset, from.size_bytes()),
                      fmt::format("run `tgmap ls {}` to see where messages begin", wanted.file));
    if (why) throw error(why);
    return found;
  }
  const std::int64_t number = wanted.messages->begin.value();
  const message found = archives::find_message(from, wanted, why);
  if (is_beyond(why)) refuse_number("message", number, from.size(), wanted.file);
  if (why) throw error(why);
  return found;
}

object find_object(const message& in, const target& wanted) {
  if (!wanted.one_object()) refuse_several(wanted, "message and one object", ":0:0");
  failure why;
  const object found = in.at(static_cast<std::size_t>(object_numbers(in, wanted).begin), why);
  if (is_beyond(why)) refuse_number("object", *wanted.objects->begin, in.size(), wanted.file);
  if (why) throw error(why);
  return found;
}

bool has_known_damage(const archive& in) { return in.scan_progress().gaps != 0 || in.incomplete_tail(); }

void report_damage(const archive& in, const std::string& file, session& run) {
  if (has_known_damage(in)) report_damage(file, run);
}

void report_damage(const std::string& file, session& run) {
  run.report.hint(file + ": the file is damaged; message numbers skip the damaged parts; run `tgmap info " + file +
                  "` to see them");
  run.report.mark_damaged();
}

void report_incomplete(const message& which, const std::string& file, session& run) {
  run.report.hint(fmt::format("{}: left out the incomplete message at offset {}", file, which.offset()));
  run.report.mark_damaged();
}

namespace {

constexpr std::size_t max_listed = 12;

/// Returns for example "0: 2t float32 [1024, 1024]".
std::string choice(const message& in, std::size_t j) {
  failure why;
  const object o = in.at(j, why);
  const descriptor what = why ? descriptor() : o.descriptor(why);
  if (why) return fmt::format("{}: unreadable", j);
  const std::string name = caption_of(o).name;
  return fmt::format("{}: {}{}{} [{}]", j, name, name.empty() ? "" : " ", tgmap::to_string_view(what.dtype),
                     fmt::join(what.shape(), ", "));
}

[[noreturn]] void ask_which(const message& in, const std::string& target, std::size_t objects) {
  std::string list;
  for (std::size_t j = 0; j < std::min(objects, max_listed); ++j) list += (j == 0 ? "" : "; ") + choice(in, j);
  if (objects > max_listed) list += "; …";
  throw usage_error(fmt::format("'{}' has {} objects; name one, for example {}:0 ({})", target, objects, target, list));
}

}  // namespace

message find_one_message(const archive& from, const target& wanted, std::string_view what, std::string_view address) {
  if (!wanted.whole_file()) return find_message(from, wanted);
  failure why;
  const message first = from.at(0, why);
  if (why) throw cli_error("has no messages", fmt::format("run `tgmap info {}`", wanted.file));
  from.at(1, why);
  if (why) return first;
  throw usage_error(fmt::format("'{}' has several messages; name {}, for example {}{}; `tgmap ls {}` lists them",
                                wanted.file, what, wanted.file, address, wanted.file));
}

one_object find_one_object(const archive& from, const target& wanted) {
  const message in = find_one_message(from, wanted, "one object", ":0:0");
  std::string name = wanted.whole_file() ? wanted.file + ":0"
                     : wanted.offset     ? fmt::format("{}@{}", wanted.file, *wanted.offset)
                                         : fmt::format("{}:{}", wanted.file, *wanted.messages->begin);
  if (wanted.objects) {
    const object o = find_object(in, wanted);
    return {in, o, fmt::format("{}:{}", name, o.index())};
  }
  const std::size_t objects = in.size();
  if (objects == 0) throw cli_error("message " + name + " has no objects", "name another message");
  if (objects > 1) ask_which(in, name, objects);
  return {in, in[0], name + ":0"};
}

}  // namespace tgmap::cli
