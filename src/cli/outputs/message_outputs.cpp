// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/message_outputs.hpp"

#include <fmt/format.h>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/outputs/tell_of_output.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"

namespace tgmap::cli {

message_outputs::message_outputs(const output_options& options, session& run)
    : options_(options), run_(run), outputs_(options, run) {}

archive message_outputs::open(const target& what, bool in_order) {
  if (in_order) {
    copier_.finish();
    sources_.clear();
  }
  return (sources_[&what] = std::make_unique<copy_source>(what, run_))->from();
}

std::size_t message_outputs::file(const std::string& name, bool make_folders) {
  const auto known = numbers_.find(name);
  if (known != numbers_.end()) return known->second;
  files_.push_back({&outputs_.distinct(name, make_folders)});
  return numbers_.emplace(name, files_.size() - 1).first->second;
}

bool message_outputs::add(const target& from, const message& m, const std::string& name, bool make_folders) {
  if (m.is_incomplete()) return leave_out(from, m), false;
  return add(from, m, file(name, make_folders));
}

bool message_outputs::add(const target& from, const message& m, std::size_t file) {
  if (m.is_incomplete()) return leave_out(from, m), false;
  copier_.copy(*sources_.at(&from), m.offset(), m.length(), *files_[file].file);
  ++files_[file].messages;
  ++messages_;
  return true;
}

void message_outputs::begin(std::size_t file) {
  made_.go_to(*files_[file].file);
  ++files_[file].messages;
  ++messages_;
}

void message_outputs::leave_out(const target& from, const message& m) {
  run_.report.hint(fmt::format("{}: the message at offset {} has no end and is left out", from.file, m.offset()));
  run_.report.mark_damaged();
}

void message_outputs::finish(const std::string& name, bool as_json, std::string_view wanted) {
  if (!more()) return run_.report.hint(name + ": nothing is written, for what failed before");
  if (messages_ == 0)
    return run_.report.failed(
        name, fmt::format("no {} is selected, and nothing is written", wanted),
        fmt::format("run `tgmap ls{}` to see what there is", wanted == "object" ? " --objects" : ""));
  copier_.finish();
  if (!options_.dry_run) outputs_.commit();
  tell(as_json);
}

void message_outputs::tell(bool as_json) const {
  for (const filled& each : files_) {
    const std::string& name = each.file->name();
    const std::uint64_t bytes = each.file->bytes();
    if (as_json) {
      run_.out.write(json_line({{"output", name}, {"messages", each.messages}, {"bytes", bytes}}));
    } else {
      tell_of_output(run_, name,
                     fmt::format("{}: {}, {} bytes{}", name, count_text(each.messages, "message"), bytes,
                                 not_written(options_.dry_run)));
    }
  }
}

}  // namespace tgmap::cli
