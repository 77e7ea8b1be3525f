// SPDX-License-Identifier: Apache-2.0
#include "constant/json/content.hpp"

#include <cstring>

#include "constant/json/each_cell_type.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

outcome content::dense() {
  const auto cells = into_.cells(0);
  if (in_.options.executor != nullptr && in_.at.kind() == '[' && read_on_threads(in_, type_.cell_type(), shape_, cells))
    return outcome::got;
  return read_dense(in_, type_.cell_type(), shape_, cells);
}

outcome content::repeated(std::uint64_t offset, std::string found) {
  return in_.tell({.why = {.code = errc::repeated_address}, .found = std::move(found) + " for the second time"},
                  offset);
}

/// A block of its own for these labels; told where there is one.
outcome content::add_block(std::span<const std::string_view> labels, std::uint64_t offset, std::uint64_t& block) {
  failure why;
  const builder::entry entry = into_.find_or_add(labels, why);
  if (why) {
    const bool large = why.code == errc::too_large;
    (void)in_.tell({.why = why,
                    .expected = large ? "at most " + std::to_string(why.expected) + " bytes of cells" : "",
                    .found = large ? "more" : ""},
                   offset);
    in_.problems.end();
    return outcome::stop;
  }
  block = entry.block;
  if (entry.was_added) return outcome::got;
  return repeated(offset, labels.size() == 1 ? shown_quoted(labels[0]) : "an address");
}

/// Labels mostly follow each other at the same distance. The table of many of them is larger than any cache: so the
/// place of a later one is fetched while those before it are read. The token is two behind a label.
void content::look_ahead() noexcept {
  constexpr std::size_t labels_ahead = 8, most_tokens = 64;
  const std::size_t at = in_.at.number(), distance = at - last_label_;  // of another window: anything
  last_label_ = at;
  if (distance < 3 || distance > most_tokens || into_.blocks() < 4096) return;
  const std::string_view label = in_.at.raw_string_ahead(distance * labels_ahead - 2);
  if (!label.empty()) into_.prefetch({&label, 1});
}

outcome content::label_of(const member_name& name, std::string_view& label) {
  const auto text = in_.text_of(name.raw, name.offset, scratch_);
  if (!text) return outcome::stop;
  label = *text;
  return cell_address_.check_label(label, name.offset);
}

outcome content::labelled_cell(const member_name& name) {
  std::string_view label;
  std::uint64_t block = 0;
  outcome came = label_of(name, label);
  if (came == outcome::got) came = add_block({&label, 1}, name.offset, block);
  if (came == outcome::stop) return came;
  if (came == outcome::wrong) return in_.skip() == outcome::stop ? outcome::stop : came;
  look_ahead();
  in_.where.label(label);
  came = for_cell_type(type_.cell_type(), [&]<class Cell>(Cell) {
    return in_.read_cell(*reinterpret_cast<Cell*>(into_.cells(block).data()));
  });
  in_.where.pop();
  return came;
}

outcome content::cells_object() {
  return in_.members([&](const member_name& name) { return labelled_cell(name); });
}

outcome content::values_here(std::span<std::byte> to) { return read_dense(in_, type_.cell_type(), shape_, to); }

outcome content::labelled_block(const member_name& name) {
  std::string_view label;
  std::uint64_t block = 0;
  outcome came = label_of(name, label);
  // Memory is taken only where the text can hold what belongs there; else reading finds what is wrong.
  const bool fits = may_hold(in_.at, type_.block_cells());
  if (came == outcome::got && fits) came = add_block({&label, 1}, name.offset, block);
  if (came == outcome::stop) return came;
  if (came == outcome::wrong) return in_.skip() == outcome::stop ? outcome::stop : came;
  in_.where.label(label);
  in_.where.keep_label();  // the values may be longer than a window
  came = values_here(fits ? into_.cells(block) : std::span<std::byte>());
  in_.where.pop();
  return came;
}

outcome content::blocks_object() {
  return in_.members([&](const member_name& name) { return labelled_block(name); });
}

