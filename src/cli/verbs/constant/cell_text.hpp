// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/constant/tensor_constant.hpp>
#include <vector>

namespace tgmap::cli {

/// Appends a value with the fewest digits that identify it in its cell type, or NaN, -NaN, Infinity, -Infinity.
void append_cell_value(std::string& to, double value, dtype cells);

/// Appends a value as JSON: exact as a double, with NaN and infinities as strings.
void append_cell_json(std::string& to, double value);

/// Appends a text as a JSON string in ASCII.
void append_json_text(std::string& to, std::string_view text);

/// A `cell_addresses` object iterates over the addresses of the cells of one block.
class cell_addresses {
 public:
  /// Errors: throws tgmap::error (bad_constant).
  cell_addresses(const constant::tensor_constant& of, std::uint64_t block);

  void append_text(std::string& to) const;  ///< `key=abc x=2`, as `tgmap constant get` takes it; escapes labels
  void append_json(std::string& to) const;  ///< `{"key":"abc","x":2}`
  void advance() noexcept;                  ///< moves to the next cell of the block

 private:
  const constant::tensor_type* type_;
  std::vector<std::string_view> labels_{};
  std::vector<std::uint64_t> indices_{};
};

}  // namespace tgmap::cli
