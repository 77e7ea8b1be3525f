// SPDX-License-Identifier: Apache-2.0
// The forms in which a document tells of cells.
#pragma once

#include <string>
#include <tgmap/constant/builder.hpp>
#include <vector>

#include "constant/json/address.hpp"
#include "constant/json/filled_cells.hpp"
#include "constant/json/nested.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

/// What is read into.
class content {
 public:
  content(parser& in, const tensor_type& type, builder& into)
      : in_(in),
        type_(type),
        shape_(type),
        into_(into),
        cell_address_(in, type, false),
        block_address_(in, type, true) {}

  outcome dense();                             ///< all cells of a dense type
  outcome cells_array();                       ///< `[{"address":{...},"value":1}]`
  outcome cells_object();                      ///< `{"a":1}`
  outcome blocks_array();                      ///< `[{"address":{...},"values":[1,2]}]`
  outcome blocks_object();                     ///< `{"a":[1,2]}`
  outcome labelled_cell(const member_name&);   ///< the value here
  outcome labelled_block(const member_name&);  ///< the values here

 private:
  template <class Cell>
  outcome cell_here();
  template <class Cell>
  outcome find_cell(std::uint64_t offset, Cell*& target);
  outcome block_here();
  outcome values_here(std::span<std::byte> to);
  outcome add_block(std::span<const std::string_view> labels, std::uint64_t offset, std::uint64_t& block);
  void look_ahead() noexcept;
  outcome repeated(std::uint64_t offset, std::string found);
  template <class Address, class Value>
  outcome addressed(std::string_view value_name, Address&& address, Value&& value);
  outcome label_of(const member_name&, std::string_view& label);

  parser& in_;
  const tensor_type& type_;
  block_shape shape_;
  builder& into_;
  address_reader cell_address_, block_address_;
  std::vector<std::byte> held_{};  // values that came before their address
  filled_cells filled_{};
  std::size_t last_label_ = 0;  // the token's number
  std::string scratch_{};
};

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
