// SPDX-License-Identifier: Apache-2.0
// Large dense values in pieces. Between two numbers that follow each other is exactly one comma, whatever brackets are
// there too: so commas, counted, tell the cell that a piece begins with. Every piece is read strictly; when all of them
// are what they were taken for, so is the whole. Else nothing is told here, and all is read again, one by one.
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <new>
#include <tgmap/mapping_guard.hpp>
#include <vector>

#include "constant/json/each_cell_type.hpp"
#include "constant/json/nested.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

namespace {

// In windows of the text: 4 MiB, below which threads do not pay, and 1 MiB.
constexpr std::uint64_t least_windows = 16, piece_windows = 4;

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
  std::uint64_t begin = 0, end = 0;   // in the text
  std::uint64_t first = 0, last = 0;  // cells
  std::uint64_t commas = 0;
};

/// Where the piece about there begins: behind a comma. 0: there is none.
std::uint64_t behind_comma(const text_view& text, std::uint64_t from, std::uint64_t most) noexcept {
  std::uint64_t out = 0;
  const auto look = [&]() noexcept {
    const void* at = std::memchr(text.data + from, ',', static_cast<std::size_t>(std::min(text.size - from, most)));
    if (at != nullptr) out = static_cast<std::uint64_t>(static_cast<const char*>(at) - text.data) + 1;
  };
  if (!text.mapped)
    look();
  else if (mapping_guard::run(look))
    out = 0;
  return out;
}

class pieces_reader {
 public:
  pieces_reader(parser& in, dtype type, const block_shape& shape, std::span<std::byte> cells)
      : text_(in.at.text()),
        rules_(in.rules()),
        window_(in.at.window_size()),
        type_(type),
        shape_(shape),
        cells_(cells) {
    std::uint64_t product = 1;
    for (std::size_t d = shape.rank; d-- > 0;) within_[d] = product *= shape.sizes[d];
  }

  /// Where the values end; 0: they have to be read one by one.
  std::uint64_t read(executor& threads, std::uint64_t begin) {
    const std::uint64_t each = piece_windows * window_, count = (text_.size - begin) / each;
    all_.push_back({.begin = begin});
    for (std::uint64_t i = 1; i < count; ++i) {
      const std::uint64_t at = behind_comma(text_, begin + i * each, each);
      if (at == 0 || at <= all_.back().begin) continue;
      all_.back().end = at;
      all_.push_back({.begin = at});
    }
    all_.back().end = text_.size;
    run<&pieces_reader::count_piece>(threads);
    std::uint64_t cell = 0;
    for (piece& one : all_) {
      if (cell >= within_[0]) return 0;
      one.first = cell;
      cell += one.commas;
      one.last = cell;
    }
    all_.back().last = within_[0];
    if (all_.back().first >= within_[0]) return 0;
    run<&pieces_reader::read_piece>(threads);
    return failed_.load() ? 0 : end_;
  }

 private:
  template <void (pieces_reader::*work)(std::size_t) noexcept>
  void run(executor& threads) {
    threads.run(all_.size(),
                {[](void* self, std::size_t i) noexcept { (static_cast<pieces_reader*>(self)->*work)(i); }, this});
  }

  void count_piece(std::size_t i) noexcept {
    piece& one = all_[i];
    const auto count = [&]() noexcept { one.commas = count_commas(text_.data + one.begin, one.end - one.begin); };
    if (!text_.mapped)
      count();
    else if (mapping_guard::run(count))
      failed_ = true;
  }

  void read_piece(std::size_t i) noexcept {
    if (failed_) return;
    const piece& one = all_[i];
    try {
      // The last one is to end somewhere before the text does.
      const bool last = i + 1 == all_.size();
      token_source at({text_.data, last ? text_.size : one.end, text_.mapped}, window_, one.begin);
      const bool read = for_cell_type(type_, [&]<class Cell>(Cell) {
        return cells_of(at, one.first, one.last, reinterpret_cast<Cell*>(cells_.data()));
      });
      if (!read || (!last && (!at.stopped() || at.stop().why)))
        failed_ = true;
      else if (last)
        end_ = at.offset();
    } catch (const std::bad_alloc&) {
      failed_ = true;
    }
  }

  /// How many arrays begin or end between two cells, the second of which is this.
  std::size_t brackets(std::uint64_t cell) const noexcept {
    std::size_t out = 0;
    while (out < shape_.rank && cell % within_[shape_.rank - 1 - out] == 0) ++out;
    return out;
  }

  bool skip_all(token_source& at, char bracket, std::size_t count) const {
    for (; count > 0; --count) {
      if (at.kind() != bracket) return false;
      at.next();
    }
    return true;
  }

  template <class Cell>
  bool cells_of(token_source& at, std::uint64_t n, std::uint64_t end, Cell* to) const {
    const std::uint64_t row = within_[shape_.rank - 1];
    while (n < end) {
      if (n % row == 0 && !skip_all(at, '[', brackets(n))) return false;
      const std::uint64_t most = std::min(row - n % row, end - n);
      bool more = true;
      std::uint64_t done = plain_row(at, to + n, most, rules_, more);
      if (more && done < most) {
        if (!odd_cell(at, to[n + done])) return false;
        ++done;
        more = at.kind() == ',';
        if (more) at.next();
      }
      n += done;
      if (more != (n % row != 0)) return false;
      if (more) continue;
      if (!skip_all(at, ']', brackets(n))) return false;
      if (n == within_[0]) return true;
      if (at.kind() != ',') return false;
      at.next();
    }
    return true;
  }

  /// A value that is no plain number.
  template <class Cell>
  bool odd_cell(token_source& at, Cell& to) const {
    std::optional<double> value;
    if (at.kind() == '"')
      value = number_in_string(at.raw_string());
    else if (at.kind() == 'n')
      value = at.scalar() == "null" ? std::optional(std::numeric_limits<double>::quiet_NaN()) : std::nullopt;
    else
      value = any_number(at.scalar());
    if (!value || !put_cell(*value, to, rules_)) return false;
    at.next();
    return true;
  }

  text_view text_;
  cell_rules rules_;
  std::size_t window_;
  dtype type_;
  const block_shape& shape_;
  std::span<std::byte> cells_;
  std::array<std::uint64_t, max_rank> within_{};  // cells of one array of each level
  std::vector<piece> all_{};
  std::atomic<bool> failed_{false};
  std::uint64_t end_ = 0;
};

}  // namespace

bool read_on_threads(parser& in, dtype type, const block_shape& shape, std::span<std::byte> cells) {
  const token_source& at = in.at;
  if (shape.rank == 0 || in.options.executor->concurrency() < 2 ||
      at.text().size - at.offset() < least_windows * at.window_size())
    return false;
  const std::uint64_t end = pieces_reader(in, type, shape, cells).read(*in.options.executor, at.offset());
  if (end == 0) return false;
  in.at.seek(end);
  return true;
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
