// SPDX-License-Identifier: Apache-2.0
#include "io/block_reads.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "io/source.hpp"

namespace tgmap::io {

block_reads::block_reads(const source& in, bool reads_all)
    : in_(&in),
      before_(current),
      bytes_(new std::byte[block]),
      end_(in.size()),
      reads_all_(reads_all && in.size() <= block) {
  current = this;
}

block_reads::block_reads(const source& in) : block_reads(in, false) {}

block_reads::~block_reads() { current = before_; }

void block_reads::begin_message(std::uint64_t offset, std::uint64_t length) noexcept {
  const bool is_small = length <= small_message, follows = offset == next_;
  const std::uint64_t size = in_->size(), end = offset + std::min(length, size - std::min(offset, size));
  most_ = !is_small ? page : follows ? block : std::max(page, length);
  end_ = is_small && follows ? size : end;
  next_ = end;
}

failure block_reads::read(std::uint64_t offset, std::span<std::byte> out) noexcept {
  const auto is_held = [&] {
    return offset >= begin_ && offset - begin_ <= size_ && out.size() <= size_ - (offset - begin_);
  };
  if (!is_held()) {
    const std::uint64_t begin = reads_all_ ? 0 : offset;
    const std::uint64_t rest = end_ - std::min(begin, end_), size = reads_all_ ? rest : std::min(rest, most_);
    if (out.size() > size - std::min(offset - begin, size)) return in_->read(offset, out);
    size_ = 0;
    if (in_->read(begin, std::span(bytes_.get(), static_cast<std::size_t>(size)))) return in_->read(offset, out);
    begin_ = begin;
    size_ = size;
  }
  std::memcpy(out.data(), bytes_.get() + (offset - begin_), out.size());
  return {};
}

}  // namespace tgmap::io
