// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/range_copier.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "cli/app/cli_error.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t small = std::uint64_t{64} << 10;        // below, a call for each costs more than its bytes
constexpr std::uint64_t worth_a_bar = std::uint64_t{64} << 20;  // of a range: a bar has something to tell
constexpr std::size_t written_at_once = std::size_t{1} << 20;
constexpr std::uint64_t gathered_at_most = std::uint64_t{64} << 20;  // of all outputs

/// The disk of the output is at fault: another way of writing to it would fare no better.
bool is_of_the_output(int number) { return number == ENOSPC || number == EDQUOT || number == EFBIG; }

/// Moves what the system can move by itself, and returns how much that was. It cannot from one file system to another,
/// to pipes, on old kernels, where something forbids it; and with EIO it does not say which of the files is at fault.
std::uint64_t moved_by_system(int from, std::uint64_t offset, std::uint64_t length, output_set::output& to) {
  std::uint64_t done = 0;
  while (from >= 0 && done < length) {
    constexpr std::uint64_t largest = std::uint64_t{1} << 30;
    auto at = static_cast<off64_t>(offset + done);
    const ssize_t n = ::copy_file_range(from, &at, to.descriptor(), nullptr,
                                        static_cast<std::size_t>(std::min(length - done, largest)), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && is_of_the_output(errno)) throw file_error(errno, to.name());
    if (n <= 0) break;
    done += static_cast<std::uint64_t>(n);
    to.wrote(static_cast<std::uint64_t>(n));
  }
  return done;
}

void move_through_memory(const archive& from, std::uint64_t offset, std::uint64_t length, output_set::output& to) {
  std::vector<std::byte> block(static_cast<std::size_t>(std::min<std::uint64_t>(length, written_at_once)));
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
  waiting& last = waiting_[&to];
  if (last.from != &from || last.end != offset) {
    settle(last, to);
    last.from = &from;
    last.begin = offset;
  }
  last.end = offset + length;
  if (last.end - last.begin >= worth_a_bar) settle(last, to);
}

void range_copier::settle(waiting& last, output_set::output& to) {
  const std::uint64_t length = last.end - last.begin, begin = std::exchange(last.begin, last.end);
  if (length == 0) return;
  if (to.descriptor() < 0) {
    to.wrote(length);
  } else if (length < small) {
    last.from->from().read(begin, more(last, static_cast<std::size_t>(length)));
    keep_within_bounds(last, to);
  } else {
    write_gathered(last, to);
    const std::uint64_t done = moved_by_system(last.from->descriptor(), begin, length, to);
    move_through_memory(last.from->from(), begin + done, length - done, to);
  }
}

void range_copier::write(std::span<const std::byte> bytes, output_set::output& to) {
  waiting& last = waiting_[&to];
  settle(last, to);
  if (to.descriptor() < 0) {
    to.wrote(bytes.size());
  } else if (bytes.size() < small) {
    std::ranges::copy(bytes, more(last, bytes.size()).begin());
    keep_within_bounds(last, to);
  } else {
    write_gathered(last, to);
    to.write(bytes);
  }
}

std::span<std::byte> range_copier::more(waiting& last, std::size_t bytes) {
  const std::size_t before = last.gathered.size();
  last.gathered.resize(before + bytes);
  gathered_ += bytes;
  return std::span(last.gathered).subspan(before);
}

void range_copier::keep_within_bounds(waiting& last, output_set::output& to) {
  if (last.gathered.size() >= written_at_once) write_gathered(last, to);
  if (gathered_ >= gathered_at_most)
    for (auto& [output, each] : waiting_) write_gathered(each, *output);
}

void range_copier::write_gathered(waiting& last, output_set::output& to) {
  if (last.gathered.empty()) return;
  to.write(last.gathered);
  gathered_ -= last.gathered.size();
  last.gathered.clear();
  if (gathered_at_most / written_at_once < waiting_.size()) last.gathered.shrink_to_fit();
}

void range_copier::finish() {
  for (auto& [output, each] : waiting_) {
    settle(each, *output);
    write_gathered(each, *output);
  }
  waiting_.clear();  // or else finishing again and again would go over all the outputs there ever were
}

}  // namespace tgmap::cli
