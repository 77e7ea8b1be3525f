// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <tgmap/write/sink.hpp>

namespace tgmap::cli {

/// A sink for what the library writes into files of ours. What goes wrong there has a file's name, which a failure has
/// no room for: it is kept, to be thrown where the library has returned.
class file_sink : public sink {
 public:
  using sink::write;
  failure write(std::span<const std::span<const std::byte>>) noexcept final;
  failure overwrite(std::uint64_t at, std::span<const std::byte>) noexcept final;

  /// What `write` could only tell as a failure; nothing when that was not at fault.
  void rethrow_problem() const {
    if (problem_) std::rethrow_exception(problem_);
  }

 protected:
  /// Puts the pieces out. May throw anything.
  virtual void put(std::span<const std::span<const std::byte>>) = 0;

  /// Changes what was put; only where `can_patch`.
  virtual void put_at(std::uint64_t, std::span<const std::byte>) {}

 private:
  template <class Work>
  failure guarded(Work&&) noexcept;

  std::exception_ptr problem_{};
};

}  // namespace tgmap::cli
