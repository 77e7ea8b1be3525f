// SPDX-License-Identifier: Apache-2.0
#include "cli/rewrite/rewritten_output.hpp"

#include <utility>

namespace tgmap::cli {

namespace {

/// Below, a range is gathered with what is written before and behind it.
constexpr std::uint64_t copied_by_system = std::uint64_t{256} << 10;

}  // namespace

void rewritten_output::write(const message_parts& what) {
  settle();
  writers_.write(what);
}

void rewritten_output::copy(std::uint64_t offset, std::uint64_t length) {
  if (offset != end_) {
    settle();
    begin_ = offset;
  }
  end_ = offset + length;
}

void rewritten_output::settle() {
  const std::uint64_t length = end_ - begin_, begin = std::exchange(begin_, end_);
  if (length == 0) return;
  if (length >= copied_by_system) {
    sink_.flush();
    copier_.copy(*from_, begin, length, *to_);
    return copier_.finish();
  }
  block_.resize(static_cast<std::size_t>(length));
  from_->from().read(begin, block_);
  if (sink_.write(std::span<const std::byte>(block_))) sink_.rethrow_problem();
}

void rewritten_output::finish() {
  settle();
  sink_.flush();
}

}  // namespace tgmap::cli
