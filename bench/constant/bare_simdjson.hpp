// SPDX-License-Identifier: Apache-2.0 simdjson On-Demand alone: the minimum of work to read the same numbers, labels
// and members. Each call creates a parser, as each `read_json` does, and returns a sum of the values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace tgmap_bench {

/// A `padded_text` is a text followed by the padding that simdjson needs.
class padded_text {
 public:
  explicit padded_text(const std::string&);
  const char* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }
  std::size_t capacity() const;

 private:
  std::size_t size_;
  std::unique_ptr<char[]> bytes_;
};

double bare_nested(const padded_text&);
double bare_verbose(const padded_text&);         ///< two dimensions, indexes as numbers
double bare_verbose_labels(const padded_text&);  ///< one dimension
double bare_blocks(const padded_text&);
double bare_labels(const padded_text&);

/// The same, and adds copies of the labels to a table with open addressing and seeded XXH3, which grows by doubling.
double bare_label_table(const padded_text&);

/// Returns the number of bytes of simdjson's index of a whole text.
std::uint64_t index_bytes(const padded_text&);

}  // namespace tgmap_bench
