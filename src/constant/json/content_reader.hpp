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

/// A `cell_set` is a set of cells with one bit for each. Bits that are never set take no memory.
class cell_set {
 public:
  /// Makes an empty set. Throws std::bad_alloc, as `grow` does.
  void reset(std::uint64_t cells);
  /// Makes room for so many cells.
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

/// A `content_reader` reads the cells of a document, in all forms, into a builder.
class content_reader {
 public:
  content_reader(parser& in, const tensor_type& type, builder& into)
      : in_(in),
        type_(type),
        shape_(type),
        into_(into),
        cell_address_(in, type, false),
        block_address_(in, type, true) {}

  read_status read_values();                            ///< all cells of a type without mapped dimensions
  read_status read_cells_array();                       ///< `[{"address":{...},"value":1}]`
  read_status read_cells_object();                      ///< `{"a":1}`
  read_status read_blocks_array();                      ///< `[{"address":{...},"values":[1,2]}]`
  read_status read_blocks_object();                     ///< `{"a":[1,2]}`
  read_status read_labelled_cell(const member_name&);   ///< the current value
  read_status read_labelled_block(const member_name&);  ///< the current values

 private:
  template <class Cell>
  read_status read_cell();
  template <class Cell>
  read_status find_cell(std::uint64_t offset, Cell*& target);
  read_status read_block();
  read_status read_block_values(std::span<std::byte> to) { return read_dense(in_, type_.cell_type(), shape_, to); }
  read_status add_block(std::span<const std::string_view> labels, std::uint64_t offset, std::uint64_t& block);
  void prefetch_later_label() noexcept;
  read_status report_repeated(std::uint64_t offset, std::string found);
  template <class Address, class Value>
  read_status read_addressed(std::string_view value_name, Address&& read_address, Value&& read_value);
  read_status read_label(const member_name&, std::string_view& label);

  parser& in_;
  const tensor_type& type_;
  block_shape shape_;
  builder& into_;
  address_reader cell_address_, block_address_;
  std::vector<std::byte> values_before_address_{};
  cell_set stored_cells_{};
  std::size_t last_label_ = 0;  // index of its token in the window
  std::string scratch_{};
};

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
