// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <new>
#include <string>
#include <tgmap/array_view.hpp>
#include <tgmap/constant/archive.hpp>
#include <tgmap/constant/convert.hpp>
#include <utility>

#include "constant/bridge/archive_keys.hpp"
#include "constant/model/constant_access.hpp"
#include "constant/model/label_table.hpp"
#include "constant/model/report.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

/// The objects of a constant, and the owner of their bytes.
struct opened_objects {
  pin archive{};
  std::array<tensor, 4> all{};
};

/// Returns the byte order to decode to: little-endian for all objects but the cells.
constexpr output_byte_order wanted_order(std::size_t object) noexcept {
  return object == 0 || std::endian::native == std::endian::little ? output_byte_order::native
                                                                   : output_byte_order::stored;
}

failure contradiction(std::size_t object, std::uint64_t expected, std::uint64_t found) noexcept {
  return {.code = errc::bad_constant, .expected = expected, .found = found, .object = object};
}

tensor read_object(const tgmap::message& message, std::size_t number, dtype wanted, failure& why) {
  const object object = message.at(number, why);
  if (why) return {};
  tensor out = object.decode({.byte_order = wanted_order(number)}, why);
  if (!why && out.dtype() != wanted)
    why = contradiction(number, static_cast<std::uint64_t>(wanted), static_cast<std::uint64_t>(out.dtype()));
  if (!why && !is_c_order(out.shape(), out.strides())) why = contradiction(number, 0, 0);
  if (!why && number != 0 && out.shape().size() != 1) why = contradiction(number, 1, out.shape().size());
  if (why && !why.object) why.object = number;
  return out;
}

/// Checks the shape of the cells and returns the number of blocks in it.
failure check_shape(const tensor_type& type, std::span<const std::uint64_t> shape, std::uint64_t& blocks) noexcept {
  const std::size_t first = type.mapped_count() != 0 ? 1 : 0;
  if (shape.size() != first + type.indexed_count()) return contradiction(0, first + type.indexed_count(), shape.size());
  std::size_t at = first;
  for (const dimension& one : type.dimensions())
    if (!one.is_mapped() && shape[at++] != one.size) return contradiction(0, one.size, shape[at - 1]);
  blocks = first != 0 ? shape[0] : 1;
  return {};
}

tensor_constant open(const archive& in, const tgmap::message& message, failure& why) {
  const message_summary keys = message.summary(why);
  if (why) {
    if (why.code == tgmap::errc::no_metadata) why.code = errc::not_a_constant;
    return {};
  }
  const auto text = keys.message_metadata.get<std::string_view>(keys::type);
  if (!text) {
    why = {.code = errc::not_a_constant};
    return {};
  }
  constant_parts parts{.type = tensor_type::parse(*text, why)};
  if (why) {
    why.offset = 0;  // it is a position in the text of the type
    return {};
  }
  const std::size_t objects = parts.type.mapped_count() != 0 ? 4 : 1;
  if (keys.object_count != objects) {
    why = {.code = errc::bad_constant, .expected = objects, .found = keys.object_count};
    return {};
  }
  const auto opened = std::make_shared<opened_objects>(opened_objects{.archive = in.pin()});
  const dtype types[] = {parts.type.cell_type(), dtype::uint8, dtype::uint64, dtype::uint64};
  parts.is_borrowed = true;
  for (std::size_t i = 0; i < objects; ++i) {
    opened->all[i] = read_object(message, i, types[i], why);
    if (why) return {};
    parts.is_borrowed = parts.is_borrowed && opened->all[i].is_borrowed();
  }
  why = check_shape(parts.type, opened->all[0].shape(), parts.blocks);
  if (why) return {};
  parts.cells = opened->all[0].bytes();
  if (objects == 4) {
    if (parts.blocks > max_blocks) {  // avoids overflow below
      why = contradiction(0, max_blocks, parts.blocks);
      return {};
    }
    const std::uint64_t labels = parts.blocks * parts.type.mapped_count(), wanted = table_size(parts.blocks);
    const std::uint64_t offsets = opened->all[2].size(), entries = opened->all[3].size();
    if (offsets != labels + 1 && (labels != 0 || offsets != 0))
      why = contradiction(2, labels + 1, offsets);
    else if (entries != wanted)
      why = contradiction(3, wanted, entries);
    const auto seed = keys.message_metadata.get<std::uint64_t>(keys::seed);
    if (!why && !seed) why = {.code = errc::bad_constant};
    if (why) return {};
    parts.seed = *seed;
    parts.text = opened->all[1].bytes();
    parts.offsets = opened->all[2].bytes();
    parts.table = opened->all[3].bytes();
  }
  parts.owner = pin(opened);
  return constant_access::make(std::move(parts));
}

}  // namespace

tensor_constant from_archive(const archive& in, const tgmap::message& message, failure& why) noexcept try {
  why = {};
  tensor_constant out = open(in, message, why);
  if (why && !why.message) why.message = message.index();
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

tensor_constant from_archive(const archive& in, const tgmap::message& message) {
  failure why;
  tensor_constant out = from_archive(in, message, why);
  tgmap::detail::raise_if(why);
  return out;
}

namespace {

problem type_problem(const tensor_constant& from, const read_options& how) {
  const auto stored = from.type().dimensions();
  if (!how.type || std::ranges::equal(stored, how.type->dimensions())) return {};
  return {.cause = {.code = errc::type_mismatch}, .path = from.type().text()};
}

}  // namespace

tensor_constant from_archive(const archive& in, const tgmap::message& message, const read_options& how,
                             report& found) noexcept {
  return read_noexcept(found, [&]() -> tensor_constant {
    failure why;
    const tensor_constant stored = from_archive(in, message, why);
    problem first = why ? problem{.cause = why} : type_problem(stored, how);
    tensor_constant out;
    if (!first.cause) {
      const dtype declared = how.type ? how.type->cell_type() : stored.type().cell_type();
      out = convert(stored, how.cell_type.value_or(declared), how, why);
      if (why) first = {.cause = why, .path = "cells[" + std::to_string(why.found) + ']'};
    }
    if (first.cause) found.problems.push_back(std::move(first));
    return out;
  });
}

tensor_constant from_archive(const archive& in, const tgmap::message& message, const read_options& how) {
  report found;
  tensor_constant out = from_archive(in, message, how, found);
  throw_first(found);
  return out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
