// SPDX-License-Identifier: Apache-2.0
#include "edit/output/output_sink.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <tgmap/mapping_guard.hpp>

namespace tgmap::edit {

namespace {

constexpr std::size_t max_buffered = std::size_t{256} << 10;  // copying larger pieces costs more than a system call

}  // namespace

template <class Work>
failure throwing_sink::catch_errors(Work&& work) noexcept {
  try {
    work();
    return {};
  } catch (const write_error& why) {
    error_ = std::current_exception();
    return why.fault().why;
  } catch (const error& why) {  // from an archive whose pending ranges are copied first
    error_ = std::current_exception();
    return why.details();
  } catch (const std::bad_alloc&) {
    error_ = std::current_exception();
    return {.code = errc::out_of_memory};
  }
}

failure throwing_sink::write(std::span<const std::span<const std::byte>> pieces) noexcept {
  return catch_errors([&] { write_pieces(pieces); });
}

failure throwing_sink::overwrite(std::uint64_t at, std::span<const std::byte> data) noexcept {
  return can_overwrite() ? catch_errors([&] { overwrite_bytes(at, data); }) : sink::overwrite(at, data);
}

failure throwing_sink::flush() noexcept {
  return catch_errors([&] { write_gathered(); });
}

void output_sink::write_pieces(std::span<const std::span<const std::byte>> pieces) {
  for (const auto piece : pieces) {
    if (buffer_.size() + piece.size() > max_buffered) write_gathered();
    if (piece.size() > max_buffered)
      to_->write(piece);
    else
      buffer_.insert(buffer_.end(), piece.begin(), piece.end());
  }
  if (progress_) progress_(bytes_written());
}

void output_sink::overwrite_bytes(std::uint64_t at, std::span<const std::byte> data) {
  write_gathered();
  to_->overwrite(at, data);
}

void output_sink::write_gathered() {
  if (buffer_.empty()) return;
  to_->write(buffer_);
  buffer_.clear();
}

void guarded_sink::write_pieces(std::span<const std::span<const std::byte>> pieces) {
  for (auto rest : pieces)
    while (!rest.empty()) {
      if (size_ == block_.size()) write_gathered();
      const std::size_t count = std::min(rest.size(), block_.size() - size_);
      const failure why = mapping_guard::run([&]() noexcept { std::memcpy(&block_[size_], rest.data(), count); });
      if (why) throw error(why);
      size_ += count;
      rest = rest.subspan(count);
    }
}

void guarded_sink::write_gathered() {
  if (size_ != 0) to_.write(std::span(block_).first(size_));
  size_ = 0;
}

void writer_cache::write(const stored_message& what) {
  const write_options& options = what.options;
  auto& cached = writers_[{options.version, options.hashes, options.index, options.hash_list}];
  if (!cached) cached = std::make_unique<writer>(*to_, options);
  failure why;
  cached->write(what.content, why);
  to_->throw_if(why);
}

}  // namespace tgmap::edit
