// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <exception>
#include <new>
#include <stdexcept>
#include <tgmap/detail/output_file.hpp>
#include <tgmap/write/sink.hpp>
#include <utility>
#include <vector>

#include "io/index_beside.hpp"
#include "io/unshared_descriptor.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using detail::output_file;
using detail::output_location;

/// Calls `work` and turns the exceptions of memory and paths into a failure.
template <class Work>
failure catch_exceptions(Work&& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return {.code = errc::out_of_memory};
  } catch (const std::length_error&) {  // of a buffer that no memory could hold
    return {.code = errc::out_of_memory};
  } catch (const std::system_error& problem) {  // of std::filesystem
    return {.code = problem.code()};
  }
}

}  // namespace

file_sink::file_sink(const std::filesystem::path& path, const file_sink_options& options)
    : forks_(io::forks()), exceptions_(std::uncaught_exceptions()) {
  detail::raise_if(open(path, options));
}

file_sink::file_sink(const std::filesystem::path& path, failure& why) noexcept : file_sink(path, {}, why) {}

file_sink::file_sink(const std::filesystem::path& path, const file_sink_options& options, failure& why) noexcept
    : forks_(io::forks()), exceptions_(std::uncaught_exceptions()) {
  why = open(path, options);
}

file_sink::~file_sink() {
  failure lost;
  keeps_older() ? abandon(lost) : close(lost);
}

/// Opens the file. One that appears or vanishes between looking and creating is looked at again.
failure file_sink::open_file(const std::filesystem::path& path, const file_sink_options& options) {
  constexpr int attempts = 8;
  failure why;
  std::vector<std::byte>().reserve(options.buffer_size);  // fails before anything is created
  for (int i = 0; i < attempts; ++i) {
    output_location location = output_location::resolve(path, why);
    if (why) return why;
    if (options.exclusive && location.exists) return {.code = {EEXIST, std::system_category()}};
    file_ = std::make_unique<output_file>(std::move(location), output_file::appearance::at_once, why);
    if (why.code != std::errc::file_exists || options.exclusive) return why;
  }
  return why;
}

failure file_sink::open(const std::filesystem::path& path, const file_sink_options& options) noexcept {
  failure why = catch_exceptions([&] { return open_file(path, options); });
  if (!why) {
    const int descriptor = file_->descriptor(why);
    if (!why) out_.emplace(descriptor, options.buffer_size, why);
  }
  if (why) {
    out_.reset();
    file_.reset();
    return why;
  }
  sync_ = options.sync;
  opened_ = true;
  if (!is_replacing()) remove_index();
  return {};
}

/// Removes the index of an archive that was here before. One that stays is not current.
void file_sink::remove_index() noexcept {
  static_cast<void>(catch_exceptions([&] {
    failure why;
    if (!file_->in_place()) io::remove_index_in(file_->folder()->descriptor(), file_->location().name, why);
    return why;
  }));
}

/// Returns false once it is closed, and in a child made by `fork`, whose copy of the descriptor is closed.
bool file_sink::is_open() const noexcept { return out_ && forks_ == io::forks(); }

/// Keeps the first failure: after it, an older file is not replaced.
failure file_sink::keep_failure(failure why) noexcept {
  if (why && !broken_) broken_ = why.code;
  return why;
}

bool file_sink::can_overwrite() const noexcept { return is_open() && out_->can_overwrite(); }

bool file_sink::is_replacing() const noexcept { return file_ && file_->is_hidden(); }

failure file_sink::write(std::span<const std::span<const std::byte>> pieces) noexcept {
  return is_open() ? keep_failure(out_->write(pieces)) : failure{.code = errc::call_out_of_order};
}

failure file_sink::overwrite(std::uint64_t at, std::span<const std::byte> with) noexcept {
  return is_open() ? keep_failure(out_->overwrite(at, with)) : failure{.code = errc::call_out_of_order};
}

failure file_sink::rollback(std::uint64_t bytes) noexcept {
  return is_open() ? keep_failure(out_->rollback(bytes)) : failure{.code = errc::call_out_of_order};
}

failure file_sink::flush() noexcept { return is_open() ? out_->flush() : failure{.code = errc::call_out_of_order}; }

failure file_sink::sync() noexcept {
  failure why = flush();
  return why ? why : keep_failure(catch_exceptions([&] { return file_->sync(); }));
}

void file_sink::set_unfinished(bool is_so) noexcept { is_unfinished_ = is_so; }

void file_sink::message_refused() noexcept { is_refused_ = true; }

bool file_sink::keeps_older() const noexcept {
  const bool is_complete = !is_unfinished_ && !is_refused_ && !broken_;
  return is_replacing() && (!is_complete || std::uncaught_exceptions() > exceptions_);
}

/// Closes the file. An older one is replaced, and its index removed.
failure file_sink::publish() noexcept {
  return catch_exceptions([&] {
    const bool replaces = is_replacing();
    if (failure why = file_->publish(output_file::replacement::allowed)) return why;
    if (replaces) remove_index();
    return sync_ && !file_->in_place() ? file_->folder()->sync() : failure();
  });
}

/// Drops what is buffered, and the file unless it was published.
void file_sink::release() noexcept {
  out_->discard();
  written_ = out_->bytes_written();
  out_.reset();
  file_.reset();
}

void file_sink::close(failure& why) noexcept {
  why = {};
  if (!opened_) why.code = errc::call_out_of_order;
  if (!out_) return;
  why = flush();
  if (!why && (sync_ || is_replacing())) why = sync();
  if (!why && is_replacing()) why.code = is_unfinished_ ? make_error_code(errc::incomplete_message) : broken_;
  if (is_open() && (!why || !is_replacing())) {
    const failure of_closing = publish();
    if (!why) why = of_closing;
  }
  release();
}

void file_sink::close() {
  failure why;
  close(why);
  detail::raise_if(why);
}

void file_sink::abandon(failure& why) noexcept {
  if (!is_open() || !is_replacing()) return close(why);
  why = {};
  release();
}

}  // namespace v0
}  // namespace tgmap
