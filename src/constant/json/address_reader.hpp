// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string>
#include <tgmap/options.hpp>
#include <vector>

#include "constant/json/parser.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

/// An `address_reader` reads addresses such as `{"key":"abc","x":"2"}`, which name each dimension once.
class address_reader {
 public:
  /// With `only_mapped`, addresses name only the mapped dimensions.
  address_reader(parser&, const tensor_type&, bool only_mapped);

  /// Reads the current value. `labels` and `cell` are valid until the next token is read.
  read_status read();
  std::span<const std::string_view> labels() const noexcept { return {labels_.data(), mapped_count_}; }
  std::uint64_t cell() const noexcept { return cell_; }  ///< index in its block

  /// Reports an empty label if options do not allow it.
  read_status check_label(std::string_view label, std::uint64_t offset);

 private:
  struct known_dimension {
    std::string name{}, quoted{};
    std::uint64_t size = 0, stride = 0;  // of an indexed dimension
    std::size_t mapped_index = 0;        // among the mapped dimensions
    bool is_expected = true;
    std::uint64_t word = 0, mask = 0;  // the quoted name as one number if it is short
  };
  bool is_current(const known_dimension&) const noexcept;
  std::size_t find_dimension(read_status&);
  read_status read_label(known_dimension&, bool copy);
  read_status read_index(const known_dimension&, std::string_view, std::uint64_t offset);
  read_status read_integer_label(known_dimension&, bool copy);
  void set_label(std::size_t mapped_index, std::string_view, bool copy);
  read_status report_missing();

  parser& in_;
  std::vector<known_dimension> dimensions_{};
  std::vector<std::size_t> order_{};  // of the dimensions in the previous address
  std::vector<bool> seen_{};
  std::array<std::string_view, max_rank> labels_{};
  std::vector<std::string> copies_{};
  std::size_t mapped_count_ = 0, expected_count_ = 0;
  std::uint64_t cell_ = 0;
  std::string scratch_{};
};

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
