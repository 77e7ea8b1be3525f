// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <memory>
#include <new>
#include <tgmap/constant/convert.hpp>

#include "constant/big_endian.hpp"
#include "constant/constant_access.hpp"
#include "constant/grown_memory.hpp"
#include "constant/json/string.hpp"
#include "constant/raise_first.hpp"
#include "constant/read/typed_binary_reader.hpp"
#include "core/text/utf8.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

tensor_constant typed_binary_reader::read() {
  type_ = read_type();
  if (stopped_ || !fits_declared()) return {};
  const std::uint64_t blocks = read_block_count();
  if (stopped_) return {};
  tensor_constant out = type_.mapped_count() == 0 && blocks == 1 ? read_cells() : read_blocks(blocks);
  place_ = {};
  if (!stopped_ && left() != 0)
    tell({.code = errc::trailing_bytes, .offset = at_, .found = left()}, "the end", more_bytes(left()));
  if (into_ && stopped_ && left() != 0) into_.has_more = true;
  return into_ ? tensor_constant() : out;
}

tensor_constant typed_binary_reader::read_blocks(std::uint64_t count) {
  failure why;
  builder make(type_, most_bytes(), why);
  why.offset = at_;
  if (why) return end(why), tensor_constant();
  for (std::uint64_t i = 0; i < count && !stopped_; ++i) read_block(i, make);
  return make.finish();
}

/// All cells of a constant without labels, into memory that is not cleared first: a quarter less time than by a
/// builder.
tensor_constant typed_binary_reader::read_cells() {
  place_ = {.what = "blocks", .block = 0};
  if (ended_early(type_.block_bytes())) return {};
  const auto bytes = static_cast<std::size_t>(type_.block_bytes());
  const auto cells = std::make_shared<grown_memory>();
  if (!cells->unset(bytes)) return end({.code = tgmap::errc::out_of_memory, .offset = at_}), tensor_constant();
  copy_big_endian(type_.cell_type(), cells->data(), from_.data() + at_, static_cast<std::size_t>(type_.block_cells()));
  at_ += bytes;
  return constant_access::make({.type = type_, .blocks = 1, .cells = cells->bytes(), .owner = pin(cells)});
}

/// How many blocks follow: the bytes that they take at the least are there.
std::uint64_t typed_binary_reader::read_block_count() {
  place_ = {.what = type_.mapped_count() == 0 ? "cells" : "blocks"};
  const std::size_t begin = at_;
  const std::uint64_t blocks = counted_ ? read_number() : 1;
  const std::uint64_t least = type_.mapped_count() + type_.block_bytes();
  if (stopped_) return 0;
  if (blocks <= left() / least) {
    const std::uint64_t bytes =
        std::max<std::uint64_t>(blocks, type_.mapped_count() == 0 ? 1 : 0) * type_.block_bytes();
    if (type_.mapped_count() == 0 && blocks > 1)
      end({.code = errc::repeated_address, .offset = begin, .expected = 1, .found = blocks}, "one block",
          std::to_string(blocks) + " blocks");
    else if (bytes > most_bytes())
      end({.code = errc::too_large, .offset = at_, .expected = most_bytes(), .found = bytes},
          "at most " + std::to_string(most_bytes()) + " bytes of cells", std::to_string(bytes));
    return blocks;
  }
  const std::uint64_t all = blocks <= UINT64_MAX / least ? blocks * least : UINT64_MAX;
  const std::string_view at_least = type_.mapped_count() == 0 ? "" : "at least ";
  end({.code = errc::truncated, .offset = at_, .expected = all, .found = left()},
      std::string(at_least) + more_bytes(all), std::to_string(left()));
  return 0;
}

void typed_binary_reader::read_block(std::uint64_t number, builder& make) {
  const std::size_t begin = at_;
  std::array<std::string_view, max_rank> space{};
  const std::span<std::string_view> labels(space.data(), type_.mapped_count());
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
  if (!block.was_added && !labels.empty()) {
    std::string found;
    for (const std::string_view one : labels) (found += found.empty() ? "" : ", ") += json::shown_quoted(one);
    return tell({.code = errc::repeated_address, .offset = begin, .expected = block.block, .found = number},
                "other labels", std::move(found));
  }
  copy_big_endian(type_.cell_type(), make.cells(block.block).data(), cells,
                  static_cast<std::size_t>(type_.block_cells()));
}

/// Whether they are labels. All have been read, unless the reader stopped.
bool typed_binary_reader::read_labels(std::uint64_t block, std::span<std::string_view> labels) {
  bool sound = true;
  std::size_t mapped = 0;
  for (const dimension& one : type_.dimensions()) {
    if (!one.is_mapped()) continue;
    place_ = {.what = "blocks", .block = block, .dimension = one.name};
    const std::size_t begin = at_;
    const std::string_view label = labels[mapped++] = read_text();
    if (stopped_) return false;
    if (label.empty() && !options_.allow_empty_labels) {
      tell({.code = errc::empty_label, .offset = begin}, "a label", "an empty one");
      sound = false;
    } else if (!core::is_utf8(label)) {
      tell({.code = errc::bad_label, .offset = begin}, "UTF-8", json::shown_quoted(label));
      sound = false;
    }
    if (stopped_) return false;
  }
  return sound;
}

namespace {

std::string cell_path(std::uint64_t number) { return "cells[" + std::to_string(number) + ']'; }

}  // namespace

tensor_constant read_typed_binary(std::span<const std::byte> from, const read_options& options, report& into) noexcept {
  try {
    into = {};
    into.problems.reserve(1);
  } catch (const std::bad_alloc&) {
    into.out_of_memory = true;
    return {};
  }
  try {
    tensor_constant read = typed_binary_reader(from, options, into).read();
    if (into || !options.cell_type) return read;
    failure why;
    tensor_constant out = convert(read, *options.cell_type, options, why);
    if (why)
      into.problems.push_back({.cause = why, .path = why.code == errc::out_of_cell_range ? cell_path(why.found) : ""});
    return out;
  } catch (const std::bad_alloc&) {
    into.problems.clear();  // keeps room for one
    into.problems.push_back({.cause = {.code = tgmap::errc::out_of_memory}});
    into.has_more = true;
    return {};
  }
}

tensor_constant read_typed_binary(std::span<const std::byte> from, const read_options& options) {
  report told;
  tensor_constant out = read_typed_binary(from, options, told);
  raise_first(told);
  return out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
