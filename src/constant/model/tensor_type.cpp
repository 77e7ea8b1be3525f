// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <new>
#include <tgmap/constant/type.hpp>
#include <tgmap/options.hpp>
#include <utility>

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

constexpr std::uint64_t max_size = 2147483647;
constexpr std::uint64_t max_block_bytes = std::uint64_t{1} << 62;
constexpr std::size_t max_dimensions = max_rank - 1;  // cells of mapped types have one dimension more, the blocks

constexpr std::pair<std::string_view, dtype> cell_types[] = {
    {"double", dtype::float64}, {"float", dtype::float32}, {"bfloat16", dtype::bfloat16}, {"int8", dtype::int8}};

bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

bool is_name(std::string_view text) noexcept {
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

/// A `type_parser` reads a type from left to right and stops at the first error.
class type_parser {
 public:
  explicit type_parser(std::string_view text) noexcept : text_(text) {}

  tensor_type read(failure& why) {
    const std::string_view keyword = word();
    if (keyword == "double" && at_end()) return {};
    if (keyword != "tensor") return fail(errc::bad_type, 0, why), tensor_type();
    dtype cells = dtype::float64;
    std::size_t cells_at = 0;
    if (skip('<')) {
      skip_spaces();
      cells_at = at_;
      const auto known = cell_type_from_name(word());
      if (!known) return fail(errc::unknown_cell_type, cells_at, why), tensor_type();
      cells = *known;
      if (!skip('>')) return fail(errc::bad_type, at_, why), tensor_type();
    }
    if (!skip('(')) return fail(errc::bad_type, at_, why), tensor_type();
    std::vector<dimension> all;
    if (!skip(')')) {
      do {
        skip_spaces();
        const std::size_t begin = at_;
        dimension one = read_dimension(why);
        if (why) return {};
        if (std::any_of(all.begin(), all.end(), [&](const dimension& d) { return d.name == one.name; }))
          return fail(errc::repeated_dimension, begin, why), tensor_type();
        if (all.size() == max_dimensions) {
          why = {.code = tgmap::errc::too_many_dimensions,
                 .offset = begin,
                 .expected = max_dimensions,
                 .found = all.size() + 1};
          return {};
        }
        all.push_back(std::move(one));
      } while (skip(','));
      if (!skip(')')) return fail(errc::bad_type, at_, why), tensor_type();
    }
    if (!at_end()) return fail(errc::bad_type, at_, why), tensor_type();
    tensor_type out = tensor_type::make(cells, std::move(all), why);
    if (why) why.offset = cells_at;
    return out;
  }

 private:
  static void fail(errc code, std::size_t at, failure& why) noexcept { why = {.code = code, .offset = at}; }

  dimension read_dimension(failure& why) {
    const std::size_t begin = at_;
    dimension out{.name = std::string(word())};
    if (!is_name(out.name)) return fail(errc::bad_dimension, begin, why), out;
    if (skip('{')) {
      if (!skip('}')) fail(errc::bad_dimension, at_, why);
      return out;
    }
    if (!skip('[')) return fail(errc::bad_dimension, at_, why), out;
    if (skip(']')) return fail(errc::unbound_dimension, at_ - 1, why), out;
    skip_spaces();
    const std::size_t number = at_;
    std::uint64_t size = 0;
    bool is_large = false;
    while (at_ < text_.size() && is_digit(text_[at_])) {
      size = size * 10 + static_cast<std::uint64_t>(text_[at_++] - '0');
      is_large = is_large || size > max_size;
      if (is_large) size = max_size;  // avoids overflow
    }
    const bool digits = at_ > number;
    if (!skip(']') || !digits || is_large || size == 0) {
      why = {.code = errc::bad_size, .offset = number, .expected = max_size};
      return out;
    }
    out.size = size;
    return out;
  }

  void skip_spaces() noexcept {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  bool skip(char wanted) noexcept {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  bool at_end() noexcept {
    skip_spaces();
    return at_ == text_.size();
  }
  std::string_view word() noexcept {
    skip_spaces();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string_view cell_type_name(dtype type) noexcept {
  for (const auto& [name, each] : cell_types)
    if (each == type) return name;
  return {};
}

std::optional<dtype> cell_type_from_name(std::string_view wanted) noexcept {
  for (const auto& [name, each] : cell_types)
    if (name == wanted) return each;
  return {};
}

tensor_type tensor_type::parse(std::string_view text, failure& why) noexcept try {
  why = {};
  tensor_type out = type_parser(text).read(why);
  return why ? tensor_type() : out;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

tensor_type tensor_type::parse(std::string_view text) {
  failure why;
  tensor_type out = parse(text, why);
  tgmap::detail::raise_if(why);
  return out;
}

tensor_type tensor_type::make(dtype cells, std::vector<dimension> all, failure& why) noexcept {
  why = {};
  const auto fails = [&](const failure& because) {
    why = because;
    return tensor_type();
  };
  if (cell_type_name(cells).empty()) return fails({.code = errc::unknown_cell_type});
  if (all.size() > max_dimensions)
    return fails({.code = tgmap::errc::too_many_dimensions, .expected = max_dimensions, .found = all.size()});
  if (all.empty() && cells != dtype::float64) return fails({.code = errc::scalar_cell_type});
  std::sort(all.begin(), all.end(), [](const dimension& a, const dimension& b) { return a.name < b.name; });
  tensor_type out;
  std::uint64_t bytes = element_size(cells);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const dimension& one = all[i];
    if (!is_name(one.name)) return fails({.code = errc::bad_dimension});
    if (i > 0 && all[i - 1].name == one.name) return fails({.code = errc::repeated_dimension});
    if (one.size > max_size) return fails({.code = errc::bad_size, .expected = max_size, .found = one.size});
    if (one.is_mapped()) {
      ++out.mapped_;
    } else {
      if (bytes > max_block_bytes / one.size) return fails({.code = errc::too_large, .expected = max_block_bytes});
      bytes *= one.size;
      out.block_cells_ *= one.size;
    }
  }
  out.cells_ = cells;
  out.dimensions_ = std::move(all);
  return out;
}

tensor_type tensor_type::make(dtype cells, std::vector<dimension> all) {
  failure why;
  tensor_type out = make(cells, std::move(all), why);
  tgmap::detail::raise_if(why);
  return out;
}

std::optional<std::size_t> tensor_type::find(std::string_view name) const noexcept {
  const auto at = std::lower_bound(dimensions_.begin(), dimensions_.end(), name,
                                   [](const dimension& d, std::string_view wanted) { return d.name < wanted; });
  if (at == dimensions_.end() || at->name != name) return {};
  return static_cast<std::size_t>(at - dimensions_.begin());
}

std::string tensor_type::text() const {
  std::string out = "tensor";
  if (cells_ != dtype::float64) (out += '<') += std::string(cell_type_name(cells_)) + '>';
  out += '(';
  for (const dimension& one : dimensions_) {
    if (out.back() != '(') out += ',';
    out += one.name;
    out += one.is_mapped() ? "{}" : '[' + std::to_string(one.size) + ']';
  }
  return out += ')';
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
