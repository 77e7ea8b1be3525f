// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <tgmap/constant/write.hpp>
#include <vector>

#include "constant/write/block_sequence.hpp"
#include "constant/write/number_text.hpp"
#include "constant/write/output.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

/// Writes one constant as JSON. Throws std::bad_alloc; all else is told by the output.
class json_writer {
 public:
  json_writer(const tensor_constant&, const write_options&, output&);
  void write();

 private:
  void write_content();
  void write_cells();          ///< an array of addresses and values
  void write_cells_object();   ///< {label: value}
  void write_blocks_object();  ///< {label: dense part}
  void write_blocks();         ///< an array of addresses and dense parts

  void write_dense(const std::byte* block);
  void write_rows(const std::byte* block);
  void write_run(const std::byte* cells, std::uint64_t count, std::string_view between);
  void write_cells_of(const std::byte* block, const std::vector<std::string>& labels);
  void write_label(std::uint64_t block, std::size_t mapped);

  const std::byte* cells_of(std::uint64_t block) const noexcept {
    return from_.bytes().data() + block * from_.type().block_bytes();
  }
  const tensor_constant& from_;
  write_options options_;
  output& out_;
  block_sequence order_;
  number_text number_, part_;           ///< of single cells, and of dense parts
  std::vector<std::uint64_t> sizes_{};  ///< of indexed dimensions
};

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
