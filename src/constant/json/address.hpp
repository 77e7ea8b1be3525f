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
namespace constant {
namespace json {

/// Reads addresses: `{"key":"abc","x":"2"}`, every dimension once, or every mapped one.
class address_reader {
 public:
  address_reader(parser&, const tensor_type&, bool mapped_alone);

  /// The address here. What it gives is valid until the token moves on.
  outcome read();
  std::span<const std::string_view> labels() const noexcept { return {labels_.data(), mapped_}; }
  std::uint64_t cell() const noexcept { return cell_; }  ///< in its block

  /// A label as it stands in a text, of the mapped dimension of that number: "" may be none.
  outcome check_label(std::string_view label, std::uint64_t offset);

 private:
  struct known {
    std::string name{}, quoted{};
    std::uint64_t size = 0, stride = 0;  // of an indexed dimension
    std::size_t mapped = 0;              // number among the mapped ones
    bool wanted = true;
    std::uint64_t word = 0, mask = 0;  // the quoted name where it is short, as one number
  };
  bool is_here(const known&) const noexcept;
  std::size_t find_here(outcome&);
  outcome label_here(known&, bool keep);
  outcome index_here(const known&, std::string_view, std::uint64_t offset);
  outcome integer_here(known&, bool keep);
  void keep_label(std::size_t mapped, std::string_view, bool copy);
  outcome missing();

  parser& in_;
  std::vector<known> all_{};
  std::vector<std::size_t> order_{};  // in which the last address had its dimensions
  std::vector<bool> seen_{};
  std::array<std::string_view, max_rank> labels_{};
  std::vector<std::string> copies_{};
  std::size_t mapped_ = 0, wanted_ = 0;
  std::uint64_t cell_ = 0;
  std::string scratch_{};
};

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
