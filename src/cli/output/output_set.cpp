// SPDX-License-Identifier: Apache-2.0
#include "cli/output/output_set.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/output/index_beside.hpp"
#include "cli/output/output_folder.hpp"

namespace tgmap::cli {

namespace {

constexpr std::size_t max_open = 64;

/// From this number of files on, syncing the whole file system is faster than syncing each file.
constexpr std::size_t many_files = 8;

/// Throws cli_error if no file can be created in the folder.
void check_folder(const output_location& of, const std::string& name) {
  if (of.in_place()) return;
  failure why = of.folder->check_writable();
  why.argument = "the folder";
  throw_if(why, of, name);
}

/// Raises the limit on open files when `newest` comes close to it. Outputs may go to more folders than the usual limit
/// of 1,024 files.
void keep_descriptors_free(int newest) noexcept {
  constexpr rlim_t reserve = 128;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > static_cast<rlim_t>(newest) + reserve) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

std::string name_list(const std::vector<std::string>& names) {
  constexpr std::size_t max_shown = 5;
  const std::size_t shown = std::min(names.size(), max_shown);
  std::string out =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  return shown == names.size() ? out : out + fmt::format(" and {} more", names.size() - shown);
}

}  // namespace

/// Throws what went wrong with this output.
void output_set::output::check(const failure& why) const { throw_if(why, file_->location(), name_); }

void output_set::output::make_current() {
  if (file_->in_place()) return;
  if (std::exchange(is_open_, true)) return set_->open_.splice(set_->open_.begin(), set_->open_, position_);
  if (set_->open_.size() == max_open) {
    output& oldest = *set_->open_.back();
    if (!set_->options_.no_sync) oldest.file_->start_sync();
    oldest.check(oldest.file_->suspend());
    oldest.is_open_ = false;
    set_->open_.pop_back();
  }
  position_ = set_->open_.insert(set_->open_.begin(), this);
}

void output_set::output::write(std::span<const std::byte> data) {
  if (file_) {
    make_current();
    check(file_->write(data));
  }
  add_written(data.size());
}

void output_set::output::overwrite(std::uint64_t at, std::span<const std::byte> data) {
  if (!file_) return;
  make_current();
  check(file_->overwrite(at, data));
}

int output_set::output::descriptor() {
  if (!file_) return -1;
  make_current();
  failure why;
  const int out = file_->descriptor(why);
  check(why);
  return out;
}

output_set::output_set(const output_options& options, session& run)
    : options_(options), run_(run), ask_(!options.no_clobber && !options.force && !options.dry_run && can_ask()) {}

output_set::output& output_set::open(const std::string& name, bool make_folders) {
  if (const auto known = by_name_.find(name); known != by_name_.end()) return *known->second;
  if (options_.dry_run) {
    if (!make_folders || !needs_parent_folders(name)) {
      const output_location location = locate(name);
      check_folder(location, name);
      check_overwrite(location, name);
    }
    return *by_name_.emplace(name, new output(*this, name)).first->second;
  }

  if (make_folders) make_parent_folders(name);
  const output_location location = resolve(name);
  const file_key file{location.folder.get(), location.inherited_descriptor >= 0
                                                 ? std::to_string(location.inherited_descriptor)
                                                 : location.name};
  if (const auto known = by_file_.find(file); known != by_file_.end())
    return *by_name_.emplace(name, known->second).first->second;
  check_overwrite(location, name);
  if (options_.write_index && location.in_place())
    throw usage_error("--write-index needs a file; '" + name + "' has no place for an index");
  const std::shared_ptr<output> created(new output(*this, name));
  if (location.inherited_descriptor >= 0) run_.out.flush();
  failure why;
  created->file_ = std::make_unique<output_file>(location, output_file::appearance::complete, why);
  created->check(why);
  if (!options_.is_text) refuse_binary_at_terminal(created->descriptor(), name);
  created->make_current();
  all_.push_back(created);
  by_file_.emplace(file, created);
  by_name_.emplace(name, created);
  return *created;
}

output_set::output& output_set::open_distinct(const std::string& name, bool make_folders) {
  output& out = open(name, make_folders);
  if (out.name() == name) return out;
  throw cli_error(fmt::format("is the same file as '{}'", out.name()), "remove one of the links, or choose other names",
                  name);
}

output_location output_set::locate(const std::string& name) const try {
  return locate_output(name);
} catch (const file_error&) {
  refuse_missing_folder(name, options_.takes_folder);
  throw;
}

/// Resolves a name and reuses the descriptor of its folder if one is open already.
output_location output_set::resolve(const std::string& name) {
  output_location out = locate(name);
  if (!out.folder) return out;
  keep_descriptors_free(out.folder->descriptor());
  const detail::file_identity& id = out.folder->identity();
  out.folder = folders_.emplace(std::pair(id.device, id.number), out.folder).first->second;
  return out;
}

void output_set::check_overwrite(const std::string& name, bool make_folders) {
  if (!make_folders || !needs_parent_folders(name)) check_overwrite(locate(name), name);
}

void output_set::check_overwrite(const output_location& location, const std::string& name) {
  if (!location.exists || location.in_place() || allowed_.count(name) != 0) return;
  if (options_.no_clobber)
    throw cli_error("already exists", "name another file, or omit --no-clobber to replace it", name);
  const replace_answer answer = ask_ ? ask_to_replace(name, run_) : replace_answer::all;
  if (answer == replace_answer::no) throw cli_error("was not replaced", "name another file", name);
  if (answer == replace_answer::all) ask_ = false;
  allowed_.insert(name);
}

void output_set::remove(output& which) {
  if (which.is_open_) open_.erase(which.position_);
  std::erase_if(by_name_, [&](const auto& each) { return each.second.get() == &which; });
  std::erase_if(by_file_, [&](const auto& each) { return each.second.get() == &which; });
  all_.remove_if([&](const auto& each) { return each.get() == &which; });  // destroys `which`
}

void output_set::sync() {
  if (options_.no_sync) return;
  std::set<std::uint64_t> file_systems;
  for (const auto& each : all_) {
    if (each->file_->in_place()) continue;
    if (all_.size() < many_files)
      each->check(each->file_->sync());
    else if (file_systems.insert(each->file_->file_system()).second)
      each->check(each->file_->sync_file_system());
  }
}

void output_set::report_unfinished(const std::string& name) const {
  std::uint64_t bytes = 0;
  for (const auto& each : all_)
    if (!each->can_overwrite()) bytes += each->bytes_written();
  if (bytes == 0) return run_.report.hint(name + ": nothing was written because of the error above");
  run_.report.say(fmt::format("{}: incomplete: {} bytes were written before the error above", name, bytes));
}

void output_set::commit() {
  sync();
  const auto existing = options_.no_clobber ? output_file::replacement::refused : output_file::replacement::allowed;
  std::vector<std::string> names;  // of the files that are complete
  const auto fail = [&](const std::string& text, const std::string& next, const std::string& file) {
    throw cli_error(fmt::format("{}; these outputs were written before: {}", text, name_list(names)), next, file);
  };
  for (const auto& each : all_) try {
      each->check(each->file_->publish(existing));
      names.push_back(each->name());
    } catch (const file_error& why) {
      if (names.empty()) throw;
      const failure problem{.code = why.code()};
      fail(problem.text(), next_step(problem, why.file()), why.file());
    } catch (const cli_error& why) {
      if (names.empty()) throw;
      fail(why.what(), why.next_step(), why.file());
    }
  std::set<const output_folder*> folders;
  for (const auto& each : all_)
    if (!options_.no_sync && !each->file_->in_place() && folders.insert(each->file_->folder().get()).second)
      each->check(each->file_->folder()->sync());
  for (const auto& each : all_) {
    if (options_.write_index)
      write_index_beside(each->name(), run_);
    else if (!each->file_->in_place())
      remove_index_beside(each->name(), run_);
  }
}

}  // namespace tgmap::cli
