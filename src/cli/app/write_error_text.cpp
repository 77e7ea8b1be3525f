// SPDX-License-Identifier: Apache-2.0
#include "cli/app/write_error_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/file_kind.hpp"
#include "cli/app/output.hpp"

namespace tgmap::cli {

namespace {

using edit::output_fault;

[[noreturn]] void throw_foreign(const output_fault& of) {
  const bool is_link = S_ISLNK(of.where.status.mode);
  const std::string which =
      of.where.path == of.name ? "" : fmt::format("its path leads over '{}', which ", of.where.path.string());
  throw cli_error(fmt::format("{}is a {} of another user in a folder that everybody may write to", which,
                              is_link ? "link" : "file"),
                  is_link ? "name the file that it leads to, or a file in a folder of your own"
                          : "choose another name, or a folder of your own",
                  of.name);
}

[[noreturn]] void throw_changed(const output_fault& of) {
  const bool in_place = of.where.in_place();
  throw cli_error(in_place ? "another file took this name meanwhile" : "its temporary file was removed or replaced",
                  in_place ? "run the command again when nobody else changes the folder"
                           : "run the command again when nobody else changes the folder, or use another folder",
                  of.name);
}

[[noreturn]] void throw_failure(const output_fault& of) {
  const failure& why = of.why;
  if (why.code == errc::foreign_file) throw_foreign(of);
  if (why.code == errc::output_changed) throw_changed(of);
  if (why.code.category() != std::system_category()) throw error(why);
  if (why.code.value() == EPIPE && of.where.inherited_descriptor == STDOUT_FILENO) throw closed_pipe{};
  if (why.argument == nullptr) throw file_error(why.code.value(), of.name);
  const auto folder = of.where.path.parent_path();
  throw cli_error(
      fmt::format("its folder '{}' cannot be written: {}", folder.empty() ? "." : folder.string(), why.code.message()),
      next_step({.code = why.code}, of.name), of.name);
}

/// Adds the names of the outputs that were written before.
cli_error unfinished(const std::string& text, const std::string& next_step, const std::string& file,
                     const std::vector<std::string>& complete) {
  constexpr std::size_t max_shown = 5;
  const std::size_t shown = std::min(complete.size(), max_shown);
  const auto end = complete.begin() + static_cast<std::ptrdiff_t>(shown);
  std::string list = fmt::format("{}", fmt::join(complete.begin(), end, ", "));
  if (shown != complete.size()) list += fmt::format(" and {} more", complete.size() - shown);
  return {fmt::format("{}; these outputs were written before: {}", text, list), next_step, file};
}

[[noreturn]] void throw_append(const output_fault& of) {
  const failure& why = of.why;
  if (why.code == errc::is_directory) throw cli_error("is a directory", "name an archive in it", of.name);
  if (why.code == make_error_code(std::errc::operation_not_supported))
    throw cli_error("is not a regular file", "name an archive", of.name);
  if (why.code != errc::damaged) throw cli_error(why.text(), next_step(why, of.name), of.name);
  const file_kind* const kind = why.found == 0 ? kind_of(convert::find_file_format(of.name)) : nullptr;
  if (kind != nullptr)
    throw cli_error(fmt::format("is not a Tensogram archive: {}", kind->name), "name the archive to add to first",
                    of.name);
  // Without a message before the damage the file may not be an archive at all.
  throw cli_error(fmt::format("is damaged from {:#x} to {:#x}; nothing is added after damage", why.found, why.expected),
                  why.found == 0 ? "name the archive to add to first"
                                 : fmt::format("run `tgmap copy {} NEW` to copy the intact messages", of.name),
                  of.name);
}

std::string differences_text(const std::vector<edit::name_difference>& all) {
  const auto quoted = [](const std::optional<std::string>& value) {
    return value ? fmt::format("'{}'", *value) : std::string("missing");
  };
  std::string out;
  for (const edit::name_difference& each : all)
    out += fmt::format("{}{} is {} in some and {} in others", out.empty() ? "" : ", ",
                       each.part.empty() ? "the archive" : each.part, quoted(each.one), quoted(each.other));
  return out;
}

}  // namespace

void throw_in_words(const output_fault& of) {
  using kind = output_fault::kind;
  switch (of.what) {
    case kind::failed: break;
    case kind::folder_name: throw cli_error("is the name of a folder", "name a file in it", of.name);
    case kind::no_folder:
      throw cli_error(fmt::format("the folder '{}' does not exist", of.other),
                      "create it, or " + (of.makes_folders ? fmt::format("write '{}/' to have it created", of.other)
                                                           : std::string("name another file")),
                      of.name);
    case kind::exists:
      throw cli_error("already exists", "name another file, or omit --no-clobber to replace it", of.name);
    case kind::declined: throw cli_error("was not replaced", "name another file", of.name);
    case kind::same_file:
      throw cli_error(fmt::format("is the same file as '{}'", of.other),
                      "remove one of the links, or choose other names", of.name);
    case kind::same_name:
      throw cli_error("different messages would be written to one file: " + differences_text(of.differences),
                      "add [index] or another key to the name, or select fewer messages with -w", of.name);
    case kind::no_index: throw usage_error("--write-index needs a file; '" + of.name + "' has no place for an index");
    case kind::append: throw_append(of);
    case kind::index:
      throw cli_error("the archive is complete, but its index was not written: " + of.why.text(),
                      next_step(of.why, of.name), of.name);
  }
  if (of.complete.empty()) throw_failure(of);
  try {
    throw_failure(of);
  } catch (const file_error& why) {
    const failure problem{.code = why.code()};
    throw unfinished(problem.text(), next_step(problem, why.file()), why.file(), of.complete);
  } catch (const cli_error& why) {
    throw unfinished(why.what(), why.next_step(), why.file(), of.complete);
  }
}

}  // namespace tgmap::cli
