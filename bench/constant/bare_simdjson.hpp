// SPDX-License-Identifier: Apache-2.0
// simdjson On-Demand with nothing around it: what there must be at least to see the same numbers, labels and members.
// Texts have room behind them. Each call makes its parser, as each reading does, and returns a sum of what it saw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace tgmap_bench {

class padded_text {
 public:
  explicit padded_text(const std::string&);
  const char* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }
  std::size_t room() const;

 private:
  std::size_t size_;
  std::unique_ptr<char[]> bytes_;
};

double bare_nested(const padded_text&);
double bare_verbose(const padded_text&);         ///< two dimensions, indexes as numbers
double bare_verbose_labels(const padded_text&);  ///< one dimension
double bare_blocks(const padded_text&);
double bare_labels(const padded_text&);

/// The same, and labels put into a table: open addressing, seeded XXH3, copies of labels. Grows by doubling.
double bare_label_table(const padded_text&);

/// How many bytes simdjson's index of a whole text takes.
std::uint64_t index_bytes(const padded_text&);

}  // namespace tgmap_bench
