// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <string>
#include <tgmap/constant/builder.hpp>
#include <tgmap/constant/convert.hpp>
#include <tgmap/constant/read.hpp>
#include <tgmap/options.hpp>
#include <utility>
#include <vector>

#include "constant/binary/typed_binary_format.hpp"
#include "constant/json/json_string.hpp"
#include "constant/model/big_endian.hpp"
#include "constant/model/byte_buffer.hpp"
#include "constant/model/constant_access.hpp"
#include "constant/model/report.hpp"
#include "core/text/utf8.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

/// Returns a text such as "1 more byte".
std::string more_bytes(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " more byte" : " more bytes");
}

std::string cell_path(std::uint64_t number) { return "cells[" + std::to_string(number) + ']'; }

/// A `typed_binary_reader` reads from left to right. Throws std::bad_alloc; other errors are in the report.
class typed_binary_reader {
 public:
  typed_binary_reader(std::span<const std::byte> from, const read_options& options, report& into) noexcept
      : from_(from), options_(options), into_(into), max_problems_(std::max<std::size_t>(options.max_problems, 1)) {}

  tensor_constant read();

 private:
  /// The place of the reader. It becomes text only for a problem.
  struct place {
    std::string_view section{};
    std::optional<std::uint64_t> block{};
    std::string_view dimension{};
  };
  std::string path() const {
    std::string out(place_.section);
    if (place_.block) ((out += '[') += std::to_string(*place_.block)) += ']';
    if (!place_.dimension.empty()) (out += '.') += place_.dimension;
    return out;
  }

  std::uint64_t left() const noexcept { return from_.size() - at_; }
  std::uint64_t max_bytes() const noexcept {
    return options_.max_bytes != 0 ? options_.max_bytes
                                   : std::max<std::uint64_t>(std::uint64_t{1} << 30, from_.size() * 32);
  }

  /// Reports a problem that leaves the rest readable. Stops if no more problems are wanted.
  void report_problem(const failure& why, std::string expected, std::string found) {
    into_.problems.push_back(
        {.cause = why, .path = path(), .expected = std::move(expected), .found = std::move(found)});
    is_stopped_ = is_stopped_ || into_.problems.size() >= max_problems_;
  }
  /// Reports a problem after which nothing can be read.
  void report_last(const failure& why, std::string expected = {}, std::string found = {}) {
    report_problem(why, std::move(expected), std::move(found));
    is_stopped_ = into_.has_more = true;
  }
  bool is_truncated(std::uint64_t needed) {
    if (needed <= left()) return false;
    report_last({.code = errc::truncated, .offset = at_, .expected = needed, .found = left()}, more_bytes(needed),
                std::to_string(left()));
    return true;
  }

  std::uint64_t read_number() {
    if (is_truncated(1)) return 0;
    const auto first = std::to_integer<std::uint64_t>(from_[at_]);
    if (first < tbf::four_bytes) return ++at_, first;
    if (is_truncated(4)) return 0;
    std::uint64_t out = first & ~tbf::four_bytes;
    for (std::size_t i = 1; i < 4; ++i) out = out << 8 | std::to_integer<std::uint64_t>(from_[at_ + i]);
    at_ += 4;
    return out;
  }
  std::string_view read_text() {
    const std::uint64_t length = read_number();
    if (is_stopped_ || is_truncated(length)) return {};
    const auto* begin = reinterpret_cast<const char*>(from_.data()) + at_;
    at_ += static_cast<std::size_t>(length);
    return {begin, static_cast<std::size_t>(length)};
  }

  tensor_type read_type();
  void read_dimensions(bool mapped, std::vector<dimension>& all);
  void read_dimension(bool mapped, std::string_view last, std::vector<dimension>& all);
  bool matches_declared_type();
  std::uint64_t read_block_count();
  tensor_constant read_blocks(std::uint64_t count);
  tensor_constant read_cells();
  void read_block(std::uint64_t number, builder&);
  bool read_labels(std::uint64_t block, std::span<std::string_view> labels);

  std::span<const std::byte> from_;
  const read_options& options_;
  report& into_;
  std::size_t max_problems_, at_ = 0;
  tensor_type type_{};
  place place_{.section = "type"};
  bool has_block_count_ = false;
  bool is_stopped_ = false;
};

