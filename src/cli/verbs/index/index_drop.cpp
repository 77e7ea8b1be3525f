// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "cli/app/cli_error.hpp"
#include "cli/verbs/index/index.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

namespace {

void drop(const index_targets& given, const std::string& file, session& run) {
  const std::string index = find_index(given, run, file);
  failure why;
  const index_summary facts = describe_index(index, why);
  const bool is_index = !why || why.code == make_error_code(errc::index_damaged) ||
                        why.code == make_error_code(errc::unknown_index_version);
  if (why.code == make_error_code(errc::not_an_index))
    throw cli_error("is not an index, or not a whole one; nothing was removed", "remove it by its name", index);
  if (!is_index) throw_index_error(index, why);
  if (::unlink(index.c_str()) != 0) throw file_error(errno, index);
  if (given.json)
    print_summary(given, run, {.file = file, .index = index, .state = "removed"}, facts);
  else
    run.out.write(core::escaped(index) + ": removed\n");
}

}  // namespace

action declare_index_drop(CLI::App& app, session& run) {
  const auto given = std::make_shared<index_targets>();
  add_index_targets(app, run, *given);
  return [given, &run] { for_each_archive(*given, run, [&](const std::string& file) { drop(*given, file, run); }); };
}

}  // namespace tgmap::cli
