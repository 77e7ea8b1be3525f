// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <tgmap/constant/builder.hpp>
#include <tgmap/constant/read.hpp>
#include <tgmap/options.hpp>
#include <utility>
#include <vector>

#include "constant/typed_binary.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

/// "1 more byte"
std::string more_bytes(std::uint64_t);

/// Reads typed binary from left to right. Throws std::bad_alloc; all else is told by the report.
class typed_binary_reader {
 public:
  typed_binary_reader(std::span<const std::byte> from, const read_options& options, report& into) noexcept
      : from_(from), options_(options), into_(into), most_problems_(std::max<std::size_t>(options.max_problems, 1)) {}

  tensor_constant read();

 private:
  /// Where the reader is. Texts are made of it when there is something to tell.
  struct place {
    std::string_view what{};
    std::optional<std::uint64_t> block{};
    std::string_view dimension{};
  };
  std::string path() const {
    std::string out(place_.what);
    if (place_.block) ((out += '[') += std::to_string(*place_.block)) += ']';
    if (!place_.dimension.empty()) (out += '.') += place_.dimension;
    return out;
  }

  std::uint64_t left() const noexcept { return from_.size() - at_; }
  std::uint64_t most_bytes() const noexcept {
    return options_.max_bytes != 0 ? options_.max_bytes
                                   : std::max<std::uint64_t>(std::uint64_t{1} << 30, from_.size() * 32);
  }

  /// Keeps a problem that leaves the rest readable, unless that was the last one that is wanted.
  void tell(const failure& why, std::string expected, std::string found) {
    into_.problems.push_back(
        {.cause = why, .path = path(), .expected = std::move(expected), .found = std::move(found)});
    stopped_ = stopped_ || into_.problems.size() >= most_problems_;
  }
  /// One behind which nothing can be read.
  void end(const failure& why, std::string expected = {}, std::string found = {}) {
    tell(why, std::move(expected), std::move(found));
    stopped_ = into_.has_more = true;
  }
  bool ended_early(std::uint64_t needed) {
    if (needed <= left()) return false;
    end({.code = errc::truncated, .offset = at_, .expected = needed, .found = left()}, more_bytes(needed),
        std::to_string(left()));
    return true;
  }

  std::uint64_t read_number() {
    if (ended_early(1)) return 0;
    const auto first = std::to_integer<std::uint64_t>(from_[at_]);
    if (first < tbf::four_bytes) return ++at_, first;
    if (ended_early(4)) return 0;
    std::uint64_t out = first & ~tbf::four_bytes;
    for (std::size_t i = 1; i < 4; ++i) out = out << 8 | std::to_integer<std::uint64_t>(from_[at_ + i]);
    at_ += 4;
    return out;
  }
  std::string_view read_text() {
    const std::uint64_t length = read_number();
    if (stopped_ || ended_early(length)) return {};
    const auto* begin = reinterpret_cast<const char*>(from_.data()) + at_;
    at_ += static_cast<std::size_t>(length);
    return {begin, static_cast<std::size_t>(length)};
  }

  tensor_type read_type();
  void read_dimensions(bool mapped, std::vector<dimension>& all);
  void read_dimension(bool mapped, std::string_view last, std::vector<dimension>& all);
  bool fits_declared();
  std::uint64_t read_block_count();
  tensor_constant read_blocks(std::uint64_t count);
  tensor_constant read_cells();
  void read_block(std::uint64_t number, builder&);
  bool read_labels(std::uint64_t block, std::span<std::string_view> labels);

  std::span<const std::byte> from_;
  const read_options& options_;
  report& into_;
  std::size_t most_problems_, at_ = 0;
  tensor_type type_{};
  place place_{.what = "type"};
  bool counted_ = false;  ///< a number of blocks is in front of them
  bool stopped_ = false;
};

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
