// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <new>
#include <tgmap/mapping_guard.hpp>
#include <vector>

#include "constant/json/dense_reader.hpp"
#include "constant/model/cell.hpp"

// Reads a large nested array in pieces. Exactly one comma separates two numbers, whatever brackets do, so the number of
// commas before a piece is its first cell. Each piece is read strictly. If one does not have the expected form, the
// result is discarded, and the caller reads the array again sequentially.

namespace tgmap {
inline namespace v0 {
namespace constant::json {

namespace {

// In windows: 4 MiB, below which threads are not faster, and 1 MiB.
constexpr std::uint64_t min_windows = 16, piece_windows = 4;

std::uint64_t count_commas(const char* from, std::uint64_t bytes) noexcept {
  using lanes = unsigned char __attribute__((vector_size(16)));
  std::uint64_t out = 0, i = 0;
  while (i + 16 <= bytes) {
    lanes sum{};
    for (unsigned step = 0; step < 255 && i + 16 <= bytes; ++step, i += 16) {
      lanes here;
      std::memcpy(&here, from + i, sizeof here);
      sum -= static_cast<lanes>(here == ',');
    }
    for (unsigned lane = 0; lane < 16; ++lane) out += sum[lane];
  }
  for (; i < bytes; ++i) out += from[i] == ',';
  return out;
}

struct piece {
  std::uint64_t begin = 0, end = 0;   // offsets in the text
  std::uint64_t first = 0, last = 0;  // cells
  std::uint64_t commas = 0;
};

/// Returns the offset after the next comma, or 0 if the next `max` bytes have none.
std::uint64_t offset_after_comma(const text_view& text, std::uint64_t from, std::uint64_t max) noexcept {
  std::uint64_t out = 0;
  const auto search = [&]() noexcept {
    const void* at = std::memchr(text.data + from, ',', static_cast<std::size_t>(std::min(text.size - from, max)));
    if (at != nullptr) out = static_cast<std::uint64_t>(static_cast<const char*>(at) - text.data) + 1;
  };
  if (!text.is_mapped)
    search();
  else if (mapping_guard::run(search))
    out = 0;
  return out;
}

class parallel_reader {
 public:
  parallel_reader(parser& in, dtype type, const block_shape& shape, std::span<std::byte> cells)
      : text_(in.tokens.text()),
        rules_(in.rules()),
        window_(in.tokens.window_size()),
        type_(type),
        shape_(shape),
        cells_(cells) {
    std::uint64_t product = 1;
    for (std::size_t d = shape.rank; d-- > 0;) array_cells_[d] = product *= shape.sizes[d];
  }

  /// Returns the offset of the end of the values, or 0 if they must be read sequentially.
  std::uint64_t read(executor& threads, std::uint64_t begin) {
    const std::uint64_t each = piece_windows * window_, count = (text_.size - begin) / each;
    pieces_.push_back({.begin = begin});
    for (std::uint64_t i = 1; i < count; ++i) {
      const std::uint64_t at = offset_after_comma(text_, begin + i * each, each);
      if (at == 0 || at <= pieces_.back().begin) continue;
      pieces_.back().end = at;
      pieces_.push_back({.begin = at});
    }
    pieces_.back().end = text_.size;
    run<&parallel_reader::count_piece>(threads);
    std::uint64_t cell = 0;
    for (piece& one : pieces_) {
      if (cell >= array_cells_[0]) return 0;
      one.first = cell;
      cell += one.commas;
      one.last = cell;
    }
    pieces_.back().last = array_cells_[0];
    if (pieces_.back().first >= array_cells_[0]) return 0;
    run<&parallel_reader::read_piece>(threads);
    return failed_.load() ? 0 : end_;
  }

 private:
  template <void (parallel_reader::*work)(std::size_t) noexcept>
  void run(executor& threads) {
    threads.run(pieces_.size(),
                {[](void* self, std::size_t i) noexcept { (static_cast<parallel_reader*>(self)->*work)(i); }, this});
  }

  void count_piece(std::size_t i) noexcept {
    piece& piece = pieces_[i];
    const auto count = [&]() noexcept {
      piece.commas = count_commas(text_.data + piece.begin, piece.end - piece.begin);
    };
    if (!text_.is_mapped)
      count();
    else if (mapping_guard::run(count))
      failed_ = true;
  }

  void read_piece(std::size_t i) noexcept {
    if (failed_) return;
    const piece& piece = pieces_[i];
    try {
      // The last piece may end before the text does.
      const bool is_last = i + 1 == pieces_.size();
      token_source tokens({text_.data, is_last ? text_.size : piece.end, text_.is_mapped}, window_, piece.begin);
      const bool read = visit_cell_type(type_, [&]<class Cell>(Cell) {
        return read_cells(tokens, piece.first, piece.last, reinterpret_cast<Cell*>(cells_.data()));
      });
      if (!read || (!is_last && (!tokens.is_at_end() || tokens.end().why)))
        failed_ = true;
      else if (is_last)
        end_ = tokens.offset();
    } catch (const std::bad_alloc&) {
      failed_ = true;
    }
  }

  /// Returns the number of arrays that begin at a cell, which is also the number that end before it.
  std::size_t brackets_before(std::uint64_t cell) const noexcept {
    std::size_t out = 0;
    while (out < shape_.rank && cell % array_cells_[shape_.rank - 1 - out] == 0) ++out;
    return out;
  }

  bool skip_brackets(token_source& tokens, char bracket, std::size_t count) const {
    for (; count > 0; --count) {
      if (tokens.kind() != bracket) return false;
      tokens.next();
    }
    return true;
  }

  template <class Cell>
  bool read_cells(token_source& tokens, std::uint64_t n, std::uint64_t end, Cell* to) const {
    const std::uint64_t row = array_cells_[shape_.rank - 1];
    while (n < end) {
      if (n % row == 0 && !skip_brackets(tokens, '[', brackets_before(n))) return false;
      const std::uint64_t max = std::min(row - n % row, end - n);
      bool has_comma = true;
      std::uint64_t done = read_plain_numbers(tokens, to + n, max, rules_, has_comma);
      if (has_comma && done < max) {
        if (!read_other_cell(tokens, to[n + done])) return false;
        ++done;
        has_comma = tokens.kind() == ',';
        if (has_comma) tokens.next();
      }
      n += done;
      if (has_comma != (n % row != 0)) return false;
      if (has_comma) continue;
      if (!skip_brackets(tokens, ']', brackets_before(n))) return false;
      if (n == array_cells_[0]) return true;
      if (tokens.kind() != ',') return false;
      tokens.next();
    }
    return true;
  }

  /// Reads a value that `read_plain_numbers` does not.
  template <class Cell>
  bool read_other_cell(token_source& tokens, Cell& to) const {
    std::optional<double> value;
    if (tokens.kind() == '"')
      value = parse_number_in_string(tokens.raw_string());
    else if (tokens.kind() == 'n')
      value = tokens.scalar() == "null" ? std::optional(std::numeric_limits<double>::quiet_NaN()) : std::nullopt;
    else
      value = parse_number(tokens.scalar());
    if (!value || !store_cell(*value, to, rules_)) return false;
    tokens.next();
    return true;
  }

  text_view text_;
  cell_rules rules_;
  std::size_t window_;
  dtype type_;
  const block_shape& shape_;
  std::span<std::byte> cells_;
  std::array<std::uint64_t, max_rank> array_cells_{};  // number of cells of an array of each level
  std::vector<piece> pieces_{};
  std::atomic<bool> failed_{false};
  std::uint64_t end_ = 0;
};

}  // namespace

bool read_dense_parallel(parser& in, dtype type, const block_shape& shape, std::span<std::byte> cells) {
  const token_source& tokens = in.tokens;
  if (shape.rank == 0 || in.options.executor->concurrency() < 2 ||
      tokens.text().size - tokens.offset() < min_windows * tokens.window_size())
    return false;
  const std::uint64_t end = parallel_reader(in, type, shape, cells).read(*in.options.executor, tokens.offset());
  if (end == 0) return false;
  in.tokens.seek(end);
  return true;
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
