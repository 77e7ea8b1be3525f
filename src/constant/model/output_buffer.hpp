// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <tgmap/write/sink.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// An `output_buffer` collects bytes for a sink and sends them when it is full. After an error it drops all bytes, so
/// that writers need not check every step.
class output_buffer {
 public:
  /// As large as the buffer of a descriptor_sink, and small enough for the cache.
  static constexpr std::size_t capacity = std::size_t{1} << 18;

  explicit output_buffer(sink& sink)
      : to_(sink), begin_(std::make_unique_for_overwrite<char[]>(capacity)), at_(begin_.get()) {}

  /// Returns memory for up to `bytes` bytes, at most `capacity`. Pass the end of what was written to `commit`.
  char* reserve(std::size_t bytes) noexcept {
    if (bytes > left()) send();
    return at_;
  }
  void commit(char* end) noexcept { at_ = end; }

  void put(char one) noexcept {
    *reserve(1) = one;
    ++at_;
  }
  void put(std::string_view text) noexcept;

  /// Stops writing. The first error counts.
  void fail(const failure& why) noexcept {
    if (!why_) why_ = why;
  }
  const failure& error() const noexcept { return why_; }

  /// Sends the rest. Returns the first error.
  const failure& finish() noexcept {
    send();
    return why_;
  }

 private:
  std::size_t left() const noexcept { return static_cast<std::size_t>(begin_.get() + capacity - at_); }
  void send() noexcept;

  sink& to_;
  std::unique_ptr<char[]> begin_;
  char* at_;
  failure why_{};
};

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
