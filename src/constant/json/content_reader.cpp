// SPDX-License-Identifier: Apache-2.0
#include "constant/json/content_reader.hpp"

#include <cstring>
#include <new>

#include "constant/json/json_string.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

void cell_set::reset(std::uint64_t cells) {
  if (!bits_.allocate_zeros(static_cast<std::size_t>(cells / 8 + 1))) throw std::bad_alloc();
}

void cell_set::grow(std::uint64_t cells) {
  const auto size = static_cast<std::size_t>(cells / 8 + 1), previous = bits_.size();
  if (size <= previous) return;
  if (!bits_.grow(size - previous)) throw std::bad_alloc();
  std::memset(bits_.data() + previous, 0, size - previous);
}

read_status content_reader::read_values() {
  const auto cells = into_.cells(0);
  if (in_.options.executor != nullptr && in_.tokens.kind() == '[' &&
      read_dense_parallel(in_, type_.cell_type(), shape_, cells))
    return read_status::ok;
  return read_dense(in_, type_.cell_type(), shape_, cells);
}

read_status content_reader::report_repeated(std::uint64_t offset, std::string found) {
  return in_.report_problem({.why = {.code = errc::repeated_address}, .found = "a second " + std::move(found)}, offset);
}

/// Adds a block for these labels. Reports an existing one.
read_status content_reader::add_block(std::span<const std::string_view> labels, std::uint64_t offset,
                                      std::uint64_t& block) {
  failure why;
  const builder::entry entry = into_.find_or_add(labels, why);
  if (why) {
    const bool is_large = why.code == errc::too_large;
    (void)in_.report_problem({.why = why,
                              .expected = is_large ? "at most " + std::to_string(why.expected) + " bytes of cells" : "",
                              .found = is_large ? "more" : ""},
                             offset);
    in_.problems.set_has_more();
    return read_status::stop;
  }
  block = entry.block;
  if (entry.was_added) return read_status::ok;
  return report_repeated(offset, labels.size() == 1 ? printable_quoted(labels[0]) : "address");
}

/// Prefetches the table slot of a later label. Labels are mostly at equal distances, and a table of many labels is
/// larger than any cache. The current token is two after a label.
void content_reader::prefetch_later_label() noexcept {
  constexpr std::size_t labels_ahead = 8, max_tokens = 64;
  const std::size_t at = in_.tokens.index_in_window(), distance = at - last_label_;  // any number if the window changed
  last_label_ = at;
  if (distance < 3 || distance > max_tokens || into_.blocks() < 4096) return;
  const std::string_view label = in_.tokens.raw_string_ahead(distance * labels_ahead - 2);
  if (!label.empty()) into_.prefetch({&label, 1});
}

read_status content_reader::read_label(const member_name& name, std::string_view& label) {
  const auto text = in_.unescaped(name.raw, name.offset, scratch_);
  if (!text) return read_status::stop;
  label = *text;
  return cell_address_.check_label(label, name.offset);
}

read_status content_reader::read_labelled_cell(const member_name& name) {
  std::string_view label;
  std::uint64_t block = 0;
  read_status result = read_label(name, label);
  if (result == read_status::ok) result = add_block({&label, 1}, name.offset, block);
  if (result == read_status::stop) return result;
  if (result == read_status::invalid) return in_.skip() == read_status::stop ? read_status::stop : result;
  prefetch_later_label();
  in_.path.push_label(label);
  result = visit_cell_type(type_.cell_type(), [&]<class Cell>(Cell) {
    return in_.read_cell(*reinterpret_cast<Cell*>(into_.cells(block).data()));
  });
  in_.path.pop();
  return result;
}

read_status content_reader::read_cells_object() {
  return in_.members([&](const member_name& name) { return read_labelled_cell(name); });
}

read_status content_reader::read_labelled_block(const member_name& name) {
  std::string_view label;
  std::uint64_t block = 0;
  read_status result = read_label(name, label);
  // If the text is too short for the values, no memory is allocated, and reading finds the error.
  const bool fits = can_contain(in_.tokens, type_.block_cells());
  if (result == read_status::ok && fits) result = add_block({&label, 1}, name.offset, block);
  if (result == read_status::stop) return result;
  if (result == read_status::invalid) return in_.skip() == read_status::stop ? read_status::stop : result;
  in_.path.push_label(label);
  in_.path.own_label();  // the values may be longer than a window
  result = read_block_values(fits ? into_.cells(block) : std::span<std::byte>());
  in_.path.pop();
  return result;
}

read_status content_reader::read_blocks_object() {
  return in_.members([&](const member_name& name) { return read_labelled_block(name); });
}

