// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <tgmap/constant/builder.hpp>
#include <vector>

#include "constant/json/address_reader.hpp"
#include "constant/json/dense_reader.hpp"
#include "constant/model/byte_buffer.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

/// A `cell_set` is a set of cells with one bit for each. Bits of the first cells take no memory until they are set.
class cell_set {
 public:
  /// Makes room for so many cells. Throws std::bad_alloc.
  void grow(std::uint64_t cells);
  /// Adds a cell. Returns false if it was in the set.
  bool insert(std::uint64_t cell) noexcept {
    std::byte& byte = bits_.data()[cell / 8];
    const auto bit = static_cast<std::byte>(1u << (cell % 8));
    const bool is_new = (byte & bit) == std::byte{0};
    byte |= bit;
    return is_new;
  }

 private:
  byte_buffer bits_{};
};

/// The form of a value: one number, or the cells of a block.
enum class value_form : bool { cell, block };

/// A `content_reader` reads the cells of a document, in all forms, into a builder.
class content_reader {
 public:
  content_reader(parser& in, const tensor_type& type, builder& into)
      : in_(in),
        type_(type),
        shape_(type),
        cell_bytes_(element_size(type.cell_type())),
        is_sparse_(type.is_sparse()),
        into_(into),
        cell_address_(in, type, false),
        block_address_(in, type, true) {}

  read_status read_values();                      ///< all cells of a type without mapped dimensions
  read_status read_array(value_form);             ///< `[{"address":{...},"value":1}]`, or `values` and a block
  read_status read_labels();                      ///< `{"a":1}` if the type is sparse, `{"a":[1,2]}` if it is mixed
  read_status read_labelled(const member_name&);  ///< the value of one of these labels

 private:
  read_status read_addressed(value_form);
  read_status read_address(value_form, bool has_value, std::span<std::byte>& target);
  read_status read_value(value_form form, std::span<std::byte> to) {
    return form == value_form::block ? read_dense(in_, type_, shape_, to) : in_.read_cell(type_.cell_type(), to.data());
  }
  read_status find_block(std::span<const std::string_view> labels, std::uint64_t offset, builder::entry&);
  read_status report_repeated(std::span<const std::string_view> labels, std::uint64_t offset);
  void prefetch_later_label() noexcept;

  parser& in_;
  const tensor_type& type_;
  block_shape shape_;
  std::size_t cell_bytes_;
  bool is_sparse_;
  builder& into_;
  address_reader cell_address_, block_address_;
  std::vector<std::byte> value_before_address_{};
  cell_set stored_cells_{};     // unless the type is sparse
  std::size_t last_label_ = 0;  // index of its token in the window
  std::string scratch_{};
};

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