tensor_type typed_binary_reader::read_type() {
  const std::uint64_t tag = read_number();
  if (is_stopped_) return {};
  if ((tag & ~(tbf::has_mapped | tbf::has_indexed | tbf::has_cell_type)) != 0)
    return report_last({.code = errc::bad_tag, .found = tag}, "a tag from 0 to 7", std::to_string(tag)), tensor_type();
  dtype cells = dtype::float64;
  const std::size_t cells_at = at_;
  if ((tag & tbf::has_cell_type) != 0) {
    const std::uint64_t number = read_number();
    if (is_stopped_) return {};
    const auto known = tbf::cell_type_of(number);
    if (!known) {
      report_last({.code = errc::unknown_cell_type, .offset = cells_at, .expected = 3, .found = number},
                  "a cell type from 0 to 3", std::to_string(number));
      return {};
    }
    cells = *known;
  }
  std::vector<dimension> all;
  if ((tag & tbf::has_mapped) != 0) read_dimensions(true, all);
  if (!is_stopped_ && (tag & tbf::has_indexed) != 0) read_dimensions(false, all);
  if (is_stopped_) return {};
  failure why;
  tensor_type out = tensor_type::make(cells, std::move(all), why);
  if (!why) {
    has_block_count_ = out.mapped_count() != 0 || (tag & tbf::has_indexed) == 0;
    return out;
  }
  if (why.code == errc::scalar_cell_type) {
    why.offset = cells_at;
    report_last(why, "double cells if there are no dimensions", std::string(cell_type_name(cells)));
  } else {
    why.offset = at_;
    report_last(why);
  }
  return {};
}

void typed_binary_reader::read_dimensions(bool mapped, std::vector<dimension>& all) {
  const std::size_t begin = at_;
  const std::uint64_t count = read_number();
  if (is_stopped_) return;
  constexpr std::uint64_t max_count = max_rank - 1;  // as for every type
  if (count > max_count - all.size())
    return report_last(
        {.code = tgmap::errc::too_many_dimensions, .offset = begin, .expected = max_count, .found = all.size() + count},
        "at most " + std::to_string(max_count) + " dimensions", std::to_string(all.size() + count));
  std::string_view last;
  for (std::uint64_t i = 0; i < count && !is_stopped_; ++i) {
    if (i > 0) last = all.back().name;
    read_dimension(mapped, last, all);
  }
}

void typed_binary_reader::read_dimension(bool mapped, std::string_view last, std::vector<dimension>& all) {
  const std::size_t begin = at_;
  const std::string_view name = read_text();
  if (is_stopped_) return;
  failure why;
  tensor_type::make(dtype::float64, {{.name = std::string(name)}}, why);
  if (why)
    return report_last({.code = why.code, .offset = begin}, "the name of a dimension", json::printable_quoted(name));
  if (std::any_of(all.begin(), all.end(), [&](const dimension& dimension) { return dimension.name == name; }))
    return report_last({.code = errc::repeated_dimension, .offset = begin}, "another dimension",
                       "a second " + json::printable_quoted(name));
  // Labels and cells follow in this order. For another order, Vespa's readers disagree on what belongs together.
  if (name < last)
    return report_last({.code = errc::bad_dimension, .offset = begin}, "dimensions sorted by name",
                       json::printable_quoted(name) + " after " + json::printable_quoted(last));
  std::uint64_t size = 0;
  if (!mapped) {
    const std::size_t size_at = at_;
    size = read_number();
    if (is_stopped_) return;
    if (size == 0)
      return report_last({.code = errc::bad_size, .offset = size_at, .expected = tbf::max_number},
                         "a size from 1 to " + std::to_string(tbf::max_number), "0");
  }
  all.push_back({.name = std::string(name), .size = size});
}

bool typed_binary_reader::matches_declared_type() {
  if (!options_.type || *options_.type == type_) return true;
  report_last({.code = errc::type_mismatch}, options_.type->text(), type_.text());
  return false;
}

tensor_constant typed_binary_reader::read() {
  type_ = read_type();
  if (is_stopped_ || !matches_declared_type()) return {};
  const std::uint64_t blocks = read_block_count();
  if (is_stopped_) return {};
  tensor_constant out = type_.mapped_count() == 0 && blocks == 1 ? read_cells() : read_blocks(blocks);
  place_ = {};
  if (!is_stopped_ && left() != 0)
    report_problem({.code = errc::trailing_bytes, .offset = at_, .found = left()}, "the end", more_bytes(left()));
  if (into_ && is_stopped_ && left() != 0) into_.has_more = true;
  return into_ ? tensor_constant() : out;
}

tensor_constant typed_binary_reader::read_blocks(std::uint64_t count) {
  failure why;
  builder make(type_, max_bytes(), why);
  why.offset = at_;
  if (why) return report_last(why), tensor_constant();
  for (std::uint64_t i = 0; i < count && !is_stopped_; ++i) read_block(i, make);
  return make.finish();
}

/// Reads the cells of a constant without labels into memory that is not cleared first. Takes a quarter less time than a
/// builder.
tensor_constant typed_binary_reader::read_cells() {
  place_ = {.section = "blocks", .block = 0};
  if (is_truncated(type_.block_bytes())) return {};
  const auto bytes = static_cast<std::size_t>(type_.block_bytes());
  const auto cells = std::make_shared<byte_buffer>();
  if (!cells->allocate(bytes))
    return report_last({.code = tgmap::errc::out_of_memory, .offset = at_}), tensor_constant();
  copy_big_endian(type_.cell_type(), cells->data(), from_.data() + at_, static_cast<std::size_t>(type_.block_cells()));
  at_ += bytes;
  return constant_access::make({.type = type_, .blocks = 1, .cells = cells->bytes(), .owner = pin(cells)});
}