/// Reads an object of `address` and another member, in any order.
template <class Address, class Value>
read_status content_reader::read_addressed(std::string_view value_name, Address&& read_address, Value&& read_value) {
  if (in_.tokens.kind() != '{') return in_.report_wrong_value(errc::unexpected_token, "an object");
  const std::uint64_t begin = in_.tokens.offset();
  bool has_address = false, has_value = false;
  const auto once = [&](bool& seen, std::string_view name, std::uint64_t offset, auto&& read) {
    if (seen) {
      return in_.report_and_skip({.why = {.code = errc::repeated_member},
                                  .expected = "another member",
                                  .found = "a second " + printable_quoted(name)},
                                 offset);
    }
    seen = true;
    in_.path.push_member(name);
    const read_status result = read();
    in_.path.pop();
    return result;
  };
  const read_status result = in_.members([&](const member_name& name) {
    if (name.raw == "address") return once(has_address, "address", name.offset, read_address);
    if (name.raw == value_name) return once(has_value, value_name, name.offset, read_value);
    const auto text = in_.unescaped(name.raw, name.offset, scratch_);
    if (!text) return read_status::stop;
    if (*text == "address") return once(has_address, "address", name.offset, read_address);
    if (*text == value_name) return once(has_value, value_name, name.offset, read_value);
    return in_.report_and_skip({.why = {.code = errc::unknown_member},
                                .expected = "address or " + std::string(value_name),
                                .found = printable_quoted(*text)},
                               name.offset);
  });
  if (result == read_status::stop || (has_address && has_value)) return result;
  const std::string missing = !has_address && !has_value ? "address and " + std::string(value_name)
                              : has_address              ? std::string(value_name)
                                                         : "address";
  return in_.report_problem({.why = {.code = errc::missing_member}, .expected = "a member " + missing}, begin);
}

/// Finds the cell of the address that was just read. Reports a repeated address.
template <class Cell>
read_status content_reader::find_cell(std::uint64_t offset, Cell*& target) {
  const auto labels = cell_address_.labels();
  std::uint64_t block = 0;
  if (type_.is_sparse()) {
    if (const read_status result = add_block(labels, offset, block); result != read_status::ok) return result;
    if (labels.size() == 1) prefetch_later_label();
  } else {
    if (!labels.empty()) {
      failure why;
      const builder::entry entry = into_.find_or_add(labels, why);
      if (why) return add_block(labels, offset, block);  // fails again, and reports it
      block = entry.block;
      if (entry.was_added) stored_cells_.grow(into_.blocks() * type_.block_cells());
    }
    if (!stored_cells_.insert(block * type_.block_cells() + cell_address_.cell()))
      return report_repeated(offset, "address");
  }
  target = reinterpret_cast<Cell*>(into_.cells(block).data()) + cell_address_.cell();
  return read_status::ok;
}

template <class Cell>
read_status content_reader::read_cell() {
  Cell early_value{};
  Cell* target = nullptr;
  bool value_is_first = false;
  return read_addressed(
      "value",
      [&] {
        const std::uint64_t offset = in_.tokens.offset();
        read_status result = cell_address_.read();
        if (result == read_status::ok) result = find_cell(offset, target);
        if (result == read_status::ok && value_is_first) *target = early_value;
        return result;
      },
      [&] {
        value_is_first = target == nullptr;
        return in_.read_cell(value_is_first ? early_value : *target);
      });
}

read_status content_reader::read_cells_array() {
  if (!type_.is_sparse()) stored_cells_.reset(type_.mapped_count() == 0 ? type_.block_cells() : 0);
  in_.path.push_index(0);
  const read_status result = visit_cell_type(type_.cell_type(), [&]<class Cell>(Cell) {
    return in_.elements([&](std::uint64_t index) {
      in_.path.set_index(index);
      return read_cell<Cell>();
    });
  });
  in_.path.pop();
  return result;
}

read_status content_reader::read_block() {
  std::span<std::byte> target;
  bool has_target = false, values_are_first = false;
  const auto bytes = static_cast<std::size_t>(type_.block_bytes());
  return read_addressed(
      "values",
      [&] {
        const std::uint64_t offset = in_.tokens.offset();
        read_status result = block_address_.read();
        std::uint64_t block = 0;
        if (result != read_status::ok || (!values_are_first && !can_contain(in_.tokens, type_.block_cells())))
          return result;
        result = add_block(block_address_.labels(), offset, block);
        if (result != read_status::ok) return result;
        target = into_.cells(block);
        has_target = true;
        if (values_are_first && !values_before_address_.empty())
          std::memcpy(target.data(), values_before_address_.data(), bytes);
        return result;
      },
      [&] {
        if (has_target) return read_block_values(target);
        values_are_first = true;
        values_before_address_.clear();
        if (can_contain(in_.tokens, type_.block_cells())) values_before_address_.resize(bytes);
        return read_block_values(values_before_address_);
      });
}

read_status content_reader::read_blocks_array() {
  in_.path.push_index(0);
  const read_status result = in_.elements([&](std::uint64_t index) {
    in_.path.set_index(index);
    return read_block();
  });
  in_.path.pop();
  return result;
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
