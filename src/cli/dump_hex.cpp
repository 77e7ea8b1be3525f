// SPDX-License-Identifier: Apache-2.0
#include "cli/dump_hex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string>

#include "cli/complaint.hpp"

namespace tgmap::cli {

namespace {

constexpr std::size_t row = 16;

std::uint64_t bound(std::string_view text, std::uint64_t without, std::string_view whole) {
  if (text.empty()) return without;
  std::uint64_t out = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (problem != std::errc{} || end != text.data() + text.size())
    throw usage_error("'" + std::string(whole) + "' is no part such as 0..64, ..64 or 16..");
  return out;
}

std::string line_of(std::span<const std::byte> bytes, std::uint64_t at) {
  std::string numbers, text;
  for (std::size_t i = 0; i < row; ++i) {
    if (i == row / 2) numbers += ' ';
    if (i >= bytes.size()) {
      numbers += "   ";
      continue;
    }
    const auto byte = std::to_integer<unsigned>(bytes[i]);
    numbers += fmt::format(" {:02x}", byte);
    text += byte >= 0x20 && byte < 0x7f ? static_cast<char>(byte) : '.';
  }
  return fmt::format("{:08x} {}  |{}|\n", at, numbers, text);
}

}  // namespace

part parse_part(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == text.npos) bound("?", 0, text);
  const part out{bound(text.substr(0, dots), 0, text), bound(text.substr(dots + 2), UINT64_MAX, text)};
  if (out.begin > out.end) throw usage_error("'" + std::string(text) + "' ends before it begins");
  return out;
}

void dump_hex(const archive& of, std::uint64_t at, std::uint64_t size, part which, output& out) {
  const std::uint64_t end = std::min(which.end, size);
  std::array<std::byte, 256 * row> copy;
  for (std::uint64_t from = which.begin; from < end; from += copy.size()) {
    const auto piece =
        std::span(copy).first(static_cast<std::size_t>(std::min<std::uint64_t>(copy.size(), end - from)));
    of.read(at + from, piece);
    for (std::size_t i = 0; i < piece.size(); i += row)
      out.write(line_of(piece.subspan(i, std::min(row, piece.size() - i)), at + from + i));
  }
}

}  // namespace tgmap::cli