/// An object of `address` and another member, in any order.
template <class Address, class Value>
outcome content::addressed(std::string_view value_name, Address&& address, Value&& value) {
  if (in_.at.kind() != '{') return in_.wrong_value(errc::unexpected_token, "an object");
  const std::uint64_t begin = in_.at.offset();
  bool has_address = false, has_value = false;
  const auto once = [&](bool& seen, std::string_view name, std::uint64_t offset, auto&& read) {
    if (seen) {
      const outcome told = in_.tell({.why = {.code = errc::repeated_member},
                                     .expected = "another member",
                                     .found = shown_quoted(name) + " for the second time"},
                                    offset);
      return told == outcome::stop || in_.skip() == outcome::stop ? outcome::stop : outcome::wrong;
    }
    seen = true;
    in_.where.member(name);
    const outcome came = read();
    in_.where.pop();
    return came;
  };
  const outcome came = in_.members([&](const member_name& name) {
    if (name.is("address")) return once(has_address, "address", name.offset, address);
    if (name.is(value_name)) return once(has_value, value_name, name.offset, value);
    const auto text = in_.text_of(name.raw, name.offset, scratch_);
    if (!text) return outcome::stop;
    if (*text == "address") return once(has_address, "address", name.offset, address);
    if (*text == value_name) return once(has_value, value_name, name.offset, value);
    const outcome told = in_.tell({.why = {.code = errc::unknown_member},
                                   .expected = "address or " + std::string(value_name),
                                   .found = shown_quoted(*text)},
                                  name.offset);
    return told == outcome::stop || in_.skip() == outcome::stop ? outcome::stop : outcome::wrong;
  });
  if (came == outcome::stop || (has_address && has_value)) return came;
  const std::string missing = !has_address && !has_value ? "address and " + std::string(value_name)
                              : has_address              ? std::string(value_name)
                                                         : "address";
  return in_.tell({.why = {.code = errc::missing_member}, .expected = "a member " + missing}, begin);
}

/// The cell of the address that was just read; told where it was there before.
template <class Cell>
outcome content::find_cell(std::uint64_t offset, Cell*& target) {
  const auto labels = cell_address_.labels();
  std::uint64_t block = 0;
  if (type_.is_sparse()) {
    if (const outcome came = add_block(labels, offset, block); came != outcome::got) return came;
    if (labels.size() == 1) look_ahead();
  } else {
    if (!labels.empty()) {
      failure why;
      const builder::entry entry = into_.find_or_add(labels, why);
      if (why) return add_block(labels, offset, block);  // fails again, and tells
      block = entry.block;
      if (entry.was_added) filled_.grow(into_.blocks() * type_.block_cells());
    }
    if (!filled_.fill(block * type_.block_cells() + cell_address_.cell())) return repeated(offset, "an address");
  }
  target = reinterpret_cast<Cell*>(into_.cells(block).data()) + cell_address_.cell();
  return outcome::got;
}

template <class Cell>
outcome content::cell_here() {
  Cell held{};
  Cell* target = nullptr;
  bool before = false;  // the value came first
  return addressed(
      "value",
      [&] {
        const std::uint64_t offset = in_.at.offset();
        outcome came = cell_address_.read();
        if (came == outcome::got) came = find_cell(offset, target);
        if (came == outcome::got && before) *target = held;
        return came;
      },
      [&] {
        before = target == nullptr;
        return in_.read_cell(before ? held : *target);
      });
}

outcome content::cells_array() {
  if (!type_.is_sparse()) filled_.begin(type_.mapped_count() == 0 ? type_.block_cells() : 0);
  in_.where.element(0);
  const outcome came = for_cell_type(type_.cell_type(), [&]<class Cell>(Cell) {
    return in_.elements([&](std::uint64_t number) {
      in_.where.number(number);
      return cell_here<Cell>();
    });
  });
  in_.where.pop();
  return came;
}

outcome content::block_here() {
  std::span<std::byte> target;
  bool has_target = false, before = false;
  const auto bytes = static_cast<std::size_t>(type_.block_bytes());
  return addressed(
      "values",
      [&] {
        const std::uint64_t offset = in_.at.offset();
        outcome came = block_address_.read();
        std::uint64_t block = 0;
        if (came != outcome::got || (!before && !may_hold(in_.at, type_.block_cells()))) return came;
        came = add_block(block_address_.labels(), offset, block);
        if (came != outcome::got) return came;
        target = into_.cells(block);
        has_target = true;
        if (before && !held_.empty()) std::memcpy(target.data(), held_.data(), bytes);
        return came;
      },
      [&] {
        if (has_target) return values_here(target);
        before = true;
        held_.clear();
        if (may_hold(in_.at, type_.block_cells())) held_.resize(bytes);
        return values_here(held_);
      });
}

outcome content::blocks_array() {
  in_.where.element(0);
  const outcome came = in_.elements([&](std::uint64_t number) {
    in_.where.number(number);
    return block_here();
  });
  in_.where.pop();
  return came;
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
