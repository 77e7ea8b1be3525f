// SPDX-License-Identifier: Apache-2.0
#include "cli/output/message_outputs.hpp"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"

namespace tgmap::cli {

message_outputs::message_outputs(const output_options& options, session& run, object_lookup lookup)
    : options_(options), run_(run), lookup_(lookup), outputs_(outputs_for(options, run)) {}

archive message_outputs::open(const target& what, bool in_order) {
  if (in_order) {
    copier_.finish();
    sources_.clear();
  }
  return (sources_[&what] = std::make_unique<copy_input>(what, run_, lookup_))->opened();
}

std::size_t message_outputs::file_number(const std::string& name, bool make_folders) {
  const auto known = numbers_.find(name);
  if (known != numbers_.end()) return known->second;
  files_.push_back({&outputs_.open_distinct(name, make_folders)});
  return numbers_.emplace(name, files_.size() - 1).first->second;
}

bool message_outputs::add(const target& from, const message& m, const std::string& name, bool make_folders) {
  if (m.is_incomplete()) return skip_incomplete(from, m), false;
  return add(from, m, file_number(name, make_folders));
}

bool message_outputs::add(const target& from, const message& m, std::size_t file) {
  if (m.is_incomplete()) return skip_incomplete(from, m), false;
  copier_.copy(sources_.at(&from)->source(), m.offset(), m.length(), *files_[file].file);
  ++files_[file].messages;
  ++messages_;
  return true;
}

void message_outputs::begin_message(std::size_t file) {
  new_messages_.select(*files_[file].file);
  ++files_[file].messages;
  ++messages_;
}

void message_outputs::skip_incomplete(const target& from, const message& m) { report_incomplete(m, from.file, run_); }

void message_outputs::finish(const std::string& name, bool as_json, std::string_view wanted) {
  if (!can_continue()) return report_unfinished(outputs_, name, run_);
  if (messages_ == 0)
    return run_.report.failed(
        name, fmt::format("no {} is selected; nothing was written", wanted),
        fmt::format("run `tgmap ls{}` to list the contents", wanted == "object" ? " --objects" : ""));
  copier_.finish();
  outputs_.commit();
  report(as_json);
}

void message_outputs::report(bool as_json) const {
  for (const counted_file& each : files_) {
    const std::string& name = each.file->name();
    const std::uint64_t bytes = each.file->bytes_written();
    if (as_json) {
      run_.out.write(json_line({{"output", name}, {"messages", each.messages}, {"bytes", bytes}}));
    } else {
      report_output(run_, name,
                    fmt::format("{}: {}, {} bytes{}", name, count_text(each.messages, "message"), bytes,
                                not_written(options_.dry_run)));
    }
  }
}

namespace {

bool are_all_objects(const std::vector<std::size_t>& numbers, const message& of) {
  if (numbers.size() != of.size()) return false;
  for (std::size_t j = 0; j < numbers.size(); ++j)
    if (numbers[j] != j) return false;
  return true;
}

}  // namespace

void object_outputs::add(const target& of, const message& m, std::size_t object, const std::string& file,
                         bool make_folders) {
  const auto is_same_message = [&](const group& one) { return one.of == &of && one.from.offset() == m.offset(); };
  ++objects_;
  if (m.is_incomplete()) {
    if (!is_same_message(skipped_)) to_->skip_incomplete(of, m);
    skipped_ = {&of, m};
    return;
  }
  const std::size_t number = to_->file_number(file, make_folders);
  if (number >= pending_.size()) pending_.resize(number + 1);
  if (!is_same_message(pending_[number])) write_guarded(number, std::exchange(pending_[number], {&of, m}));
  pending_[number].numbers.push_back(object);
}

void object_outputs::flush() {
  for (std::size_t file = 0; file < pending_.size(); ++file) write_guarded(file, std::exchange(pending_[file], {}));
}

void object_outputs::write_guarded(std::size_t file, const group& what) {
  if (!what.numbers.empty()) run_->report.guard(what.of->file, [&] { write(file, what); });
}

void object_outputs::write(std::size_t file, const group& what) {
  if (are_all_objects(what.numbers, what.from)) return void(to_->add(*what.of, what.from, file));
  if (loaded_.of != what.of || loaded_.from.offset() != what.from.offset()) {
    loaded_ = {};  // in case load throws
    damage_.load(what.of->file, what.from, {}, stored_);
    loaded_ = {what.of, what.from};
  }
  stored_.content.objects.clear();
  for (const std::size_t j : what.numbers)
    stored_.content.objects.emplace_back(stored_object::of(what.from, j, what.from.version(), on_mismatch::take));
  to_->begin_message(file);
  writers_.write(stored_);
}

}  // namespace tgmap::cli
