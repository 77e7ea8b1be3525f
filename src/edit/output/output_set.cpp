// SPDX-License-Identifier: Apache-2.0
#include "edit/output/output_set.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <tgmap/tools/index.hpp>
#include <utility>
#include <vector>

#include "edit/output/index_beside.hpp"
#include "edit/output/output_location.hpp"

namespace tgmap::edit {

namespace {

constexpr std::size_t max_open = 64;

/// From this number of files on, syncing the whole file system is faster than syncing each file.
constexpr std::size_t many_files = 8;

/// Throws write_error if no file can be created in the folder.
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

}  // namespace

/// Throws what went wrong with this output.
void output_set::output::check(const failure& why) const { throw_if(why, file_->location(), name_); }

void output_set::output::make_current() {
  if (file_->in_place()) return;
  if (std::exchange(is_open_, true)) return set_->open_.splice(set_->open_.begin(), set_->open_, position_);
  if (set_->open_.size() == max_open) {
    output& oldest = *set_->open_.back();
    if (set_->how_.sync) oldest.file_->start_sync();
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

output_set::output& output_set::open(const std::string& name, bool make_folders) {
  if (const auto known = by_name_.find(name); known != by_name_.end()) return *known->second;
  if (how_.dry_run) {
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
  if (how_.write_index && location.in_place())
    throw write_error({.what = output_fault::kind::no_index,
                       .why = {.code = errc::invalid_option, .argument = "write_index"},
                       .name = name});
  const std::shared_ptr<output> created(new output(*this, name));
  failure why;
  created->file_ = std::make_unique<output_file>(location, output_file::appearance::complete, why);
  created->check(why);
  if (hooks_.opened) hooks_.opened(name, created->descriptor());
  created->make_current();
  all_.push_back(created);
  by_file_.emplace(file, created);
  by_name_.emplace(name, created);
  return *created;
}

output_set::output& output_set::open_distinct(const std::string& name, bool make_folders) {
  output& out = open(name, make_folders);
  if (out.name() == name) return out;
  throw write_error({.what = output_fault::kind::same_file,
                     .why = {.code = errc::output_conflict},
                     .name = name,
                     .other = out.name()});
}

output_location output_set::locate(const std::string& name) const try {
  return locate_output(name);
} catch (const write_error& why) {
  const failure& of = why.fault().why;
  if (of.code.category() == std::system_category() && of.argument == nullptr)
    refuse_missing_folder(name, hooks_.makes_folders);
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
  if (!how_.replace)
    throw write_error({.what = output_fault::kind::exists, .why = system_failure(EEXIST), .name = name});
  if (how_.may_replace && !how_.may_replace(name))
    throw write_error({.what = output_fault::kind::declined, .why = system_failure(ECANCELED), .name = name});
  allowed_.insert(name);
}

void output_set::remove(output& which) {
  if (which.is_open_) open_.erase(which.position_);
  std::erase_if(by_name_, [&](const auto& each) { return each.second.get() == &which; });
  std::erase_if(by_file_, [&](const auto& each) { return each.second.get() == &which; });
  all_.remove_if([&](const auto& each) { return each.get() == &which; });  // destroys `which`
}

void output_set::sync() {
  if (!how_.sync) return;
  std::set<std::uint64_t> file_systems;
  for (const auto& each : all_) {
    if (each->file_->in_place()) continue;
    if (all_.size() < many_files)
      each->check(each->file_->sync());
    else if (file_systems.insert(each->file_->file_system()).second)
      each->check(each->file_->sync_file_system());
  }
}

std::uint64_t output_set::bytes_in_place() const noexcept {
  std::uint64_t out = 0;
  for (const auto& each : all_)
    if (!each->can_overwrite()) out += each->bytes_written();
  return out;
}

void output_set::commit() {
  sync();
  const auto existing = how_.replace ? output_file::replacement::allowed : output_file::replacement::refused;
  std::vector<std::string> complete;  // names of the files that have them
  for (const auto& each : all_) {
    if (const failure why = each->file_->publish(existing))
      throw write_error({.why = why, .name = each->name(), .where = each->file_->location(), .complete = complete});
    complete.push_back(each->name());
  }
  std::set<const output_folder*> folders;
  for (const auto& each : all_)
    if (how_.sync && !each->file_->in_place() && folders.insert(each->file_->folder().get()).second)
      each->check(each->file_->folder()->sync());
  for (const auto& each : all_) {
    if (how_.write_index)
      write_index_beside(each->name(), how_.executor);
    else if (!each->file_->in_place())
      remove_index_beside(each->name());
  }
}

/// Removes the index beside a file that was replaced.
void output_set::remove_index_beside(const std::string& name) const {
  failure why;
  const bool is_removed = remove_index(name, why);
  if (how_.index_removed && (is_removed || why)) how_.index_removed(name, why);
}

}  // namespace tgmap::edit
