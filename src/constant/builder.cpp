// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <memory>
#include <new>
#include <random>
#include <system_error>
#include <tgmap/constant/builder.hpp>

#include "constant/constant_access.hpp"
#include "constant/grown_memory.hpp"
#include "constant/label_table.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

failure without_memory() noexcept { return {.code = tgmap::errc::out_of_memory}; }

std::uint64_t chosen_by_chance() {
  std::random_device source;
  return std::uint64_t{source()} << 32 | source();
}

}  // namespace

struct builder::insides {
  tensor_type type{};
  std::uint64_t most_bytes = 0, blocks = 0, seed = 0;
  grown_memory cells{}, text{}, offsets{}, table{};

  std::string_view label(std::uint64_t number) const noexcept {
    const auto bytes = offsets.bytes();
    const std::uint64_t begin = load_number(bytes, number), end = load_number(bytes, number + 1);
    return {reinterpret_cast<const char*>(text.data()) + begin, static_cast<std::size_t>(end - begin)};
  }

  table_place look(std::span<const std::string_view> labels, std::uint64_t hash) const noexcept {
    return look_up(table.bytes(), hash, [&](std::uint64_t block) {
      for (std::size_t i = 0; i < labels.size(); ++i)
        if (label(block * labels.size() + i) != labels[i]) return false;
      return true;
    });
  }

  /// Entries go where their whole hash says: it is made of the labels again.
  failure grow_table() noexcept {
    const std::uint64_t size = std::max<std::uint64_t>(64, table.size() / 8 * 2);
    grown_memory larger;
    if (!larger.zeros(size * 8)) return without_memory();
    const std::size_t each = type.mapped_count();
    std::array<std::string_view, max_rank> labels{};
    std::array<std::uint64_t, 32> hashes{};  // of some blocks, so that their places are fetched at once
    for (std::uint64_t first = 0; first < blocks; first += hashes.size()) {
      const std::uint64_t count = std::min<std::uint64_t>(hashes.size(), blocks - first);
      for (std::uint64_t k = 0; k < count; ++k) {
        for (std::size_t i = 0; i < each; ++i) labels[i] = label((first + k) * each + i);
        hashes[k] = hash_of({labels.data(), each}, seed);
        __builtin_prefetch(larger.data() + (hashes[k] & (size - 1)) * 8, 1);
      }
      for (std::uint64_t k = 0; k < count; ++k) {
        std::uint64_t at = hashes[k] & (size - 1);
        while (load_number(larger.bytes(), at) != 0) at = (at + 1) & (size - 1);
        store_number(larger.data(), at, table_entry(hashes[k], first + k));
      }
    }
    table = std::move(larger);
    return {};
  }

  failure add_block(std::span<const std::string_view> labels) noexcept {
    const std::uint64_t bytes = type.block_bytes();
    if (blocks == most_blocks) return {.code = errc::too_large, .expected = most_blocks, .found = blocks + 1};
    if (bytes > most_bytes - cells.size())
      return {.code = errc::too_large, .expected = most_bytes, .found = cells.size() + bytes};
    std::size_t length = 0;
    for (const auto each : labels) length += each.size();
    const std::size_t first = offsets.size() == 0 ? 8 : 0;
    if (!cells.add(bytes)) return without_memory();
    if (!text.add(length)) {
      cells.drop(bytes);
      return without_memory();
    }
    if (!offsets.add(first + labels.size() * 8)) {
      cells.drop(bytes);
      text.drop(length);
      return without_memory();
    }
    std::memset(cells.data() + cells.size() - bytes, 0, bytes);
    if (first != 0) store_number(offsets.data(), 0, 0);
    std::uint64_t end = text.size() - length;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (!labels[i].empty()) std::memcpy(text.data() + end, labels[i].data(), labels[i].size());
      end += labels[i].size();
      store_number(offsets.data(), blocks * labels.size() + i + 1, end);
    }
    ++blocks;
    return {};
  }
};

