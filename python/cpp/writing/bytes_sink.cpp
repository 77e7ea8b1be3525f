// SPDX-License-Identifier: Apache-2.0
#include "cpp/writing/bytes_sink.hpp"

#include <algorithm>
#include <cstring>

namespace tgmap_python {

/// Replaces the memory; the lock must be held. Returns false and sets an error of Python if there is none.
bool bytes_sink::resize(std::size_t capacity) {
  nb::object bytes = nb::steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(capacity)));
  if (!bytes.is_valid()) return false;
  if (size_ != 0) std::memcpy(PyBytes_AsString(bytes.ptr()), PyBytes_AsString(bytes_.ptr()), size_);
  bytes_ = std::move(bytes);
  capacity_ = capacity;
  return true;
}

tgmap::failure bytes_sink::write(std::span<const std::span<const std::byte>> pieces) noexcept {
  std::size_t needed = size_;
  for (const auto& piece : pieces) needed += piece.size();
  if (needed > capacity_) {
    // Mostly a message comes at once, and this is its size.
    const lock_hold locked;
    if (!resize(capacity_ == 0 ? needed : std::max(needed, 2 * capacity_))) {
      PyErr_Clear();
      return {.code = tgmap::errc::out_of_memory};
    }
  }
  if (needed == 0) return {};
  auto* const memory = reinterpret_cast<std::byte*>(PyBytes_AsString(bytes_.ptr()));
  for (const auto& piece : pieces) {
    if (!piece.empty()) std::memcpy(memory + size_, piece.data(), piece.size());
    size_ += piece.size();
  }
  return {};
}

nb::object bytes_sink::release() {
  if (size_ != capacity_ || !bytes_.is_valid())
    if (!resize(size_)) throw nb::python_error();
  size_ = capacity_ = 0;
  return std::move(bytes_);
}

}  // namespace tgmap_python
