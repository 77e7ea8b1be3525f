// SPDX-License-Identifier: Apache-2.0
#include "edit/output/range_copier.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace tgmap::edit {

namespace {

constexpr std::uint64_t small_range = std::uint64_t{64} << 10;  // a system call costs more than copying so few bytes
constexpr std::uint64_t large_range = std::uint64_t{64} << 20;  // written at once, so that the progress bar moves
constexpr std::size_t block_size = std::size_t{1} << 20;
constexpr std::uint64_t max_gathered_bytes = std::uint64_t{64} << 20;  // of all outputs

/// Returns true if the output's disk is the cause, so that another way of writing would fail, too.
bool is_output_error(int number) { return number == ENOSPC || number == EDQUOT || number == EFBIG; }

/// Lets the system copy the range and returns the number of bytes copied. The system may stop early: between file
/// systems, to pipes, on old kernels or in sandboxes. EIO also ends it, since the code does not tell which file failed.
std::uint64_t copy_by_system(int from, std::uint64_t offset, std::uint64_t length, output_set::output& to) {
  std::uint64_t done = 0;
  while (from >= 0 && done < length) {
    constexpr std::uint64_t max_at_once = std::uint64_t{1} << 30;
    auto at = static_cast<off64_t>(offset + done);
    const ssize_t n = ::copy_file_range(from, &at, to.descriptor(), nullptr,
                                        static_cast<std::size_t>(std::min(length - done, max_at_once)), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && is_output_error(errno)) throw write_error({.why = system_failure(errno), .name = to.name()});
    if (n <= 0) break;
    done += static_cast<std::uint64_t>(n);
    to.add_written(static_cast<std::uint64_t>(n));
  }
  return done;
}

void copy_through_memory(const archive& from, std::uint64_t offset, std::uint64_t length, output_set::output& to) {
  std::vector<std::byte> block(static_cast<std::size_t>(std::min<std::uint64_t>(length, block_size)));
  for (std::uint64_t done = 0; done < length;) {
    const auto piece =
        std::span(block).first(static_cast<std::size_t>(std::min<std::uint64_t>(length - done, block.size())));
    from.read(offset + done, piece);
    to.write(piece);
    done += piece.size();
  }
}

}  // namespace

void range_copier::copy(const copy_source& from, std::uint64_t offset, std::uint64_t length, output_set::output& to) {
  pending& last = pending_[&to];
  if (last.from != &from || last.end != offset) {
    write_range(last, to);
    last.from = &from;
    last.begin = offset;
  }
  last.end = offset + length;
  if (last.end - last.begin >= large_range) write_range(last, to);
}

void range_copier::write_range(pending& last, output_set::output& to) {
  const std::uint64_t length = last.end - last.begin, begin = std::exchange(last.begin, last.end);
  if (length == 0) return;
  if (to.descriptor() < 0) {
    to.add_written(length);
  } else if (length < small_range) {
    last.from->from.read(begin, extend_gathered(last, static_cast<std::size_t>(length)));
    limit_gathered(last, to);
  } else {
    write_gathered(last, to);
    const std::uint64_t done = copy_by_system(last.from->descriptor, begin, length, to);
    copy_through_memory(last.from->from, begin + done, length - done, to);
  }
}

void range_copier::write(std::span<const std::byte> bytes, output_set::output& to) {
  pending& last = pending_[&to];
  write_range(last, to);
  if (to.descriptor() < 0) {
    to.add_written(bytes.size());
  } else if (bytes.size() < small_range) {
    std::ranges::copy(bytes, extend_gathered(last, bytes.size()).begin());
    limit_gathered(last, to);
  } else {
    write_gathered(last, to);
    to.write(bytes);
  }
}

std::span<std::byte> range_copier::extend_gathered(pending& last, std::size_t bytes) {
  const std::size_t before = last.gathered.size();
  last.gathered.resize(before + bytes);
  gathered_bytes_ += bytes;
  return std::span(last.gathered).subspan(before);
}

void range_copier::limit_gathered(pending& last, output_set::output& to) {
  if (last.gathered.size() >= block_size) write_gathered(last, to);
  if (gathered_bytes_ >= max_gathered_bytes)
    for (auto& [output, each] : pending_) write_gathered(each, *output);
}

void range_copier::write_gathered(pending& last, output_set::output& to) {
  if (last.gathered.empty()) return;
  to.write(last.gathered);
  gathered_bytes_ -= last.gathered.size();
  last.gathered.clear();
  if (max_gathered_bytes / block_size < pending_.size()) last.gathered.shrink_to_fit();
}

void range_copier::finish() {
  for (auto& [output, each] : pending_) {
    write_range(each, *output);
    write_gathered(each, *output);
  }
  pending_.clear();  // keeps repeated calls cheap
}

}  // namespace tgmap::edit
