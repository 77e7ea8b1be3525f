// SPDX-License-Identifier: Apache-2.0
#include "constant/json/dense_reader.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <new>
#include <vector>

#include "constant/json/json_string.hpp"
#include "core/text/hex.hpp"

// Nested arrays are first read as if they had no errors, which is fast and can be done in pieces by several threads.
// If that fails, `nested_reader` reads them again and reports all problems.

namespace tgmap {
inline namespace v0 {
namespace constant::json {

namespace {

// In windows: 4 MiB, below which threads are not faster, and 1 MiB.
constexpr std::uint64_t min_windows = 16, piece_windows = 4;

std::string with_unit(std::uint64_t count, const char* unit) {
  return std::to_string(count) + ' ' + unit + (count == 1 ? "" : "s");
}

/// Reads plain numbers of a row into `to` until there are `max` of them, or another token comes. The current token is
/// then a value after a comma, or the closing bracket. `has_comma` tells whether the last number had a comma. Returns
/// the number of cells.
template <class Cell>
std::uint64_t read_plain_numbers(token_source& tokens, Cell* to, std::uint64_t max, const cell_rules& rules,
                                 bool& has_comma) {
  token_source::cursor in = tokens.position();
  std::uint64_t done = 0;
  has_comma = true;
  while (done < max) {
    double value;
    const char* end = parse_plain_number(in.window + in.index[in.at], value);
    if (end == nullptr || !store_cell(value, to[done], rules)) break;
    if (*end != ',') {
      const char* next = in.window + in.index[in.at + 1];
      if (*next == ']') {
        ++done;
        ++in.at;
        has_comma = false;
        break;
      }
      if (*next != ',') break;
    }
    ++done;
    in.at += 2;
    if (in.at >= in.count) {
      tokens.set_position(in);
      in = tokens.position();
    }
  }
  tokens.set_position(in);
  return done;
}

/// Skips the brackets of the arrays that begin, or end, before a cell.
bool skip_brackets(token_source& tokens, char bracket, const block_shape& shape, std::uint64_t cell) {
  for (std::size_t d = shape.rank; d-- > 0 && cell % shape.array_cells[d] == 0; tokens.next())
    if (tokens.kind() != bracket) return false;
  return true;
}

/// Reads the cells from `n` up to `end` of nested arrays. Returns false if the text is not valid.
template <class Cell>
bool read_cells(token_source& tokens, const block_shape& shape, const cell_rules& rules, std::uint64_t n,
                std::uint64_t end, Cell* to) {
  const std::uint64_t row = shape.array_cells[shape.rank - 1];
  while (n < end) {
    if (!skip_brackets(tokens, '[', shape, n)) return false;
    const std::uint64_t max = std::min(row - n % row, end - n);
    bool has_comma = true;
    std::uint64_t done = read_plain_numbers(tokens, to + n, max, rules, has_comma);
    if (has_comma && done < max) {
      const auto value = parse_value(tokens);
      if (!value || !store_cell(*value, to[n + done], rules)) return false;
      tokens.next();
      ++done;
      has_comma = tokens.kind() == ',';
      if (has_comma) tokens.next();
    }
    n += done;
    if (has_comma != (n % row != 0)) return false;
    if (has_comma) continue;
    if (!skip_brackets(tokens, ']', shape, n)) return false;
    if (n == shape.array_cells[0]) return true;
    if (tokens.kind() != ',') return false;
    tokens.next();
  }
  return true;
}

bool read_valid_cells(token_source& tokens, dtype type, const block_shape& shape, const cell_rules& rules,
                      std::uint64_t begin, std::uint64_t end, std::span<std::byte> cells) {
  return visit_cell_type(type, [&]<class Cell>(Cell) {
    return read_cells(tokens, shape, rules, begin, end, reinterpret_cast<Cell*>(cells.data()));
  });
}

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

/// Returns the offset after the next comma, or 0 if the next `max` bytes have none.
std::uint64_t offset_after_comma(const text_view& text, std::uint64_t from, std::uint64_t max) noexcept {
  const void* comma = nullptr;
  const failure why = text.guard([&]() noexcept {
    comma = std::memchr(text.data + from, ',', static_cast<std::size_t>(std::min(text.size - from, max)));
  });
  if (why || comma == nullptr) return 0;
  return static_cast<std::uint64_t>(static_cast<const char*>(comma) - text.data) + 1;
}

/// A `parallel_reader` reads a large nested array in pieces. Exactly one comma separates two numbers, whatever brackets
/// do, so the number of commas before a piece is its first cell.
class parallel_reader {
 public:
  parallel_reader(const parser& in, dtype type, const block_shape& shape, std::span<std::byte> cells) noexcept
      : in_(in), text_(in.tokens.text()), type_(type), shape_(shape), cells_(cells) {}

  /// Returns the offset of the end of the values, or 0 if they are not valid or their pieces cannot be told apart.
  std::uint64_t read(executor& threads, std::uint64_t begin) {
    const std::uint64_t each = piece_windows * in_.tokens.window_size(), count = (text_.size - begin) / each;
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
      if (cell >= shape_.array_cells[0]) return 0;
      one.first = cell;
      cell += one.commas;
      one.last = cell;
    }
    pieces_.back().last = shape_.array_cells[0];
    run<&parallel_reader::read_piece>(threads);
    return failed_.load() ? 0 : end_;
  }

 private:
  struct piece {
    std::uint64_t begin = 0, end = 0;   // offsets in the text
    std::uint64_t first = 0, last = 0;  // cells
    std::uint64_t commas = 0;
  };

  template <void (parallel_reader::*work)(std::size_t) noexcept>
  void run(executor& threads) {
    threads.run(pieces_.size(),
                {[](void* self, std::size_t i) noexcept { (static_cast<parallel_reader*>(self)->*work)(i); }, this});
  }

  void count_piece(std::size_t i) noexcept {
    piece& piece = pieces_[i];
    const failure why =
        text_.guard([&]() noexcept { piece.commas = count_commas(text_.data + piece.begin, piece.end - piece.begin); });
    if (why) failed_ = true;
  }

  void read_piece(std::size_t i) noexcept {
    if (failed_) return;
    const piece& piece = pieces_[i];
    try {
      // The last piece may end before the text does.
      const bool is_last = i + 1 == pieces_.size();
      token_source tokens({text_.data, piece.end, text_.is_mapped}, in_.tokens.window_size(), piece.begin);
      if (!read_valid_cells(tokens, type_, shape_, in_.rules(), piece.first, piece.last, cells_) ||
          (!is_last && (!tokens.is_at_end() || tokens.end().cause)))
        failed_ = true;
      else if (is_last)
        end_ = tokens.offset();
    } catch (const std::bad_alloc&) {
      failed_ = true;
    }
  }

  const parser& in_;
  text_view text_;
  dtype type_;
  const block_shape& shape_;
  std::span<std::byte> cells_;
  std::vector<piece> pieces_{};
  std::atomic<bool> failed_{false};
  std::uint64_t end_ = 0;
};

/// A `nested_reader` reads arrays in arrays, one level for each dimension, and reports all problems.
class nested_reader {
 public:
  nested_reader(parser& in, dtype type, const block_shape& shape, std::byte* to) noexcept
      : in_(in), type_(type), shape_(shape), to_(to) {}

  /// Reads the current array of level `d`.
  read_status read(std::size_t d) {
    const std::uint64_t size = shape_.sizes[d];
    std::uint64_t count = 0, surplus_offset = 0;
    const read_status result = in_.elements([&](std::uint64_t index) {
      if (index < size && in_.tokens.kind() == ']') return in_.report_bad_json("a value");
      if (index == size) surplus_offset = in_.tokens.offset();
      count = index + 1;
      indexes_[d] = index;
      return index < size ? read_element(d) : skip_element(d);
    });
    if (result == read_status::stop || count == size) return result;
    const auto step = in_.path.add_indexes({indexes_.data(), d});
    return in_.report_problem({.cause = {.code = errc::array_length,
                                         .offset = count > size ? surplus_offset : in_.closing_offset(),
                                         .expected = size,
                                         .found = count},
                               .expected = with_unit(size, "element"),
                               .found = std::to_string(count)});
  }

 private:
  read_status read_element(std::size_t d) {
    const bool is_row = d + 1 == shape_.rank;
    if (!is_row && in_.tokens.kind() == '[') return read(d + 1);
    const auto step = in_.path.add_indexes({indexes_.data(), d + 1});
    if (!is_row)
      return in_.report_wrong_value(errc::unexpected_token, "an array of " + with_unit(shape_.sizes[d + 1], "element"));
    double ignored = 0;
    return in_.read_cell(type_, to_ == nullptr ? reinterpret_cast<std::byte*>(&ignored) : next_cell());
  }
  read_status skip_element(std::size_t d) {
    const auto step = in_.path.add_indexes({indexes_.data(), d});
    return in_.skip();
  }
  std::byte* next_cell() const noexcept {
    std::uint64_t cell = indexes_[shape_.rank - 1];
    for (std::size_t d = 0; d + 1 < shape_.rank; ++d) cell += indexes_[d] * shape_.array_cells[d + 1];
    return to_ + cell * element_size(type_);
  }

  parser& in_;
  dtype type_;
  const block_shape& shape_;
  std::byte* to_;
  std::array<std::uint64_t, max_rank> indexes_{};
};

/// Reads the current array. Empty `cells` only checks it.
read_status read_array(parser& in, dtype type, const block_shape& shape, std::span<std::byte> cells,
                       executor* threads) {
  token_source& tokens = in.tokens;
  const std::uint64_t begin = tokens.offset();
  if (threads != nullptr && threads->concurrency() > 1 &&
      tokens.text().size - begin >= min_windows * tokens.window_size()) {
    if (const std::uint64_t end = parallel_reader(in, type, shape, cells).read(*threads, begin); end != 0) {
      tokens.seek(end);
      return read_status::ok;
    }
  }
  if (!cells.empty()) {
    if (read_valid_cells(tokens, type, shape, in.rules(), 0, shape.array_cells[0], cells)) return read_status::ok;
    tokens.seek(begin);
  }
  return nested_reader(in, type, shape, cells.data()).read(0);
}

/// Returns the value whose bits are these digits. Their number determines the type.
double value_of_digits(std::string_view digits) noexcept {
  std::uint64_t bits = 0;
  for (const char c : digits) bits = bits << 4 | *core::hex_value(c);
  switch (digits.size()) {
    case 2: return std::bit_cast<std::int8_t>(static_cast<std::uint8_t>(bits));
    case 4: return static_cast<double>(static_cast<float>(bfloat16{static_cast<std::uint16_t>(bits)}));
    case 8: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    default: return std::bit_cast<double>(bits);
  }
}

/// Reads the current string as hexadecimal digits.
read_status read_hex(parser& in, dtype type, std::uint64_t count, std::span<std::byte> cells) {
  const std::string_view digits = in.tokens.raw_string();
  const std::uint64_t offset = in.tokens.offset(), each = digits.size() / count;
  const bool is_int8 = type == dtype::int8;
  const bool fits = digits.size() % count == 0 && (each == 2 || (!is_int8 && (each == 4 || each == 8 || each == 16)));
  const auto wrong_digit = std::find_if(digits.begin(), digits.end(), [](char c) { return !core::hex_value(c); });
  if (wrong_digit != digits.end()) {
    const auto position = static_cast<std::size_t>(wrong_digit - digits.begin());
    return in.report_and_skip(
        {.cause =
             {.code = errc::bad_hex, .offset = offset + 1 + position, .expected = digits.size(), .found = position},
         .expected = "hexadecimal digits",
         .found = '"' + printable(digits.substr(position, 1)) + "\" after " + with_unit(position, "digit")});
  }
  if (!fits) {
    const std::string expected = is_int8 ? "2 digits" : "2, 4, 8 or 16 digits";
    return in.report_and_skip(
        {.cause = {.code = errc::bad_hex, .offset = offset, .expected = count * 2, .found = digits.size()},
         .expected = expected + " for each of " + with_unit(count, "cell"),
         .found = with_unit(digits.size(), "digit")});
  }
  if (!cells.empty())
    visit_cell_type(type, [&]<class Cell>(Cell) {
      auto* to = reinterpret_cast<Cell*>(cells.data());
      for (std::uint64_t i = 0; i < count; ++i)
        (void)store_cell(value_of_digits(digits.substr(i * each, each)), to[i], in.rules());
    });
  in.tokens.next();
  return read_status::ok;
}

}  // namespace

read_status read_dense(parser& in, const tensor_type& type, const block_shape& shape, std::span<std::byte> cells,
                       executor* threads) {
  const bool is_extended = in.options.extended;
  if (is_extended && in.tokens.kind() == '"') return read_hex(in, type.cell_type(), type.block_cells(), cells);
  if (in.tokens.kind() != '[')
    return in.report_wrong_value(errc::unexpected_token, is_extended ? "an array, or hexadecimal digits" : "an array");
  const bool is_flat = shape.rank == 0 || (is_extended && shape.rank != 1 && *in.tokens.following() != '[');
  if (is_flat) return read_array(in, type.cell_type(), block_shape(type.block_cells()), cells, threads);
  return read_array(in, type.cell_type(), shape, cells, threads);
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
