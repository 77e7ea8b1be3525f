// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "constant/json/string.hpp"
#include "constant/read/typed_binary_reader.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

std::string more_bytes(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " more byte" : " more bytes");
}

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
    counted_ = out.mapped_count() != 0 || (tag & tbf::has_indexed) == 0;
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
  if (why) return end({.code = why.code, .offset = begin}, "the name of a dimension", json::shown_quoted(name));
  if (std::any_of(all.begin(), all.end(), [&](const dimension& one) { return one.name == name; }))
    return end({.code = errc::repeated_dimension, .offset = begin}, "another dimension",
               json::shown_quoted(name) + " for the second time");
  // Labels and cells follow in this order. Upstream's readers do not agree on whose they are when it is another.
  if (name < last)
    return end({.code = errc::bad_dimension, .offset = begin}, "dimensions sorted by name",
               json::shown_quoted(name) + " behind " + json::shown_quoted(last));
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

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
