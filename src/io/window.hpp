// SPDX-License-Identifier: Apache-2.0
// A window on structure. Bytes are copied before they are read, because those of a mapping may change or disappear.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "io/page.hpp"
#include "io/scan_reader.hpp"
#include "io/source.hpp"

namespace tgmap::io {

/// A `window` keeps the bytes copied last, so that reading near them again costs nothing. For one thread. Never raises
/// a signal.
class window {
 public:
  static constexpr std::size_t largest = 4096;

  explicit window(const source& in, locality what = locality::scattered) noexcept : in_(&in), locality_(what) {}

  /// A window that is filled through a scan_reader.
  window(const source& in, scan_reader& reader) noexcept : in_(&in), reader_(&reader) {}

  window(const window&) = delete;
  window& operator=(const window&) = delete;

  /// Returns the bytes [offset, offset + size), size <= largest, which must be within the source. Valid until the next
  /// call. Empty, with the failure set, if they cannot be read.
  std::span<const std::byte> at(std::uint64_t offset, std::size_t size, failure& why, margin more = {}) noexcept {
    if (offset < begin_ || offset - begin_ > size_ || size > size_ - (offset - begin_)) {
      fill(offset, size, why, more);
      if (why) return {};
    }
    return {bytes_ + (offset - begin_), size};
  }

  /// Copies bytes from anywhere without moving the window. Errors: as source::load.
  failure copy(std::uint64_t offset, std::span<std::byte> out) const noexcept {
    if (!holds(offset, out.size())) return in_->load(offset, out, locality_);
    std::copy_n(bytes_ + (offset - begin_), out.size(), out.begin());
    return {};
  }

  /// Checks if these bytes can be returned without another read.
  bool holds(std::uint64_t offset, std::size_t size) const noexcept {
    return offset >= begin_ && offset - begin_ <= size_ && size <= size_ - (offset - begin_);
  }

  /// Sets the locality of the following reads.
  void expect(locality what) noexcept { locality_ = what; }

  const source& in() const noexcept { return *in_; }

 private:
  void fill(std::uint64_t offset, std::size_t size, failure& why, margin more) noexcept {
    if (reader_ != nullptr) {
      const auto bytes = reader_->fill(offset, size, more, begin_, why);
      bytes_ = bytes.data();
      size_ = bytes.size();
      return;
    }
    const byte_span wanted = within_page(offset, size, more, in_->size(), largest);
    bytes_ = buffer_.data();
    begin_ = wanted.begin;
    size_ = wanted.size;
    why = in_->load(begin_, {buffer_.data(), size_}, locality_);
    if (why && wanted.size > size) {  // what is read beside it may be gone
      begin_ = offset;
      size_ = size;
      why = in_->load(begin_, {buffer_.data(), size_}, locality_);
    }
    if (why) size_ = 0;
  }

  const source* in_;
  scan_reader* reader_ = nullptr;
  locality locality_ = locality::scattered;
  const std::byte* bytes_ = nullptr;
  std::uint64_t begin_ = 0;
  std::size_t size_ = 0;
  std::array<std::byte, largest> buffer_;
};

}  // namespace tgmap::io
