// SPDX-License-Identifier: Apache-2.0
#include "cpp/writing/output.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "cpp/interpreter/errors.hpp"
#include "cpp/interpreter/scalars.hpp"
#include "cpp/interpreter/text.hpp"

namespace tgmap_python {
namespace {

/// Bytes that are given to a file object at once, as a copy: it may keep them.
constexpr std::size_t block_bytes = std::size_t{4} << 20;

nb::object to_bytes(std::span<const std::byte> bytes) { return nb::bytes(bytes.data(), bytes.size()); }

/// Warns that a writer which was not closed could not write its bytes. Keeps the exception that is being raised.
void warn_of_loss(const std::string& path, const std::string& why) noexcept {
  nb::error_scope kept;
  const std::string text =
      (path.empty() ? std::string("a writer") : shown(path)) + " was not closed, and bytes are lost: " + why;
  if (!warn(PyExc_ResourceWarning, text)) PyErr_WriteUnraisable(nullptr);
}

}  // namespace

file_object_sink::file_object_sink(nb::object file, bool seeks) : file_(std::move(file)) {
  if (seeks)
    start_ = to_integer(call_python(file_.attr("tell")), "what tell() of the file object returns", 0, INT64_MAX);
}

/// Calls work with the lock of the interpreter. Keeps its exception, which raise_error() raises.
template <class Work>
tgmap::failure file_object_sink::call(Work&& work) noexcept {
  const lock_hold locked;
  try {
    work();
    return {};
  } catch (...) {
    error_ = std::current_exception();
    return {.code = std::error_code(EIO, std::system_category())};
  }
}

void file_object_sink::put(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const nb::object taken = call_python(file_.attr("write"), to_bytes(bytes));
    // Raw files may take a part only. Others that return no number take all.
    if (!PyLong_Check(taken.ptr())) return;
    const auto size = static_cast<std::int64_t>(bytes.size());
    const std::int64_t count = to_integer(taken, "what write() of the file object returns", 0, size);
    if (count == 0) throw std::runtime_error("the file object has not taken all bytes");
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

tgmap::failure file_object_sink::write(std::span<const std::span<const std::byte>> pieces) noexcept {
  return call([&] {
    std::vector<std::byte> block;
    for (std::span<const std::byte> piece : pieces) {
      written_ += piece.size();
      while (!piece.empty()) {
        const auto part = piece.first(std::min(piece.size(), block_bytes - block.size()));
        block.insert(block.end(), part.begin(), part.end());
        piece = piece.subspan(part.size());
        if (block.size() < block_bytes) continue;
        put(block);
        block.clear();
      }
    }
    put(block);
  });
}

tgmap::failure file_object_sink::overwrite(std::uint64_t at, std::span<const std::byte> bytes) noexcept {
  if (!can_overwrite()) return {.code = tgmap::errc::cannot_overwrite};
  return call([&] {
    const nb::object end = call_python(file_.attr("tell"));
    call_python(file_.attr("seek"), nb::int_(start_ + static_cast<std::int64_t>(at)));
    put(bytes);
    call_python(file_.attr("seek"), end);
  });
}

void file_object_sink::raise_error() {
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

output::output(nb::handle target, const output_options& how) : process_(::getpid()), syncs_(how.syncs) {
  tgmap::failure why;
  if (PyBytes_Check(target.ptr())) {
    path_ = to_path(target);
    const tgmap::file_sink_options options{.sync = how.syncs, .exclusive = how.exclusive};
    do {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      // Opening a pipe waits for its reader.
      without_lock(true, [&] { to_file_ = std::make_unique<tgmap::file_sink>(path_, options, why); });
    } while (why.code == std::errc::interrupted);
  } else if (PyLong_Check(target.ptr()) && !PyBool_Check(target.ptr())) {
    descriptor_ = to_descriptor(target);
    to_descriptor_ = std::make_unique<tgmap::descriptor_sink>(descriptor_, why);
  } else {
    to_object_ = std::make_unique<file_object_sink>(nb::borrow(target), how.seeks);
  }
  tgmap_python::raise_if(why, path_);
}

output::~output() {
  if (process_ != ::getpid()) return;  // a child made by fork: its parent has the file
  tgmap::failure lost;
  const bool keeps_older = to_file_ && to_file_->keeps_older();
  without_lock(true, [&] {
    if (keeps_older) {
      to_file_->abandon(lost);
      lost = {.code = tgmap::errc::incomplete_message};
    } else if (to_file_) {
      to_file_->close(lost);
    }
    if (to_descriptor_) lost = to_descriptor_->flush();
  });
  const bool was_open = lost.code != tgmap::errc::call_out_of_order;
  if (lost && was_open)
    warn_of_loss(path_,
                 keeps_older && was_refused_ ? "a call to write was refused, and the older file stays" : lost.text());
}

std::uint64_t output::position() const {
  if (to_object_) return to_object_->start();
  const ::off_t at = to_descriptor_ ? ::lseek(descriptor_, 0, SEEK_CUR) : 0;
  return at < 0 ? 0 : static_cast<std::uint64_t>(at);
}

tgmap::sink& output::sink() noexcept {
  if (to_file_) return *to_file_;
  return to_descriptor_ ? static_cast<tgmap::sink&>(*to_descriptor_) : *to_object_;
}

void output::raise_if(const tgmap::failure& why) {
  if (!why) return;
  if (to_object_) to_object_->raise_error();
  raise(why, path_);
}

tgmap::failure output::sync_descriptor() noexcept {
  while (::fdatasync(descriptor_) != 0)
    if (errno != EINTR) return {.code = std::error_code(errno, std::system_category())};
  return {};
}

void output::flush(bool syncs) {
  if (to_object_) {
    if (nb::hasattr(to_object_->file(), "flush")) call_python(to_object_->file().attr("flush"));
    return;
  }
  tgmap::failure why;
  without_lock(true, [&] {
    why = sink().flush();
    if (!why && syncs) why = to_file_ ? to_file_->sync() : sync_descriptor();
  });
  raise_if(why);
}

void output::close() {
  if (!to_file_) return flush(syncs_);
  tgmap::failure why;
  without_lock(true, [&] { to_file_->close(why); });
  raise_if(why);
}

void output::abandon() {
  if (!to_file_) return flush(syncs_);
  tgmap::failure why;
  without_lock(true, [&] { to_file_->abandon(why); });
  raise_if(why);
}

}  // namespace tgmap_python
