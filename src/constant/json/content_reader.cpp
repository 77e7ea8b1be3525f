// SPDX-License-Identifier: Apache-2.0
#include "constant/json/content_reader.hpp"

#include <cstring>
#include <new>

#include "constant/json/json_string.hpp"
#include "core/text/same_text.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

void cell_set::grow(std::uint64_t cells) {
  const auto size = static_cast<std::size_t>(cells / 8 + 1), previous = bits_.size();
  if (size <= previous) return;
  if (previous == 0 ? !bits_.allocate_zeros(size) : !bits_.grow(size - previous)) throw std::bad_alloc();
  if (previous != 0) std::memset(bits_.data() + previous, 0, size - previous);
}

read_status content_reader::read_values() {
  return read_dense(in_, type_, shape_, into_.cells(0), in_.options.executor);
}

read_status content_reader::read_array(value_form form) {
  if (form == value_form::cell) stored_cells_.grow(into_.blocks() * type_.block_cells());
  const auto step = in_.path.add_index(0);
  return in_.elements([&](std::uint64_t index) {
    in_.path.set_index(index);
    return read_addressed(form);
  });
}

read_status content_reader::read_labels() {
  return in_.members([&](const member_name& name) { return read_labelled(name); });
}

read_status content_reader::read_labelled(const member_name& name) {
  const auto text = in_.unescaped(name.raw, name.offset, scratch_);
  if (!text) return read_status::stop;
  std::string_view label = *text;
  // If the text is too short for the values, no memory is allocated, and reading finds the error.
  const bool fits = is_sparse_ || can_contain(in_.tokens, type_.block_cells());
  builder::entry block;
  read_status result = in_.check_label(label, name.offset);
  if (result == read_status::ok && fits) {
    result = find_block({&label, 1}, name.offset, block);
    if (result == read_status::ok && !block.was_added) result = report_repeated({&label, 1}, name.offset);
  }
  if (result == read_status::stop) return result;
  if (result == read_status::invalid) return in_.skip() == read_status::stop ? read_status::stop : result;
  prefetch_later_label();
  if (in_.tokens.kind() == '[' || in_.tokens.kind() == '{') label = scratch_.assign(label);  // the window may move
  const auto step = in_.path.add_label(label);
  return read_value(is_sparse_ ? value_form::cell : value_form::block,
                    fits ? into_.cells(block.block) : std::span<std::byte>());
}

/// Reads an object of `address` and `value` or `values`, in any order.
read_status content_reader::read_addressed(value_form form) {
  if (in_.tokens.kind() != '{') return in_.report_wrong_value(errc::unexpected_token, "an object");
  const std::uint64_t begin = in_.tokens.offset();
  const std::string_view value_name = form == value_form::block ? "values" : "value";
  std::span<std::byte> target;  // the cells at the address
  bool has_address = false, has_value = false;
  const read_status result = in_.members([&](const member_name& name) {
    bool is_address = core::same_text(name.raw, "address"), is_value = core::same_text(name.raw, value_name);
    if (!is_address && !is_value) {  // another name, or one with escapes
      const auto text = in_.unescaped(name.raw, name.offset, scratch_);
      if (!text) return read_status::stop;
      is_address = *text == "address";
      is_value = *text == value_name;
      if (!is_address && !is_value)
        return in_.report_and_skip({.cause = {.code = errc::unknown_member, .offset = name.offset},
                                    .expected = "address or " + std::string(value_name),
                                    .found = printable_quoted(*text)});
    }
    const std::string_view member = is_address ? "address" : value_name;
    bool& is_seen = is_address ? has_address : has_value;
    if (is_seen) return in_.report_repeated_member(member, name.offset);
    is_seen = true;
    const auto step = in_.path.add_member(member);
    if (is_address) return read_address(form, has_value, target);
    if (target.empty()) {
      const bool fits = form == value_form::cell || can_contain(in_.tokens, type_.block_cells());
      value_before_address_.resize(!fits ? 0 : form == value_form::cell ? cell_bytes_ : type_.block_bytes());
    }
    return read_value(form, target.empty() ? std::span(value_before_address_) : target);
  });
  if (result == read_status::stop || (has_address && has_value)) return result;
  const std::string missing = has_address ? "" : has_value ? "address" : "address and ";
  return in_.report_problem({.cause = {.code = errc::missing_member, .offset = begin},
                             .expected = "a member " + missing + std::string(has_value ? "" : value_name)});
}

/// Reads an address and finds its cells, except for a block whose values cannot follow because the text is too short.
read_status content_reader::read_address(value_form form, bool has_value, std::span<std::byte>& target) {
  const bool is_block = form == value_form::block;
  const std::uint64_t offset = in_.tokens.offset();
  address_reader& address = is_block ? block_address_ : cell_address_;
  const read_status result = address.read();
  if (result != read_status::ok || (is_block && !has_value && !can_contain(in_.tokens, type_.block_cells())))
    return result;
  builder::entry block;
  if (!address.labels().empty() && find_block(address.labels(), offset, block) == read_status::stop)
    return read_status::stop;
  if (is_block || is_sparse_) {
    if (!block.was_added) return report_repeated(address.labels(), offset);
  } else {
    if (block.was_added) stored_cells_.grow(into_.blocks() * type_.block_cells());
    if (!stored_cells_.insert(block.block * type_.block_cells() + address.cell())) return report_repeated({}, offset);
  }
  if (is_sparse_ && address.labels().size() == 1) prefetch_later_label();
  target = into_.cells(block.block);
  if (!is_block) target = target.subspan(static_cast<std::size_t>(address.cell()) * cell_bytes_, cell_bytes_);
  if (has_value && !value_before_address_.empty())
    std::memcpy(target.data(), value_before_address_.data(), target.size());
  return result;
}

/// Finds the block with these labels, or adds it.
read_status content_reader::find_block(std::span<const std::string_view> labels, std::uint64_t offset,
                                       builder::entry& block) {
  failure why;
  block = into_.find_or_add(labels, why);
  if (!why) return read_status::ok;
  why.offset = offset;
  if (why.code != errc::too_large) return in_.report_last({.cause = why});
  return in_.report_last(
      {.cause = why, .expected = "at most " + std::to_string(why.expected) + " bytes of cells", .found = "more"});
}

/// Reports that a block with these labels was read before, or a cell if there are none.
read_status content_reader::report_repeated(std::span<const std::string_view> labels, std::uint64_t offset) {
  const std::string found = labels.size() == 1 ? printable_quoted(labels[0]) : "address";
  return in_.report_problem(
      {.cause = {.code = errc::repeated_address, .offset = offset}, .found = "a second " + found});
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

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
