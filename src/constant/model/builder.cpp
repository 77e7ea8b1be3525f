// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <memory>
#include <new>
#include <random>
#include <system_error>
#include <tgmap/constant/builder.hpp>

#include "constant/model/byte_buffer.hpp"
#include "constant/model/constant_access.hpp"
#include "constant/model/label_table.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

failure no_memory() noexcept { return {.code = tgmap::errc::out_of_memory}; }

std::uint64_t random_seed() {
  std::random_device source;
  return std::uint64_t{source()} << 32 | source();
}

}  // namespace

struct builder::insides {
  tensor_type type{};
  std::uint64_t max_bytes = 0, blocks = 0, seed = 0;
  byte_buffer cells{}, text{}, offsets{}, table{};

  std::string_view label(std::uint64_t index) const noexcept {
    const auto bytes = offsets.bytes();
    const std::uint64_t begin = load_number(bytes, index), end = load_number(bytes, index + 1);
    return {reinterpret_cast<const char*>(text.data()) + begin, static_cast<std::size_t>(end - begin)};
  }

  table_slot find(std::span<const std::string_view> labels, std::uint64_t hash) const noexcept {
    return find_slot(table.bytes(), hash, [&](std::uint64_t block) {
      for (std::size_t i = 0; i < labels.size(); ++i)
        if (label(block * labels.size() + i) != labels[i]) return false;
      return true;
    });
  }

  /// Doubles the table. Entries hold half of the hash, so it is computed again from the labels.
  failure grow_table() noexcept {
    const std::uint64_t size = std::max<std::uint64_t>(64, table.size() / 8 * 2);
    byte_buffer larger;
    if (!larger.allocate_zeros(size * 8)) return no_memory();
    const std::size_t each = type.mapped_count();
    std::array<std::string_view, max_rank> labels{};
    std::array<std::uint64_t, 32> hashes{};  // of some blocks, so that their slots are prefetched together
    for (std::uint64_t first = 0; first < blocks; first += hashes.size()) {
      const std::uint64_t count = std::min<std::uint64_t>(hashes.size(), blocks - first);
      for (std::uint64_t k = 0; k < count; ++k) {
        for (std::size_t i = 0; i < each; ++i) labels[i] = label((first + k) * each + i);
        hashes[k] = hash_labels({labels.data(), each}, seed);
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
    if (blocks == max_blocks) return {.code = errc::too_large, .expected = max_blocks, .found = blocks + 1};
    if (bytes > max_bytes - cells.size())
      return {.code = errc::too_large, .expected = max_bytes, .found = cells.size() + bytes};
    std::size_t length = 0;
    for (const auto each : labels) length += each.size();
    const std::size_t first_offset = offsets.size() == 0 ? 8 : 0;
    if (!cells.grow(bytes)) return no_memory();
    if (!text.grow(length)) {
      cells.shrink(bytes);
      return no_memory();
    }
    if (!offsets.grow(first_offset + labels.size() * 8)) {
      cells.shrink(bytes);
      text.shrink(length);
      return no_memory();
    }
    std::memset(cells.data() + cells.size() - bytes, 0, bytes);
    if (first_offset != 0) store_number(offsets.data(), 0, 0);
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

builder::builder(tensor_type type, std::uint64_t max_bytes, failure& why) noexcept {
  why = {};
  try {
    insides_ = std::make_unique<insides>();
    insides_->seed = random_seed();
  } catch (const std::bad_alloc&) {
    why = no_memory();
    return;
  } catch (const std::system_error& e) {  // no random numbers
    why = {.code = e.code()};
    return;
  }
  insides& in = *insides_;
  in.type = std::move(type);
  in.max_bytes = max_bytes;
  if (in.type.mapped_count() != 0)
    why = in.grow_table();
  else if (in.type.block_bytes() > max_bytes)
    why = {.code = errc::too_large, .expected = max_bytes, .found = in.type.block_bytes()};
  else if (!in.cells.allocate_zeros(in.type.block_bytes()))
    why = no_memory();
  else
    in.blocks = 1;
}

builder::builder(tensor_type type, std::uint64_t max_bytes) {
  failure why;
  *this = builder(std::move(type), max_bytes, why);
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
  const table_slot slot = in.find(labels, hash_labels(labels, in.seed));
  return slot.is_found ? std::optional(slot.index) : std::nullopt;
}

void builder::prefetch(std::span<const std::string_view> labels) const noexcept {
  const insides& in = *insides_;
  if (in.table.size() == 0) return;
  const std::uint64_t at = hash_labels(labels, in.seed) & (in.table.size() / 8 - 1);
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
  const std::uint64_t hash = hash_labels(labels, in.seed);
  const table_slot slot = in.find(labels, hash);
  if (slot.is_found) return {slot.index, false};
  why = in.add_block(labels);
  if (why) return {};
  store_number(in.table.data(), slot.index, table_entry(hash, in.blocks - 1));
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
  insides_->cells.shrink_to_fit();
  insides_->text.shrink_to_fit();
  insides_->offsets.shrink_to_fit();
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
