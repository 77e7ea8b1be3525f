// SPDX-License-Identifier: Apache-2.0
#include "cli/archives.hpp"

#include <unistd.h>

namespace tgmap::cli {

namespace {

constexpr std::uint64_t slice = std::uint64_t{1} << 30;  // well below a second on any disk

}  // namespace

archive open_archive(const target& from, const session& run, object_lookup lookup) {
  const open_options options{.io = run.io, .damage = on_damage::skip, .lookup = lookup};
  return from.file == "-" ? archive::from_descriptor(STDIN_FILENO, options) : archive(from.file, options);
}

void scan_all(const archive& from) {
  while (!from.scan(slice).complete) {
  }
}

message find_message(const archive& from, const target& wanted) {
  if (wanted.offset) return from.at_offset(*wanted.offset);
  const std::int64_t number = wanted.message.value();
  if (number >= 0) return from[static_cast<std::size_t>(number)];
  return from.from_end(static_cast<std::size_t>(-(number + 1)));
}

object find_object(const message& in, std::int64_t number) {
  if (number >= 0) return in[static_cast<std::size_t>(number)];
  return in[in.size() + static_cast<std::size_t>(number)];  // before the first: wraps around, out of range
}

bool damage_known(const archive& in) { return in.known().gaps != 0 || in.tail(); }

failure concerning(const message& which, failure why) noexcept {
  if (why.message < 0)
    if (const auto index = which.index()) why.message = static_cast<std::int64_t>(*index);
  if (why.offset == 0) why.offset = which.offset();
  return why;
}

}  // namespace tgmap::cli
