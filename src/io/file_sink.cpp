// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <tgmap/write/sink.hpp>

#include "io/file.hpp"

namespace tgmap {
inline namespace v0 {

file_sink::file_sink(const std::filesystem::path& path, const file_sink_options& options) {
  detail::raise_if(open(path, options));
}

file_sink::file_sink(const std::filesystem::path& path, failure& why) noexcept : file_sink(path, {}, why) {}

file_sink::file_sink(const std::filesystem::path& path, const file_sink_options& options, failure& why) noexcept {
  why = open(path, options);
}

file_sink::~file_sink() {
  failure lost;
  close(lost);
}

failure file_sink::open(const std::filesystem::path& path, const file_sink_options& options) noexcept {
  do file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  while (file_ < 0 && errno == EINTR);
  if (file_ < 0) return io::system_failure();
  failure why;
  out_.emplace(file_, options.buffer_size, why);
  if (why) {
    out_.reset();
    ::close(file_);
    return why;
  }
  sync_ = options.sync;
  opened_ = true;
  return {};
}

failure file_sink::write(std::span<const std::span<const std::byte>> pieces) noexcept {
  return out_ ? out_->write(pieces) : failure{.code = errc::call_out_of_order};
}

failure file_sink::overwrite(std::uint64_t at, std::span<const std::byte> with) noexcept {
  return out_ ? out_->overwrite(at, with) : failure{.code = errc::call_out_of_order};
}

failure file_sink::rollback(std::uint64_t bytes) noexcept {
  return out_ ? out_->rollback(bytes) : failure{.code = errc::call_out_of_order};
}

failure file_sink::flush() noexcept { return out_ ? out_->flush() : failure{.code = errc::call_out_of_order}; }

void file_sink::close(failure& why) noexcept {
  why = {};
  if (!opened_) why.code = errc::call_out_of_order;
  if (!out_) return;
  why = out_->flush();
  if (!why && sync_ && ::fdatasync(file_) != 0) why = io::system_failure();
  out_->discard();
  written_ = out_->bytes_written();
  out_.reset();
  // Linux has closed it whatever is said, and a signal is no error.
  if (::close(file_) != 0 && errno != EINTR && !why) why = io::system_failure();
}

void file_sink::close() {
  failure why;
  close(why);
  detail::raise_if(why);
}

}  // namespace v0
}  // namespace tgmap
