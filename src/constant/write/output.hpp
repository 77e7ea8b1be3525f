// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <tgmap/write/sink.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// Bytes on their way to a sink: gathered in one buffer, which goes when it is full. After a failure all else is
/// dropped, so that whoever writes need not ask at every step.
class output {
 public:
  /// The most of one piece; small enough to stay near the processor, as large as what a descriptor_sink gathers.
  static constexpr std::size_t most = std::size_t{1} << 18;

  explicit output(sink& to) : to_(to), begin_(std::make_unique_for_overwrite<char[]>(most)), at_(begin_.get()) {}

  /// Where that many bytes, `most` at most, may be written; `wrote` says how far they were.
  char* room(std::size_t bytes) noexcept {
    if (bytes > left()) send();
    return at_;
  }
  void wrote(char* end) noexcept { at_ = end; }

  void put(char one) noexcept {
    *room(1) = one;
    ++at_;
  }
  void put(std::string_view text) noexcept;

  /// Stops writing. The first failure stays.
  void fail(const failure& why) noexcept {
    if (!why_) why_ = why;
  }
  const failure& failed() const noexcept { return why_; }

  /// Sends what is left: why not all of it went.
  const failure& finish() noexcept {
    send();
    return why_;
  }

 private:
  std::size_t left() const noexcept { return static_cast<std::size_t>(begin_.get() + most - at_); }
  void send() noexcept;

  sink& to_;
  std::unique_ptr<char[]> begin_;
  char* at_;
  failure why_{};
};

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
