// SPDX-License-Identifier: Apache-2.0
#include "write/output_queue.hpp"

#include <algorithm>

namespace tgmap::write {

namespace {

// Stays in the second-level cache from reading to writing.
constexpr std::uint64_t copy_block = std::uint64_t{512} << 10;

}  // namespace

/// Copies a range of an archive. Only memory that nobody changes is written in place.
failure output_queue::copy_range(const io::source& source, std::uint64_t offset, std::uint64_t size, sink& sink) {
  if (source.in_memory() && !source.may_change())
    return sink.write(std::span(source.mapped() + offset, static_cast<std::size_t>(size)));
  if (buffer_.size() < std::min(size, copy_block)) buffer_.resize(static_cast<std::size_t>(copy_block));
  for (std::uint64_t done = 0; done < size;) {
    const std::span<std::byte> block(buffer_.data(), static_cast<std::size_t>(std::min(copy_block, size - done)));
    if (failure why = source.read(offset + done, block)) return why;
    if (failure why = sink.write(std::span<const std::byte>(block))) return why;
    done += block.size();
  }
  return {};
}

/// Writes consecutive pieces in memory together. Failures are returned at once and not assigned to a variable: copying
/// a `failure` that was just written stalls the processor.
failure output_queue::write_pieces(sink& sink) {
  run_.clear();
  for (const piece& each : pieces_) {
    if (each.from == nullptr) {
      run_.push_back(each.bytes);
      continue;
    }
    if (!run_.empty())
      if (failure why = sink.write(run_)) return why;
    run_.clear();
    if (failure why = copy_range(*each.from, each.offset, each.size, sink)) return why;
  }
  return run_.empty() ? failure() : sink.write(run_);
}

failure output_queue::write_to(sink& sink) {
  failure why = write_pieces(sink);
  run_.clear();
  clear();
  return why;
}

}  // namespace tgmap::write
