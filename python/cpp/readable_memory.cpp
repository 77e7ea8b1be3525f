// SPDX-License-Identifier: Apache-2.0
#include "readable_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "errors.hpp"
#include "opened_archive.hpp"

namespace tgmap_python {
namespace {

/// Compares a view of an archive with the size of the file. The rest of the last page would be read as zeros.
tgmap::failure compare_size(const tgmap::archive& of, std::span<const std::byte> view) {
  tgmap::failure why, unread;
  const tgmap::message first = of.at(0, unread);
  const auto message = unread ? std::span<const std::byte>() : first.bytes(unread);
  if (unread) return {};  // the view is of a message behind damage
  const auto begin = reinterpret_cast<std::uintptr_t>(message.data()) - first.offset();
  const std::uint64_t end = reinterpret_cast<std::uintptr_t>(view.data()) + view.size() - begin;
  std::byte last{};
  if (end != 0 && end <= of.size_bytes()) of.read(end - 1, {&last, 1}, why);
  return why;
}

tgmap::failure populate(std::span<const std::byte> memory) {
#ifdef MADV_POPULATE_READ
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(memory.data()) & ~(page - 1);
  const auto end = reinterpret_cast<std::uintptr_t>(memory.data()) + memory.size();
  while (::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_READ) != 0) {
    if (errno == EFAULT) return {.code = tgmap::errc::file_shrank, .expected = memory.size()};
    if (errno != EINTR && errno != EAGAIN) return {};  // an older kernel, or memory of another kind
  }
#else
  static_cast<void>(memory);
#endif
  return {};
}

}  // namespace

void require_readable(std::span<const std::byte> memory, nb::handle owner) {
  if (memory.empty()) return;
  raise_if(populate(memory));
  if (!owner.is_valid() || !nb::isinstance<opened_archive>(owner) || !nb::inst_ready(owner)) return;
  const opened_archive& from = *nb::inst_ptr<opened_archive>(owner);
  if (from.has_bytes_in_place()) raise_if(compare_size(from.archive, memory));
}

}  // namespace tgmap_python
