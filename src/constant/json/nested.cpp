// SPDX-License-Identifier: Apache-2.0
#include "constant/json/nested.hpp"

#include "constant/json/each_cell_type.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

namespace {

std::string element_count(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " element" : " elements");
}

template <class Cell>
class nested_reader {
 public:
  nested_reader(parser& in, const block_shape& shape, Cell* to) noexcept : in_(in), shape_(shape), to_(to) {
    std::uint64_t stride = 1;
    for (std::size_t d = shape.rank; d-- > 0; stride *= shape.sizes[d]) strides_[d] = stride;
  }

  outcome read() {
    const bool read = walk();
    return !read ? outcome::stop : wrong_ ? outcome::wrong : outcome::got;
  }

 private:
  /// Walks from bracket to bracket; each level's index is where it is. False: stop.
  bool walk() {
    std::size_t d = 0;
    index_[0] = 0;
    in_.at.next();
    for (;;) {
      bool closed = false;  // the array of level d
      if (in_.at.kind() == ']') {
        if (!close(d, 0)) return false;
        closed = true;
      } else if (d + 1 == shape_.rank) {
        if (!row(d)) return false;
        closed = true;
      } else if (in_.at.kind() == '[') {
        in_.at.next();
        index_[++d] = 0;
        continue;
      } else if (!wrong_element(d)) {
        return false;
      }
      // Behind an element: up through all arrays that end here.
      for (;;) {
        if (closed) {
          if (d == 0) return true;
          --d;
        }
        if (in_.at.kind() == ',') {
          in_.at.next();
          if (++index_[d] < shape_.sizes[d]) {
            if (in_.at.kind() == ']') return stopped(in_.bad_json("a value"));
            break;
          }
          if (!surplus(d)) return false;
        } else if (in_.at.kind() == ']') {
          if (!close(d, index_[d] + 1)) return false;
        } else {
          return stopped(in_.bad_json("a comma or ]"));
        }
        closed = true;
      }
      // Level d goes on with another element, which is an array: rows end within row().
    }
  }

  bool row(std::size_t d) {
    const std::uint64_t size = shape_.sizes[d];
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < d; ++i) begin += index_[i] * strides_[i];
    std::uint64_t& n = index_[d];
    for (n = 0;;) {
      bool more = true;
      if (to_ != nullptr && in_.at.kind() != '"') n += plain_row(in_.at, to_ + begin + n, size - n, in_.rules(), more);
      if (!more) return close(d, n);
      if (n == size) return surplus(d);
      if (in_.at.kind() == ']') return stopped(in_.bad_json("a value"));
      Cell ignored{};
      push_place(d + 1);
      const outcome came = in_.read_cell(to_ != nullptr ? to_[begin + n] : ignored);
      in_.where.pop(d + 1);
      if (came == outcome::stop) return false;
      wrong_ = wrong_ || came == outcome::wrong;
      ++n;
      if (in_.at.kind() == ']') return close(d, n);
      if (in_.at.kind() != ',') return stopped(in_.bad_json("a comma or ]"));
      in_.at.next();
      if (n == size) return surplus(d);
    }
  }

  /// At the bracket that ends an array of so many elements.
  bool close(std::size_t d, std::uint64_t count) {
    if (count != shape_.sizes[d] && !wrong_length(d, count, in_.at.offset())) return false;
    in_.at.next();
    return true;
  }

  /// At an element too many: all of them are counted.
  bool surplus(std::size_t d) {
    const std::uint64_t offset = in_.at.offset();
    std::uint64_t count = shape_.sizes[d];
    for (;; in_.at.next()) {
      push_place(d);
      const outcome skipped = in_.skip();
      in_.where.pop(d);
      if (skipped == outcome::stop) return false;
      ++count;
      if (in_.at.kind() == ']') break;
      if (in_.at.kind() != ',') return stopped(in_.bad_json("a comma or ]"));
    }
    if (!wrong_length(d, count, offset)) return false;
    in_.at.next();
    return true;
  }

  bool wrong_length(std::size_t d, std::uint64_t count, std::uint64_t offset) {
    wrong_ = true;
    push_place(d);
    const outcome told = in_.tell({.why = {.code = errc::array_length, .expected = shape_.sizes[d], .found = count},
                                   .expected = element_count(shape_.sizes[d]),
                                   .found = std::to_string(count)},
                                  offset);
    in_.where.pop(d);
    return told != outcome::stop;
  }

  bool wrong_element(std::size_t d) {
    wrong_ = true;
    push_place(d + 1);
    const outcome told = in_.wrong_value(errc::unexpected_token, "an array of " + element_count(shape_.sizes[d + 1]));
    in_.where.pop(d + 1);
    return told != outcome::stop;
  }

  void push_place(std::size_t levels) noexcept {
    for (std::size_t i = 0; i < levels; ++i) in_.where.element(index_[i]);
  }
  static bool stopped(outcome) noexcept { return false; }

  parser& in_;
  const block_shape& shape_;
  Cell* to_;
  std::array<std::uint64_t, max_rank> index_{}, strides_{};
  bool wrong_ = false;
};

}  // namespace

outcome read_nested(parser& in, dtype type, const block_shape& shape, std::span<std::byte> cells) {
  return for_cell_type(type, [&]<class Cell>(Cell) {
    return nested_reader<Cell>(in, shape, reinterpret_cast<Cell*>(cells.data())).read();
  });
}

outcome read_flat(parser& in, dtype type, const block_shape& shape, std::span<std::byte> cells) {
  block_shape flat = shape;
  flat.rank = 1;
  flat.sizes[0] = 1;
  for (std::size_t d = 0; d < shape.rank; ++d) flat.sizes[0] *= shape.sizes[d];
  return read_nested(in, type, flat, cells);
}

outcome read_dense(parser& in, dtype type, const block_shape& shape, std::span<std::byte> cells) {
  const bool extended = in.options.extended;
  if (extended && in.at.kind() == '"') {
    std::uint64_t count = 1;
    for (std::size_t d = 0; d < shape.rank; ++d) count *= shape.sizes[d];
    return read_hex(in, type, count, cells);
  }
  if (in.at.kind() != '[')
    return in.wrong_value(errc::unexpected_token, extended ? "an array, or hexadecimal digits" : "an array");
  if (extended && shape.rank != 1 && *in.at.following() != '[') return read_flat(in, type, shape, cells);
  return read_nested(in, type, shape, cells);
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
