// SPDX-License-Identifier: Apache-2.0
#include "write/output.hpp"

#include <algorithm>

namespace tgmap::write {

namespace {

// Stays in the second level cache between being read and being written.
constexpr std::uint64_t copied_at_once = std::uint64_t{512} << 10;

}  // namespace

/// Copies a range of an archive, by positioned reads where it is a file: another program may shorten it meanwhile.
failure output::copy(const io::source& from, std::uint64_t at, std::uint64_t size, sink& to) {
  if (!from.in_file() && from.mapped() != nullptr)
    return to.write(std::span(from.mapped() + at, static_cast<std::size_t>(size)));
  if (buffer_.size() < std::min(size, copied_at_once)) buffer_.resize(static_cast<std::size_t>(copied_at_once));
  for (std::uint64_t done = 0; done < size;) {
    const std::span<std::byte> now(buffer_.data(), static_cast<std::size_t>(std::min(copied_at_once, size - done)));
    if (failure why = from.read(at + done, now)) return why;
    if (failure why = to.write(std::span<const std::byte>(now))) return why;
    done += now.size();
  }
  return {};
}

/// What lies in memory goes out together. Nothing is assigned where all goes well: to copy a `failure` that was just
/// made stalls the processor.
failure output::put_pieces(sink& to) {
  run_.clear();
  for (const piece& each : pieces_) {
    if (each.from == nullptr) {
      run_.push_back(each.bytes);
      continue;
    }
    if (!run_.empty())
      if (failure why = to.write(run_)) return why;
    run_.clear();
    if (failure why = copy(*each.from, each.at, each.size, to)) return why;
  }
  return run_.empty() ? failure() : to.write(run_);
}

failure output::put(sink& to) {
  failure why = put_pieces(to);
  run_.clear();
  clear();
  return why;
}

}  // namespace tgmap::write
