// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/constant/tensor_constant.hpp>

namespace tgmap::cli {

/// A value as people and scripts read it: the fewest digits that tell it from others of its cell type; NaN, -NaN,
/// Infinity, -Infinity.
void append_cell_value(std::string& to, double value, dtype cells);

/// The same in JSON: the exact value as a double, words in quotes.
void append_cell_json(std::string& to, double value);

/// Text as JSON, in ASCII.
void append_json_text(std::string& to, std::string_view text);

/// The addresses of the cells of one block, one after another.
class cell_addresses {
 public:
  /// Throws tgmap::error (bad_constant).
  cell_addresses(const constant::tensor_constant& of, std::uint64_t block);

  void append_text(std::string& to) const;  ///< `key=abc x=2`: what `tgmap constant get` takes; labels escaped
  void append_json(std::string& to) const;  ///< `{"key":"abc","x":2}`
  void advance() noexcept;                  ///< to the next cell of the block

 private:
  const constant::tensor_type* type_;
  std::vector<std::string_view> labels_{};
  std::vector<std::uint64_t> indices_{};
};

}  // namespace tgmap::cli
