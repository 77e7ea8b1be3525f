// SPDX-License-Identifier: Apache-2.0
#include "constant/typed_binary.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <tgmap/constant/builder.hpp>
#include <tgmap/constant/read.hpp>
#include <tgmap/options.hpp>
#include <utility>

#include "constant/big_endian.hpp"
#include "constant/utf8.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

/// A label or a name as a message tells it: quoted, of printable ASCII, and not too long.
std::string quoted_bytes(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  constexpr std::size_t most = 40;
  std::string out = "\"";
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    if (byte >= 0x20 && byte < 0x7f)
      out += c;
    else
      ((out += "\\x") += digits[byte >> 4]) += digits[byte & 15];
  }
  return out += text.size() > most ? "\"..." : "\"";
}

std::string more_bytes(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " more byte" : " more bytes");
}

class typed_binary_reader {
 public:
  typed_binary_reader(std::span<const std::byte> from, const read_options& options, report& into) noexcept
      : from_(from), options_(options), into_(into), most_problems_(std::max<std::size_t>(options.most_problems, 1)) {}

  tensor_constant read() {
    type_ = read_type();
    if (stopped_ || !fits_declared()) return {};
    const std::uint64_t blocks = read_block_count();
    if (stopped_) return {};
    failure why;
    builder make(type_, most_bytes(), why);
    why.offset = at_;
    if (why) return end(why), tensor_constant();
    for (std::uint64_t i = 0; i < blocks && !stopped_; ++i) read_block(i, make);
    place_ = {};
    if (!stopped_ && left() != 0)
      tell({.code = errc::trailing_bytes, .offset = at_, .found = left()}, "the end", more_bytes(left()));
    if (into_ && stopped_ && left() != 0) into_.more = true;
    return into_ ? tensor_constant() : make.finish();
  }

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
    return options_.most_bytes != 0 ? options_.most_bytes
                                    : std::max<std::uint64_t>(std::uint64_t{1} << 30, from_.size() * 32);
  }

  /// Keeps a problem that leaves the rest readable, unless that was the last one that is wanted.
  void tell(const failure& why, std::string expected, std::string found) {
    into_.problems.push_back({.why = why, .path = path(), .expected = std::move(expected), .found = std::move(found)});
    stopped_ = stopped_ || into_.problems.size() >= most_problems_;
  }
  /// One behind which nothing can be read.
  void end(const failure& why, std::string expected = {}, std::string found = {}) {
    tell(why, std::move(expected), std::move(found));
    stopped_ = into_.more = true;
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

tensor_type typed_binary_reader::read_type() {
  const std::uint64_t tag = read_number();
  if (stopped_) return {};
  if ((tag & ~(tbf::has_mapped | tbf::has_indexed | tbf::has_cell_type)) != 0)
    return end({.code = errc::bad_tag, .found = tag}, "a tag of 0 to 7", std::to_string(tag)), tensor_type();
  dtype cells = dtype::float64;
  const std::size_t cells_at = at_;
  if ((tag & tbf::has_cell_type) != 0) {
    const std::uint64_t number = read_number();
    if (stopped_) return {};
    const auto known = tbf::cell_type_of(number);
    if (!known) {
      end({.code = errc::unknown_cell_type, .offset = cells_at, .expected = 3, .found = number},
          "a cell type of 0 to 3", std::to_string(number));
      return {};
    }
    cells = *known;
  }
  std::vector<dimension> all;
  if ((tag & tbf::has_mapped) != 0) read_dimensions(true, all);
  if (!stopped_ && (tag & tbf::has_indexed) != 0) read_dimensions(false, all);
  if (stopped_) return {};
  failure why;
  tensor_type out = tensor_type::make(cells, std::move(all), why);
  if (!why) {
    counted_ = out.mapped() != 0 || (tag & tbf::has_indexed) == 0;
    return out;
  }
  if (why.code == errc::scalar_cell_type) {
    why.offset = cells_at;
    end(why, "double cells without dimensions", std::string(cell_type_name(cells)));
  } else {
    why.offset = at_;
    end(why);
  }
  return {};
}

void typed_binary_reader::read_dimensions(bool mapped, std::vector<dimension>& all) {
  const std::size_t begin = at_;
  const std::uint64_t count = read_number();
  if (stopped_) return;
  constexpr std::uint64_t most = max_rank - 1;  // as of every type
  if (count > most - all.size())
    return end(
        {.code = tgmap::errc::too_many_dimensions, .offset = begin, .expected = most, .found = all.size() + count},
        "at most " + std::to_string(most) + " dimensions", std::to_string(all.size() + count));
  std::string_view last;
  for (std::uint64_t i = 0; i < count && !stopped_; ++i) {
    if (i > 0) last = all.back().name;
    read_dimension(mapped, last, all);
  }
}

void typed_binary_reader::read_dimension(bool mapped, std::string_view last, std::vector<dimension>& all) {
  const std::size_t begin = at_;
  const std::string_view name = read_text();
  if (stopped_) return;
  failure why;
  tensor_type::make(dtype::float64, {{.name = std::string(name)}}, why);
  if (why) return end({.code = why.code, .offset = begin}, "the name of a dimension", quoted_bytes(name));
  if (std::any_of(all.begin(), all.end(), [&](const dimension& one) { return one.name == name; }))
    return end({.code = errc::repeated_dimension, .offset = begin}, "another dimension",
               quoted_bytes(name) + " for the second time");
  // Labels and cells follow in this order. Upstream's readers do not agree on whose they are when it is another.
  if (name < last)
    return end({.code = errc::bad_dimension, .offset = begin}, "dimensions sorted by name",
               quoted_bytes(name) + " behind " + quoted_bytes(last));
  std::uint64_t size = 0;
  if (!mapped) {
    const std::size_t size_at = at_;
    size = read_number();
    if (stopped_) return;
    if (size == 0)
      return end({.code = errc::bad_size, .offset = size_at, .expected = tbf::most},
                 "a size of 1 to " + std::to_string(tbf::most), "0");
  }
  all.push_back({.name = std::string(name), .size = size});
}

bool typed_binary_reader::fits_declared() {
  if (!options_.type || *options_.type == type_) return true;
  end({.code = errc::type_mismatch}, options_.type->text(), type_.text());
  return false;
}

/// How many blocks follow: the bytes that they take at the least are there.
std::uint64_t typed_binary_reader::read_block_count() {
  place_ = {.what = type_.mapped() == 0 ? "cells" : "blocks"};
  const std::size_t begin = at_;
  const std::uint64_t blocks = counted_ ? read_number() : 1;
  const std::uint64_t least = type_.mapped() + type_.block_bytes();
  if (stopped_) return 0;
  if (blocks <= left() / least) {
    const std::uint64_t bytes = std::max<std::uint64_t>(blocks, type_.mapped() == 0 ? 1 : 0) * type_.block_bytes();
    if (type_.mapped() == 0 && blocks > 1)
      end({.code = errc::repeated_address, .offset = begin, .expected = 1, .found = blocks}, "one block",
          std::to_string(blocks) + " blocks");
    else if (bytes > most_bytes())
      end({.code = errc::too_large, .offset = at_, .expected = most_bytes(), .found = bytes},
          "at most " + std::to_string(most_bytes()) + " bytes of cells", std::to_string(bytes));
    return blocks;
  }
  const std::uint64_t all = blocks <= UINT64_MAX / least ? blocks * least : UINT64_MAX;
  const std::string_view at_least = type_.mapped() == 0 ? "" : "at least ";
  end({.code = errc::truncated, .offset = at_, .expected = all, .found = left()},
      std::string(at_least) + more_bytes(all), std::to_string(left()));
  return 0;
}

void typed_binary_reader::read_block(std::uint64_t number, builder& make) {
  const std::size_t begin = at_;
  std::array<std::string_view, max_rank> space{};
  const std::span<std::string_view> labels(space.data(), type_.mapped());
  const bool sound = read_labels(number, labels);
  place_ = {.what = "blocks", .block = number};
  if (stopped_ || ended_early(type_.block_bytes())) return;
  const std::byte* const cells = from_.data() + at_;
  at_ += static_cast<std::size_t>(type_.block_bytes());
  if (!sound) return;
  failure why;
  const builder::entry block = make.find_or_add(labels, why);
  if (why) {
    why.offset = begin;
    return end(why);
  }
  if (!block.added && !labels.empty()) {
    std::string found;
    for (const std::string_view one : labels) (found += found.empty() ? "" : ", ") += quoted_bytes(one);
    return tell({.code = errc::repeated_address, .offset = begin, .expected = block.block, .found = number},
                "other labels", std::move(found));
  }
  copy_big_endian(type_.cells(), make.cells(block.block).data(), cells, static_cast<std::size_t>(type_.block_cells()));
}

/// Whether they are labels. All have been read, unless the reader stopped.
bool typed_binary_reader::read_labels(std::uint64_t block, std::span<std::string_view> labels) {
  bool sound = true;
  std::size_t mapped = 0;
  for (const dimension& one : type_.dimensions()) {
    if (!one.mapped()) continue;
    place_ = {.what = "blocks", .block = block, .dimension = one.name};
    const std::size_t begin = at_;
    const std::string_view label = labels[mapped++] = read_text();
    if (stopped_) return false;
    if (label.empty() && !options_.empty_labels) {
      tell({.code = errc::empty_label, .offset = begin}, "a label", "an empty one");
      sound = false;
    } else if (!is_utf8(label)) {
      tell({.code = errc::bad_label, .offset = begin}, "UTF-8", quoted_bytes(label));
      sound = false;
    }
    if (stopped_) return false;
  }
  return sound;
}

}  // namespace

tensor_constant read_typed_binary(std::span<const std::byte> from, const read_options& options, report& into) noexcept {
  into = {};
  try {
    into.problems.reserve(1);
    return typed_binary_reader(from, options, into).read();
  } catch (const std::bad_alloc&) {
    into.problems.clear();
    into.problems.push_back({.why = {.code = tgmap::errc::out_of_memory}});  // there is room for one
    into.more = true;
    return {};
  }
}

tensor_constant read_typed_binary(std::span<const std::byte> from, const read_options& options) {
  report told;
  tensor_constant out = read_typed_binary(from, options, told);
  if (told) throw error(told.problems.front());
  return out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