builder::builder(tensor_type type, failure& why) noexcept : builder(std::move(type), default_max_bytes, why) {}

builder::builder(tensor_type type, std::uint64_t most_bytes, failure& why) noexcept {
  why = {};
  try {
    insides_ = std::make_unique<insides>();
    insides_->seed = chosen_by_chance();
  } catch (const std::bad_alloc&) {
    why = without_memory();
    return;
  } catch (const std::system_error& e) {  // no source of chance
    why = {.code = e.code()};
    return;
  }
  insides& in = *insides_;
  in.type = std::move(type);
  in.most_bytes = most_bytes;
  if (in.type.mapped_count() != 0)
    why = in.grow_table();
  else if (in.type.block_bytes() > most_bytes)
    why = {.code = errc::too_large, .expected = most_bytes, .found = in.type.block_bytes()};
  else if (!in.cells.zeros(in.type.block_bytes()))
    why = without_memory();
  else
    in.blocks = 1;
}

builder::builder(tensor_type type, std::uint64_t most_bytes) {
  failure why;
  *this = builder(std::move(type), most_bytes, why);
  tgmap::detail::raise_if(why);
}

builder::~builder() = default;
builder::builder(builder&&) noexcept = default;
builder& builder::operator=(builder&&) noexcept = default;

const tensor_type& builder::type() const noexcept { return insides_->type; }
std::uint64_t builder::blocks() const noexcept { return insides_->blocks; }

std::optional<std::uint64_t> builder::find(std::span<const std::string_view> labels) const noexcept {
  const insides& in = *insides_;
  if (labels.size() != in.type.mapped_count()) return {};
  if (labels.empty()) return in.blocks == 0 ? std::nullopt : std::optional<std::uint64_t>(0);
  const table_place at = in.look(labels, hash_of(labels, in.seed));
  return at.found ? std::optional(at.number) : std::nullopt;
}

void builder::prefetch(std::span<const std::string_view> labels) const noexcept {
  const insides& in = *insides_;
  if (in.table.size() == 0) return;
  const std::uint64_t at = hash_of(labels, in.seed) & (in.table.size() / 8 - 1);
  __builtin_prefetch(in.table.data() + at * 8, 1);
}

builder::entry builder::find_or_add(std::span<const std::string_view> labels, failure& why) noexcept {
  why = {};
  insides& in = *insides_;
  if (labels.size() != in.type.mapped_count()) {
    why = {.code = errc::missing_dimension, .expected = in.type.mapped_count(), .found = labels.size()};
    return {};
  }
  if (labels.empty()) return {0, false};
  if (table_size(in.blocks + 1) > in.table.size() / 8) why = in.grow_table();
  if (why) return {};
  const std::uint64_t hash = hash_of(labels, in.seed);
  const table_place at = in.look(labels, hash);
  if (at.found) return {at.number, false};
  why = in.add_block(labels);
  if (why) return {};
  store_number(in.table.data(), at.number, table_entry(hash, in.blocks - 1));
  return {in.blocks - 1, true};
}

builder::entry builder::find_or_add(std::span<const std::string_view> labels) {
  failure why;
  const entry out = find_or_add(labels, why);
  tgmap::detail::raise_if(why);
  return out;
}

std::span<std::byte> builder::cells(std::uint64_t block) noexcept {
  const std::uint64_t bytes = insides_->type.block_bytes();
  return {insides_->cells.data() + block * bytes, static_cast<std::size_t>(bytes)};
}

tensor_constant builder::finish() noexcept {
  insides_->cells.trim();
  insides_->text.trim();
  insides_->offsets.trim();
  std::shared_ptr<insides> in = std::move(insides_);
  return constant_access::make({.type = in->type,
                                .blocks = in->blocks,
                                .cells = in->cells.bytes(),
                                .text = in->text.bytes(),
                                .offsets = in->offsets.bytes(),
                                .table = in->table.bytes(),
                                .seed = in->seed,
                                .owner = pin(in)});
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
