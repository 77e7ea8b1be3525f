// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/output_set.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/next_step.hpp"

namespace tgmap::cli {

namespace {

constexpr std::size_t open_at_most = 64;

/// From here on one call for all files of a file system takes less than one for each.
constexpr std::size_t many = 8;

void make_folders_for(const std::string& name) {
  const auto folder = std::filesystem::path(name).parent_path();
  std::error_code problem;
  if (!folder.empty()) std::filesystem::create_directories(folder, problem);
  if (problem) throw file_error(problem.value(), folder.string());
}

/// Whether a folder on its way would be made. Throws file_error where it could not be.
bool would_be_made(const std::string& name) {
  const auto wanted = std::filesystem::path(name).parent_path();
  if (wanted.empty() || ::access(wanted.c_str(), F_OK) == 0) return false;
  auto there = wanted;
  while (!there.empty() && there.has_relative_path() && ::access(there.c_str(), F_OK) != 0 && errno == ENOENT)
    there = there.parent_path();
  if (::access(there.empty() ? "." : there.c_str(), W_OK | X_OK) != 0) throw file_error(errno, wanted.string());
  return true;
}

/// Throws file_error where no file can be made.
void refuse_folder(const output_place& of) {
  if (of.inherited >= 0 || !of.regular) return;
  if (::faccessat(of.folder->descriptor(), ".", W_OK | X_OK, 0) != 0) throw file_error(errno, of.path.string());
}

/// The names of some outputs, for people.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  const std::size_t shown = std::min(names.size(), most);
  std::string out =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  return shown == names.size() ? out : out + fmt::format(" and {} more", names.size() - shown);
}

}  // namespace

void output_set::output::use() {
  if (file_->in_place()) return;
  if (std::exchange(open_, true)) return set_->open_.splice(set_->open_.begin(), set_->open_, place_);
  if (set_->open_.size() == open_at_most) {
    if (!set_->options_.no_sync) set_->open_.back()->file_->begin_to_synchronise();
    set_->open_.back()->file_->park();
    set_->open_.back()->open_ = false;
    set_->open_.pop_back();
  }
  place_ = set_->open_.insert(set_->open_.begin(), this);
}

void output_set::output::write(std::span<const std::byte> data) {
  if (file_) {
    use();
    file_->write(data);
  }
  wrote(data.size());
}

void output_set::output::patch(std::uint64_t at, std::span<const std::byte> data) {
  if (!file_) return;
  use();
  file_->patch(at, data);
}

int output_set::output::descriptor() {
  if (!file_) return -1;
  use();
  return file_->descriptor();
}

output_set::output_set(const output_options& options, session& run)
    : options_(options),
      run_(run),
      ask_(!options.no_clobber && !options.force && !options.dry_run && somebody_to_ask()) {}

output_set::output& output_set::at(const std::string& name, bool make_folders) {
  if (const auto known = by_name_.find(name); known != by_name_.end()) return *known->second;
  if (options_.dry_run) {
    if (!make_folders || !would_be_made(name)) {
      const output_place place = output_place::find(name);
      refuse_folder(place);
      allow(place, name);
    }
    return *by_name_.emplace(name, new output(*this, name)).first->second;
  }

  if (make_folders) make_folders_for(name);
  const output_place place = find(name);
  const file_key file{place.folder.get(), place.inherited >= 0 ? std::to_string(place.inherited) : place.name};
  if (const auto known = by_file_.find(file); known != by_file_.end())
    return *by_name_.emplace(name, known->second).first->second;
  allow(place, name);
  const std::shared_ptr<output> made(new output(*this, name));
  if (place.inherited >= 0) run_.out.flush();
  made->file_ = std::make_unique<output_file>(place);
  made->use();
  all_.push_back(made);
  by_file_.emplace(file, made);
  by_name_.emplace(name, made);
  return *made;
}

output_set::output& output_set::distinct(const std::string& name, bool make_folders) {
  output& out = at(name, make_folders);
  if (out.name() == name) return out;
  throw cli_error(fmt::format("is the same file as '{}'", out.name()), "remove one of the links, or choose other names",
                  name);
}

/// With the folder as it was first opened: one descriptor for all outputs in it.
output_place output_set::find(const std::string& name) {
  output_place out = output_place::find(name);
  if (!out.folder) return out;
  const file_identity& which = out.folder->identity();
  out.folder = folders_.emplace(std::pair(which.device, which.number), out.folder).first->second;
  return out;
}

void output_set::allow(const std::string& name) { allow(output_place::find(name), name); }

void output_set::allow(const output_place& place, const std::string& name) {
  if (!place.exists || !place.regular || place.inherited >= 0 || allowed_.count(name) != 0) return;
  if (options_.no_clobber)
    throw cli_error("is there already", "name another file, or leave --no-clobber out to replace it", name);
  const answer said = ask_ ? ask_to_replace(name, run_) : answer::all;
  if (said == answer::no) throw cli_error("is not replaced", "name another file", name);
  if (said == answer::all) ask_ = false;
  allowed_.insert(name);
}

void output_set::drop(output& what) {
  if (what.open_) open_.erase(what.place_);
  std::erase_if(by_name_, [&](const auto& each) { return each.second.get() == &what; });
  std::erase_if(by_file_, [&](const auto& each) { return each.second.get() == &what; });
  all_.remove_if([&](const auto& each) { return each.get() == &what; });  // and with it `what`
}

void output_set::synchronise() {
  if (options_.no_sync) return;
  std::set<std::uint64_t> done;
  for (const auto& each : all_) {
    if (each->file_->in_place()) continue;
    if (all_.size() < many)
      each->file_->synchronise();
    else if (done.insert(each->file_->file_system()).second)
      each->file_->synchronise_file_system();
  }
}

void output_set::commit() {
  synchronise();
  const auto how = options_.no_clobber ? output_file::replacing::refused : output_file::replacing::allowed;
  std::vector<std::string> done;
  const auto refuse = [&](const std::string& text, const std::string& next, const std::string& file) {
    throw cli_error(fmt::format("{}; written before it: {}", text, listed(done)), next, file);
  };
  for (const auto& each : all_) try {
      each->file_->publish(how);
      done.push_back(each->name());
    } catch (const file_error& why) {
      if (done.empty()) throw;
      const failure problem{.code = why.code()};
      refuse(problem.text(), next_step(problem, why.file()), why.file());
    } catch (const cli_error& why) {
      if (done.empty()) throw;
      refuse(why.what(), why.next_step(), why.file());
    }
  if (options_.no_sync) return;
  std::set<const output_folder*> folders;
  for (const auto& each : all_)
    if (!each->file_->in_place() && folders.insert(each->file_->folder().get()).second)
      each->file_->folder()->synchronise(each->file_->path().string());
}

}  // namespace tgmap::cli
