// SPDX-License-Identifier: Apache-2.0
#include "edit/output/archive_appender.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <tgmap/archive.hpp>
#include <utility>

namespace tgmap::edit {

namespace {

/// Defers SIGHUP, SIGINT and SIGTERM while it exists, so that a message is written completely. The destructor raises
/// the signal that arrived. Ignored signals stay ignored. Only one may exist at a time.
class deferred_signals {
 public:
  deferred_signals() noexcept;
  ~deferred_signals();
  deferred_signals(const deferred_signals&) = delete;
  deferred_signals& operator=(const deferred_signals&) = delete;

 private:
  static constexpr std::array which{SIGHUP, SIGINT, SIGTERM};

  std::array<struct sigaction, which.size()> before_{};
  std::array<bool, which.size()> is_deferred_{};
};

volatile std::sig_atomic_t received_signal = 0;

deferred_signals::deferred_signals() noexcept {
  struct sigaction waiting {};
  waiting.sa_handler = [](int signal) { received_signal = signal; };
  waiting.sa_flags = SA_RESTART;
  sigemptyset(&waiting.sa_mask);
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (::sigaction(which[i], nullptr, &before_[i]) != 0 || before_[i].sa_handler == SIG_IGN) continue;
    is_deferred_[i] = ::sigaction(which[i], &waiting, nullptr) == 0;
  }
}

deferred_signals::~deferred_signals() {
  for (std::size_t i = 0; i < which.size(); ++i)
    if (is_deferred_[i]) ::sigaction(which[i], &before_[i], nullptr);
  if (received_signal == 0) return;
  const int signal = received_signal;
  received_signal = 0;
  ::raise(signal);
}

/// Returns the offset at which an appender would add messages, without changing the archive.
std::uint64_t append_offset(const std::string& file, bool repair, failure& why) {
  const archive there = archive::open(file, {.index = index_use::none}, why);
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

/// Returns true if the archive is at fault, not the message.
bool concerns_archive(const failure& why) {
  return why && (why.code.category() == std::system_category() || why.code == errc::archive_changed);
}

}  // namespace

archive_appender::archive_appender(std::string file, const appender_settings& how) : file_(std::move(file)), how_(how) {
  check_path();
  if (how_.dry_run) check_dry_run();
}

archive_appender::~archive_appender() {
  if (!created_.folder || messages_ != 0) return;
  detail::file_status facts;  // the archive is still locked, so no one else appends to it
  if (created_.folder->read_status(created_.name, facts) && facts.identity == created_.status.identity &&
      facts.size == 0)
    ::unlinkat(created_.folder->descriptor(), created_.name.c_str(), 0);
}

void archive_appender::check_path() {
  refuse_foreign_links(file_);
  struct stat facts {};
  existed_ = ::stat(file_.c_str(), &facts) == 0;
  const int problem = errno;
  if (!existed_ && how_.create) refuse_missing_folder(file_, false);
  if (!existed_ && (problem != ENOENT || !how_.create)) refuse(system_failure(problem));
  if (existed_ && S_ISDIR(facts.st_mode)) refuse({.code = errc::is_directory});
  if (existed_ && !S_ISREG(facts.st_mode)) refuse({.code = make_error_code(std::errc::operation_not_supported)});
}

void archive_appender::check_dry_run() {
  if (existed_) {
    if (::access(file_.c_str(), R_OK | W_OK) != 0) refuse(system_failure(errno));
    failure why;
    end_ = append_offset(file_, how_.repair, why);
    if (why) refuse(why);
  } else {
    const auto folder = std::filesystem::path(file_).parent_path();
    if (::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) refuse(system_failure(errno));
  }
}

template <class Message>
void archive_appender::write(const Message& m) {
  open();
  failure why;
  {
    const deferred_signals deferred;
    to_->write(m, why);
  }
  if (concerns_archive(why)) refuse(why);
  if (why) throw error(why);
}

void archive_appender::add(const message& m) {
  if (!how_.dry_run) write(m);
  ++messages_;
  added_ += m.length();
}

void archive_appender::add(const new_message& m) {
  open();
  const std::uint64_t before = to_->size_bytes();
  write(m);
  ++messages_;
  added_ += to_->size_bytes() - before;
}

failure archive_appender::finish() {
  failure why;
  if (!to_) return why;
  if (!how_.no_sync) to_->sync();
  to_->close(why);
  return why;
}

std::uint64_t archive_appender::end() {
  if (how_.dry_run) return end_;
  open();
  return to_->size_bytes();
}

void archive_appender::open() {
  if (to_) return;
  const append_options how{.create = how_.create,
                           .tail = how_.repair ? on_tail::truncate : on_tail::refuse,
                           .sync = how_.sync,
                           .lock = how_.lock};
  failure why;
  appender opened = appender::open(file_, how, why);
  if (why) refuse(why);
  to_.emplace(std::move(opened));
  if (!existed_) created_ = locate_output(file_);
}

void archive_appender::refuse(const failure& why) const {
  throw write_error({.what = output_fault::kind::append, .why = why, .name = file_});
}

}  // namespace tgmap::edit
