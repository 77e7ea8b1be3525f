// SPDX-License-Identifier: Apache-2.0
#include "cli/rewrite/picked_objects.hpp"

#include <span>
#include <utility>

namespace tgmap::cli {

namespace {

bool are_all(const std::vector<std::size_t>& numbers, const message& of) {
  if (numbers.size() != of.size()) return false;
  for (std::size_t j = 0; j < numbers.size(); ++j)
    if (numbers[j] != j) return false;
  return true;
}

}  // namespace

void picked_objects::add(const target& of, const message& m, std::size_t object, const std::string& file,
                         bool make_folders) {
  const auto is_this = [&](const group& one) { return one.of == &of && one.from.offset() == m.offset(); };
  ++objects_;
  if (m.is_incomplete()) {
    if (!is_this(left_out_)) to_->leave_out(of, m);
    left_out_ = {&of, m};
    return;
  }
  const std::size_t number = to_->file(file, make_folders);
  if (number >= waiting_.size()) waiting_.resize(number + 1);
  if (!is_this(waiting_[number])) put(number, std::exchange(waiting_[number], {&of, m}));
  waiting_[number].numbers.push_back(object);
}

void picked_objects::settle() {
  for (std::size_t file = 0; file < waiting_.size(); ++file) put(file, std::exchange(waiting_[file], {}));
}

void picked_objects::put(std::size_t file, const group& what) {
  if (!what.numbers.empty()) run_->report.guard(what.of->file, [&] { write(file, what); });
}

void picked_objects::write(std::size_t file, const group& what) {
  if (are_all(what.numbers, what.from)) return void(to_->add(*what.of, what.from, file));
  if (taken_.of != what.of || taken_.from.offset() != what.from.offset()) {
    taken_ = {};  // until all of it is there
    parts_.load(what.from, std::span<const std::size_t>());
    taken_ = {what.of, what.from};
  }
  parts_.content.objects.clear();
  for (const std::size_t j : what.numbers)
    parts_.content.objects.emplace_back(stored_object::of(what.from, j, what.from.version()));
  to_->begin(file);
  writers_.write(parts_);
}

}  // namespace tgmap::cli
