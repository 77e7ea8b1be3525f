// SPDX-License-Identifier: Apache-2.0
#include "cli/compare/same_in_files.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <tgmap/mapping_guard.hpp>
#include <vector>

namespace tgmap::cli {

namespace {

/// Bytes of an archive, and where they are mapped, if they are.
struct stretch {
  const archive& of;
  std::uint64_t offset, length;
  std::span<const std::byte> mapped;
};

stretch stretch_of(const archive& in, const message& m) {
  failure ignored;
  return {in, m.offset(), m.length(), in.mode() == io_mode::map ? m.bytes(ignored) : std::span<const std::byte>()};
}

stretch body_of(const archive& in, const frame& f) {
  failure ignored;
  return {in, f.body_offset(), f.body_size(),
          in.mode() == io_mode::map ? f.body(ignored) : std::span<const std::byte>()};
}

bool same_where_mapped(const stretch& a, const stretch& b) {
  bool same = false;
  const auto look = [&]() noexcept { same = std::memcmp(a.mapped.data(), b.mapped.data(), a.mapped.size()) == 0; };
  return !mapping_guard::run(look) && same;
}

bool same_where_read(const stretch& a, const stretch& b) {
  constexpr std::uint64_t block = std::uint64_t{1} << 18;
  std::vector<std::byte> left(static_cast<std::size_t>(std::min(a.length, block))), right(left.size());
  failure why;
  for (std::uint64_t done = 0; done < a.length; done += left.size()) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left.size(), a.length - done));
    a.of.read(a.offset + done, std::span(left).first(size), why);
    if (!why) b.of.read(b.offset + done, std::span(right).first(size), why);
    if (why || std::memcmp(left.data(), right.data(), size) != 0) return false;
  }
  return true;
}

bool same(const stretch& a, const stretch& b) {
  static const bool guarded = mapping_guard::is_installed();  // asks the system; the command sets no handler later
  if (a.length != b.length) return false;
  const bool mapped = guarded && a.mapped.size() == a.length && b.mapped.size() == b.length;
  return mapped ? same_where_mapped(a, b) : same_where_read(a, b);
}

}  // namespace

bool same_in_files(const archive& left_archive, const message& left, const archive& right_archive,
                   const message& right) {
  return same(stretch_of(left_archive, left), stretch_of(right_archive, right));
}

bool same_in_files(const archive& left_archive, const frame& left, const archive& right_archive, const frame& right) {
  return same(body_of(left_archive, left), body_of(right_archive, right));
}

}  // namespace tgmap::cli
