// SPDX-License-Identifier: Apache-2.0
#include "edit/output/message_outputs.hpp"

#include <span>
#include <tgmap/object.hpp>
#include <utility>

namespace tgmap::edit {

std::size_t message_outputs::file_number(const std::string& name, bool make_folders) {
  const auto known = numbers_.find(name);
  if (known != numbers_.end()) return known->second;
  files_.push_back({&outputs_->open_distinct(name, make_folders)});
  return numbers_.emplace(name, files_.size() - 1).first->second;
}

void message_outputs::add(const copy_source& from, const message& m, std::size_t file) {
  copier_.copy(from, m.offset(), m.length(), *files_[file].file);
  ++files_[file].messages;
  ++messages_;
}

void message_outputs::begin_message(std::size_t file) {
  new_messages_.select(*files_[file].file);
  ++files_[file].messages;
  ++messages_;
}

std::vector<copied_file> message_outputs::files() const {
  std::vector<copied_file> out;
  out.reserve(files_.size());
  for (const counted_file& each : files_) out.push_back({each.file->name(), each.messages, each.file->bytes_written()});
  return out;
}

namespace {

bool are_all_objects(const std::vector<std::size_t>& numbers, const message& of) {
  if (numbers.size() != of.size()) return false;
  for (std::size_t j = 0; j < numbers.size(); ++j)
    if (numbers[j] != j) return false;
  return true;
}

}  // namespace

void object_outputs::add(const copy_source& of, const message& m, std::size_t object, const std::string& file,
                         bool make_folders) {
  const auto is_same_message = [&](const group& one) { return one.of == &of && one.from.offset() == m.offset(); };
  ++objects_;
  if (m.is_incomplete()) {
    if (!is_same_message(skipped_) && hooks_.left_out) hooks_.left_out(of, m);
    skipped_ = {&of, m};
    return;
  }
  const std::size_t number = to_->file_number(file, make_folders);
  if (number >= pending_.size()) pending_.resize(number + 1);
  if (!is_same_message(pending_[number])) write_guarded(number, std::exchange(pending_[number], {&of, m}));
  pending_[number].numbers.push_back(object);
}

void object_outputs::add_each(const copy_source& of, const message& m, key_lookup& keys, const file_name& name,
                              bool make_folders) {
  const std::size_t count = m.size();
  if (count < 2) return to_->add(of, m, to_->file_number(name(keys), make_folders));
  for (std::size_t j = 0; j < count; ++j) {
    key_lookup of_object(m, m[j]);
    write(to_->file_number(name(of_object), make_folders), {&of, m, {j}});
  }
}

void object_outputs::flush() {
  for (std::size_t file = 0; file < pending_.size(); ++file) write_guarded(file, std::exchange(pending_[file], {}));
}

void object_outputs::write_guarded(std::size_t file, const group& what) {
  if (what.numbers.empty()) return;
  hooks_.guard ? hooks_.guard(*what.of, [&] { write(file, what); }) : write(file, what);
}

void object_outputs::write(std::size_t file, const group& what) {
  if (are_all_objects(what.numbers, what.from)) return to_->add(*what.of, what.from, file);
  load(what);
  stored_.content.objects.clear();
  for (const std::size_t j : what.numbers)
    stored_.content.objects.emplace_back(stored_object::of(what.from, j, what.from.version(), on_mismatch::take));
  to_->begin_message(file);
  writers_.write(stored_);
}

/// Loads what a message has besides its objects.
void object_outputs::load(const group& what) {
  if (loaded_.of == what.of && loaded_.from.offset() == what.from.offset()) return;
  loaded_ = {};  // in case something throws
  failure why;
  stored_.load(what.from, std::span<const std::size_t>(), on_mismatch::take, why);
  for (const failure& each : stored_.mismatches)
    if (hooks_.damage) hooks_.damage(*what.of, what.from, each);
  if (why) throw error(why);
  loaded_ = {what.of, what.from};
}

}  // namespace tgmap::edit
