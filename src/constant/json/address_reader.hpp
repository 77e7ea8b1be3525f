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

  /// Reads the current value. The results are valid until the next call.
  read_status read();
  std::span<const std::string_view> labels() const noexcept { return {labels_.data(), copies_.size()}; }
  std::uint64_t cell() const noexcept { return cell_; }  ///< index in its block

 private:
  struct known_dimension {
    std::string_view name{};
    std::uint64_t size = 0, stride = 0;  // of an indexed dimension
    std::size_t mapped_index = 0;        // among the mapped dimensions
    bool is_expected = true, is_seen = false;
  };
  known_dimension* find_dimension(std::string_view name) noexcept;
  read_status read_member(const member_name&);
  read_status read_label(const known_dimension&);
  read_status set_label(const known_dimension&, std::string_view raw);
  read_status set_index(const known_dimension&, std::string_view);
  read_status report_missing();

  parser& in_;
  std::vector<known_dimension> dimensions_{};
  std::size_t next_ = 0;  // the dimension after the one found last
  std::size_t expected_count_ = 0, seen_count_ = 0;
  std::array<std::string_view, max_rank> labels_{};
  std::vector<std::string> copies_{};  // of the labels
  std::uint64_t cell_ = 0;
  std::string scratch_{};
};

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
