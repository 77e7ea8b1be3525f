// SPDX-License-Identifier: Apache-2.0
#include "cli/appending.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <tgmap/archive.hpp>
#include <utility>

#include "cli/advice.hpp"
#include "cli/complaint.hpp"
#include "cli/held_signals.hpp"

namespace tgmap::cli {

namespace {

failure refusal_of(int number) { return {.code = std::error_code(number, std::system_category())}; }

/// Where messages would be added, or why not: as an appender finds it, but nothing is cut off.
std::uint64_t end_to_add_at(const std::string& file, bool repair, failure& why) {
  const archive there = archive::open(file, {}, why);
  if (why) return 0;
  const std::size_t count = there.size(why);
  if (why || !there.incomplete_tail()) return there.size_bytes();
  std::uint64_t end = there.incomplete_tail()->begin;
  if (count > 0)
    if (const message last = there.at(count - 1, why); last.is_incomplete()) end = last.offset();
  if (!why && !repair)
    why = {.code = errc::incomplete_tail, .offset = end, .expected = end, .found = there.size_bytes()};
  return end;
}

/// Whether it is the archive that is at fault, not the message.
bool of_archive(const failure& why) {
  return why && (why.code.category() == std::system_category() || why.code == errc::archive_changed);
}

}  // namespace

appending::appending(std::string file, const append_manner& how) : file_(std::move(file)), how_(how) {
  look_at_name();
  if (how_.dry_run) look_inside();
}

appending::~appending() {
  if (!begun_.folder || messages_ != 0) return;
  struct statx facts {};  // it is still locked: nobody else adds to it
  if (begun_.folder->look(begun_.name, facts) && file_identity(facts) == begun_.identity && facts.stx_size == 0)
    ::unlinkat(begun_.folder->descriptor(), begun_.name.c_str(), 0);
}

void appending::look_at_name() {
  refuse_planted_links(file_);
  struct stat facts {};
  there_ = ::stat(file_.c_str(), &facts) == 0;
  if (!there_ && (errno != ENOENT || !how_.create)) refuse(refusal_of(errno));
  if (there_ && S_ISDIR(facts.st_mode)) throw complaint("is a directory", "name an archive in it", file_);
  if (there_ && !S_ISREG(facts.st_mode))
    throw complaint("is no file: nothing can be added to it", "name an archive", file_);
}

void appending::look_inside() {
  if (there_) {
    if (::access(file_.c_str(), R_OK | W_OK) != 0) refuse(refusal_of(errno));
    failure why;
    end_ = end_to_add_at(file_, how_.repair, why);
    if (why) refuse(why);
  } else {
    const auto folder = std::filesystem::path(file_).parent_path();
    if (::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) refuse(refusal_of(errno));
  }
}

template <class Message>
void appending::write(const Message& m) {
  open();
  failure why;
  {
    const held_signals until_it_is_whole;
    to_->write(m, why);
  }
  if (of_archive(why)) refuse(why);
  if (why) throw error(why);
}

void appending::add(const message& m) {
  if (!how_.dry_run) write(m);
  ++messages_;
  added_ += m.length();
}

void appending::add(const new_message& m) {
  open();
  const std::uint64_t before = to_->size_bytes();
  write(m);
  ++messages_;
  added_ += to_->size_bytes() - before;
}

void appending::finish() {
  if (to_ && !how_.no_sync) to_->sync();
}

std::uint64_t appending::end() {
  if (how_.dry_run) return end_;
  open();
  return to_->size_bytes();
}

void appending::open() {
  if (to_) return;
  const append_options how{
      .create = how_.create, .tail = how_.repair ? on_tail::truncate : on_tail::refuse, .sync = how_.sync};
  failure why;
  appender opened = appender::open(file_, how, why);
  if (why) refuse(why);
  to_.emplace(std::move(opened));
  if (!there_) begun_ = output_place::find(file_);
}

void appending::refuse(const failure& why) const {
  if (why.code != errc::damaged) throw complaint(why.text(), next_step(why, file_), file_);
  // The first messages may be fine; with none before the damage it may be no archive at all.
  throw complaint(fmt::format("bytes from {:#x} to {:#x} belong to no message, and nothing is added behind damage",
                              why.found, why.expected),
                  why.found == 0 ? "name the archive to add to before what is added"
                                 : fmt::format("run `tgmap copy {} NEW` to get the messages without them", file_),
                  file_);
}

}  // namespace tgmap::cli
