// SPDX-License-Identifier: Apache-2.0
// Opening archives.
#include "cpp/archive/py_archive.hpp"

#include <unistd.h>

#include <cerrno>
#include <istream>
#include <tgmap/archive.hpp>
#include <tgmap/mapping_guard.hpp>

#include "cpp/archive/python_stream.hpp"
#include "cpp/arguments/choices.hpp"
#include "cpp/arrays/numpy.hpp"
#include "cpp/handles/readable_memory.hpp"
#include "cpp/interpreter/errors.hpp"
#include "cpp/interpreter/interruptible.hpp"

namespace tgmap_python {
namespace {

/// Returns the file that an error of the system is about: the index that the caller named, or else the archive.
std::string file_at_fault(const tgmap::failure& why, const opening_options& chosen, const std::string& path) {
  if (why.code.category() != std::system_category() || !chosen.index_path || chosen.index == "none") return path;
  const auto error_of = [](const std::string& name) { return ::access(name.c_str(), R_OK) == 0 ? 0 : errno; };
  const bool is_archive = !path.empty() && error_of(path) == why.code.value();
  return !is_archive && error_of(*chosen.index_path) == why.code.value() ? *chosen.index_path : path;
}

}  // namespace

tgmap::open_options to_options(const opening_options& chosen) {
  using namespace tgmap;
  open_options out;
  out.io = choice<io_mode>(chosen.mode, {{"auto", io_mode::automatic}, {"map", io_mode::map}, {"read", io_mode::read}},
                           "mode");
  out.damage = choice<on_damage>(chosen.damage, {on_damage::stop, on_damage::skip}, "damage");
  out.index = choice<index_use>(chosen.index, {index_use::none, index_use::use, index_use::checked, index_use::create},
                                "index");
  out.index_cache = chosen.index_cache;
  if (chosen.index_path) out.index_path = *chosen.index_path;
  out.trust_index_of = chosen.trust_index_of;
  out.offset = chosen.offset;
  if (chosen.length) out.length = *chosen.length;
  out.max_decoded_bytes = chosen.max_decoded;
  // A handler that Python code sets later would replace the guard without notice, so that it is used on request only.
  out.guard = mapping_guard::is_installed() ? guard_use::automatic : guard_use::never;
  return out;
}

void scan_all(const tgmap::archive& archive) {
  constexpr std::uint64_t large = 64 << 20;
  if (archive.is_complete() || (archive.size_bytes() < large && archive.mode() == tgmap::io_mode::map)) return;
  tgmap::failure reported_later;
  run_interruptibly(true, [&](const std::stop_token& stop) { archive.scan(UINT64_MAX, stop, reported_later); });
}

py_archive::py_archive(nb::handle source, const opening_options& chosen, nb::handle index_bytes) {
  const tgmap::open_options how = to_options(chosen);
  opened_archive opened;
  opened.max_decoded = chosen.max_decoded;
  tgmap::failure why;
  if (chosen.stream_name) {
    opened.path = *chosen.stream_name;
    python_stream buffer(source);
    opened.archive = without_lock(true, [&] {
      std::istream stream(&buffer);
      return tgmap::archive::from_stream(stream, how, why);
    });
    buffer.raise_error();
  } else if (PyUnicode_Check(source.ptr())) {
    opened.path = to_path(source);
    const input_buffer index = index_bytes.is_none() ? input_buffer{} : bytes_of(index_bytes);
    opened.buffer = index.owner;
    opened.archive = without_lock(true, [&] {
      return index.owner.is_valid() ? tgmap::archive::open(opened.path, index.bytes, how, why)
                                    : tgmap::archive::open(opened.path, how, why);
    });
  } else if (PyLong_Check(source.ptr()) && !PyBool_Check(source.ptr())) {
    const int descriptor = to_descriptor(source);
    opened.archive = without_lock(true, [&] { return tgmap::archive::from_descriptor(descriptor, how, why); });
  } else {
    input_buffer memory = bytes_of(source);
    opened.archive = tgmap::archive::from_memory(
        memory.bytes, PyBytes_Check(source.ptr()) ? tgmap::memory::constant : tgmap::memory::may_change, how, why);
    opened.buffer = std::move(memory.owner);
  }
  if (why) raise(why, file_at_fault(why, chosen, opened.path));
  opened_ = share_archive(std::move(opened));
}

py_message py_archive::message(nb::ssize_t number) const {
  const shared_archive from = opened();
  const tgmap::archive& archive = from->archive;
  tgmap::failure why;
  tgmap::message found;
  if (number >= 0) {
    const auto i = static_cast<std::size_t>(number);
    const bool is_known = i < archive.scan_progress().messages;
    found = without_lock(!is_known, [&] { return archive.at(i, why); });
  } else {
    found = without_lock(true, [&] { return archive.nth_from_end(static_cast<std::size_t>(-(number + 1)), why); });
  }
  raise_if(why, from->path);
  return {from, found};
}

std::size_t py_archive::size() const {
  const shared_archive from = opened();
  tgmap::failure why;
  scan_all(from->archive);
  const std::size_t out = without_lock(!from->archive.is_complete(), [&] { return from->archive.size(why); });
  raise_if(why, from->path);
  return out;
}

void py_archive::refresh() {
  const shared_archive from = opened();
  tgmap::failure why;
  opened_archive next{.archive = without_lock(true, [&] { return from->archive.reopen(why); }),
                      .buffer = from->buffer,
                      .path = from->path,
                      .max_decoded = from->max_decoded,
                      .origin = from->origin};
  raise_if(why, from->path);
  opened_ = share_archive(std::move(next));
}

py_message message_at(const shared_archive& from, std::uint64_t offset) {
  tgmap::failure why;
  const tgmap::message found = from->archive.at_offset(offset, why);
  raise_if(why, from->path);
  return {from, found};
}

}  // namespace tgmap_python
