// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>
#include <stdexcept>
#include <support/forged/forged_index.hpp>
#include <utility>

#include "index_file/format.hpp"

namespace tgmap_test {

namespace {

namespace format = tgmap::index_file;

constexpr std::size_t identity_at = 16, counts_at = 32, runs_at = 72;  // in the trailer
constexpr std::uint16_t unknown_section = 999;                         // which readers skip

format::section as_section(index_section which) { return static_cast<format::section>(which); }

std::size_t size_of(index_section which) { return format::record_size(as_section(which)); }

}  // namespace

forged_index::forged_index(bytes index) : index_(std::move(index)) {}

std::uint64_t forged_index::number(std::size_t at) const {
  return tgmap::wire::load_le<std::uint64_t>(std::as_bytes(std::span(index_)).subspan(at, 8).data());
}

void forged_index::set_number(std::size_t at, std::uint64_t to) {
  tgmap::wire::store_le(std::as_writable_bytes(std::span(index_)).subspan(at, 8).data(), to);
}

/// Returns the place of the page run of a section.
std::size_t forged_index::run_of(index_section which) const {
  const std::size_t trailer = index_.size() - format::page_size;
  for (std::uint64_t k = 0; k < number(trailer + runs_at); ++k) {
    const std::size_t at = trailer + format::trailer::size + k * format::page_run::size;
    if ((number(at) & 0xffff) == static_cast<std::uint16_t>(which)) return at;
  }
  throw std::out_of_range("no such section");
}

std::uint64_t forged_index::count(index_section which) const { return number(run_of(which) + 16); }

std::size_t forged_index::place_of(index_section which, std::uint64_t record) const {
  const std::uint64_t each = format::records_per_page(size_of(which));
  return (number(run_of(which) + 24) + record / each) * format::page_size + record % each * size_of(which);
}

std::uint64_t forged_index::get(index_section which, std::uint64_t record, std::size_t at) const {
  return number(place_of(which, record) + at);
}

void forged_index::set(index_section which, std::uint64_t record, std::size_t at, std::uint64_t to) {
  set_number(place_of(which, record) + at, to);
}

void forged_index::copy(index_section which, std::uint64_t from, std::uint64_t to) {
  index_.replace(place_of(which, to), size_of(which), index_.substr(place_of(which, from), size_of(which)));
}

void forged_index::cut(index_section which, std::uint64_t count) {
  const std::size_t run = run_of(which), trailer = index_.size() - format::page_size;
  set_number(run + 16, count);
  if (count == 0) set_number(run, unknown_section);
  const std::size_t fact = which == index_section::messages ? 0 : which == index_section::objects ? 1 : 3;
  if (which != index_section::columns) set_number(trailer + counts_at + fact * 8, count);
}

bytes forged_index::sealed() const {
  bytes out = index_;
  const std::uint64_t identity = number(index_.size() - format::page_size + identity_at);
  for (std::size_t page = 0; page * format::page_size < out.size(); ++page)
    format::seal_page(
        std::as_writable_bytes(std::span(out)).subspan(page * format::page_size).first<format::page_size>(), identity,
        page);
  return out;
}

bytes hiding_message(bytes index, std::uint64_t i) {
  forged_index forged(std::move(index));
  const std::uint64_t messages = forged.count(index_section::messages), objects = forged.count(index_section::objects);
  for (std::uint64_t k = i + 1; k < messages; ++k) {
    forged.copy(index_section::messages, k, k - 1);
    forged.set(index_section::messages, k - 1, 16, forged.get(index_section::messages, k - 1, 16) - 1);
  }
  for (std::uint64_t k = i + 1; k < objects; ++k) forged.copy(index_section::objects, k, k - 1);
  forged.cut(index_section::messages, messages - 1);
  forged.cut(index_section::objects, objects - 1);
  for (const index_section other : {index_section::gaps, index_section::columns}) try {
      forged.cut(other, 0);
    } catch (const std::out_of_range&) {  // there are none
    }
  return forged.sealed();
}

}  // namespace tgmap_test