/// Returns the number of blocks. The data is long enough for their smallest form.
std::uint64_t typed_binary_reader::read_block_count() {
  place_ = {.section = type_.mapped_count() == 0 ? "cells" : "blocks"};
  const std::size_t begin = at_;
  const std::uint64_t blocks = has_block_count_ ? read_number() : 1;
  const std::uint64_t min_block_bytes = type_.mapped_count() + type_.block_bytes();
  if (is_stopped_) return 0;
  if (blocks <= left() / min_block_bytes) {
    const std::uint64_t bytes =
        std::max<std::uint64_t>(blocks, type_.mapped_count() == 0 ? 1 : 0) * type_.block_bytes();
    if (type_.mapped_count() == 0 && blocks > 1)
      report_last({.code = errc::repeated_address, .offset = begin, .expected = 1, .found = blocks}, "one block",
                  std::to_string(blocks) + " blocks");
    else if (bytes > max_bytes())
      report_last({.code = errc::too_large, .offset = at_, .expected = max_bytes(), .found = bytes},
                  "at most " + std::to_string(max_bytes()) + " bytes of cells", std::to_string(bytes));
    return blocks;
  }
  const std::uint64_t all = blocks <= UINT64_MAX / min_block_bytes ? blocks * min_block_bytes : UINT64_MAX;
  const std::string_view at_least = type_.mapped_count() == 0 ? "" : "at least ";
  report_last({.code = errc::truncated, .offset = at_, .expected = all, .found = left()},
              std::string(at_least) + more_bytes(all), std::to_string(left()));
  return 0;
}

void typed_binary_reader::read_block(std::uint64_t number, builder& make) {
  const std::size_t begin = at_;
  std::array<std::string_view, max_rank> storage{};
  const std::span<std::string_view> labels(storage.data(), type_.mapped_count());
  const bool is_valid = read_labels(number, labels);
  place_ = {.section = "blocks", .block = number};
  if (is_stopped_ || is_truncated(type_.block_bytes())) return;
  const std::byte* const cells = from_.data() + at_;
  at_ += static_cast<std::size_t>(type_.block_bytes());
  if (!is_valid) return;
  failure why;
  const builder::entry block = make.find_or_add(labels, why);
  if (why) {
    why.offset = begin;
    return report_last(why);
  }
  if (!block.was_added && !labels.empty()) {
    std::string found;
    for (const std::string_view one : labels) (found += found.empty() ? "" : ", ") += json::printable_quoted(one);
    return report_problem({.code = errc::repeated_address, .offset = begin, .expected = block.block, .found = number},
                          "other labels", std::move(found));
  }
  copy_big_endian(type_.cell_type(), make.cells(block.block).data(), cells,
                  static_cast<std::size_t>(type_.block_cells()));
}

/// Reads the labels of a block. Returns false if one is invalid.
bool typed_binary_reader::read_labels(std::uint64_t block, std::span<std::string_view> labels) {
  bool is_valid = true;
  std::size_t mapped = 0;
  for (const dimension& one : type_.dimensions()) {
    if (!one.is_mapped()) continue;
    place_ = {.section = "blocks", .block = block, .dimension = one.name};
    const std::size_t begin = at_;
    const std::string_view label = labels[mapped++] = read_text();
    if (is_stopped_) return false;
    if (label.empty() && !options_.allow_empty_labels) {
      report_problem({.code = errc::empty_label, .offset = begin}, "a label", "an empty label");
      is_valid = false;
    } else if (!core::is_utf8(label)) {
      report_problem({.code = errc::bad_label, .offset = begin}, "UTF-8", json::printable_quoted(label));
      is_valid = false;
    }
    if (is_stopped_) return false;
  }
  return is_valid;
}

}  // namespace

tensor_constant read_typed_binary(std::span<const std::byte> from, const read_options& options, report& into) noexcept {
  return read_noexcept(into, [&] {
    tensor_constant read = typed_binary_reader(from, options, into).read();
    if (into || !options.cell_type) return read;
    failure why;
    tensor_constant out = convert(read, *options.cell_type, options, why);
    if (why)
      into.problems.push_back({.cause = why, .path = why.code == errc::out_of_cell_range ? cell_path(why.found) : ""});
    return out;
  });
}

tensor_constant read_typed_binary(std::span<const std::byte> from, const read_options& options) {
  report all;
  tensor_constant out = read_typed_binary(from, options, all);
  throw_first(all);
  return out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
