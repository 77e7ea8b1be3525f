// SPDX-License-Identifier: Apache-2.0
// File objects of Python as streams of the standard library.
#pragma once

#include <exception>
#include <streambuf>

#include "cpp/arrays/numpy.hpp"

namespace tgmap_python {

/// A `python_stream` reads a file object by its read(n). It needs no lock of the interpreter, and takes it for each
/// call.
class python_stream final : public std::streambuf {
 public:
  explicit python_stream(nb::handle file) : file_(nb::borrow(file)) {}

  /// Raises the exception of the call that ended the stream, if one did.
  void raise_error() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  int_type underflow() override {
    const lock_hold locked;
    if (!error_) try {
        read_block();
      } catch (...) {
        error_ = std::current_exception();
        setg(nullptr, nullptr, nullptr);
      }
    return gptr() == egptr() ? traits_type::eof() : traits_type::to_int_type(*gptr());
  }

  void read_block() {
    constexpr int block_bytes = 1 << 20;
    const nb::object read = call_python(file_.attr("read"), nb::int_(block_bytes));
    if (read.is_none()) {
      PyErr_SetString(PyExc_BlockingIOError, "the file has no bytes yet, and reading it does not wait for them");
      throw nb::python_error();
    }
    if (nb::len(read) == 0) return setg(nullptr, nullptr, nullptr);
    block_ = bytes_of(read);
    auto* const first = reinterpret_cast<char*>(const_cast<std::byte*>(block_.bytes.data()));  // never written to
    setg(first, first, first + block_.bytes.size());
  }

  nb::object file_;
  input_buffer block_{};
  std::exception_ptr error_{};
};

}  // namespace tgmap_python
