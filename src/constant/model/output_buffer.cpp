// SPDX-License-Identifier: Apache-2.0
#include "constant/model/output_buffer.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace tgmap {
inline namespace v0 {
namespace constant {

void output_buffer::put(std::string_view text) noexcept {
  while (!text.empty()) {
    if (left() == 0) send();
    const std::size_t now = std::min(text.size(), left());
    std::memcpy(at_, text.data(), now);
    at_ += now;
    text.remove_prefix(now);
    if (why_) return;
  }
}

void output_buffer::send() noexcept {
  const std::span<const char> pending(begin_.get(), static_cast<std::size_t>(at_ - begin_.get()));
  at_ = begin_.get();
  if (!why_ && !pending.empty()) why_ = to_.write(std::as_bytes(pending));
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
