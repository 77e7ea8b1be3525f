// SPDX-License-Identifier: Apache-2.0
#include "cpp/handles/readable_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <utility>
#include <vector>

#include "cpp/handles/opened_archive.hpp"
#include "cpp/interpreter/errors.hpp"

namespace tgmap_python {
namespace {

/// Weak references to the archives whose bytes are in place. Used with the lock of the interpreter only.
std::vector<PyObject*>& mapped_archives() {
  static auto* const all = new std::vector<PyObject*>;  // lives as long as the process
  return *all;
}

void forget_closed_archives() {
  std::erase_if(mapped_archives(), [](PyObject* reference) {
    if (PyWeakref_GetObject(reference) != Py_None) return false;
    Py_DECREF(reference);
    return true;
  });
}

/// If the view is of this archive, compares its end with the size of the file. The rest of the last page would be read
/// as zeros.
tgmap::failure compare_size(const tgmap::archive& of, std::span<const std::byte> view) {
  tgmap::failure why, unread;
  const tgmap::message first = of.at(0, unread);
  const auto message = unread ? std::span<const std::byte>() : first.bytes(unread);
  if (unread) return {};  // the view is of a message behind damage
  const auto begin = reinterpret_cast<std::uintptr_t>(message.data()) - first.offset();
  const std::uint64_t from = reinterpret_cast<std::uintptr_t>(view.data()) - begin, size = of.size_bytes();
  std::byte last{};
  if (from < size && view.size() <= size - from) of.read(from + view.size() - 1, {&last, 1}, why);
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

shared_archive share_archive(opened_archive&& opened) {
  opened.state = tgmap::file_state::of(opened.archive);
  const bool is_mapped = opened.has_bytes_in_place();
  nb::object out = nb::cast(std::move(opened));
  if (is_mapped) {
    auto& all = mapped_archives();
    if (all.size() == all.capacity()) forget_closed_archives();
    all.push_back(PyWeakref_NewRef(out.ptr(), nullptr));
    if (all.back() == nullptr) {
      all.pop_back();
      throw nb::python_error();
    }
  }
  return shared_archive(std::move(out));
}

void require_readable(std::span<const std::byte> memory) {
  if (memory.empty()) return;
  raise_if(populate(memory));
  forget_closed_archives();
  const std::vector<PyObject*> all = mapped_archives();
  for (PyObject* reference : all) {
    const auto opened = nb::borrow(PyWeakref_GetObject(reference));
    if (!opened.is_none()) raise_if(compare_size(nb::inst_ptr<opened_archive>(opened)->archive, memory));
  }
}

}  // namespace tgmap_python
