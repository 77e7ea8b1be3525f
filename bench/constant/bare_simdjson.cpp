// SPDX-License-Identifier: Apache-2.0
#include "constant/bare_simdjson.hpp"

#define XXH_INLINE_ALL
#include <simdjson.h>
#include <xxhash.h>

#include <charconv>
#include <cstring>
#include <string_view>
#include <vector>

namespace tgmap_bench {

namespace {

using namespace simdjson;

/// The start of each On-Demand call.
class document {
 public:
  explicit document(const padded_text& text) : doc_(parser_.iterate(text.data(), text.size(), text.capacity())) {}
  ondemand::document& operator*() { return doc_; }

 private:
  ondemand::parser parser_{};
  ondemand::document doc_;
};

double index_of(std::string_view digits) {
  std::uint64_t out = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return static_cast<double>(out);
}

class label_table {
 public:
  void insert(std::string_view label) {
    if ((count_ + 1) * 4 > entries_.size() * 3) grow();
    const std::uint64_t hash = XXH3_64bits_withSeed(label.data(), label.size(), seed);
    std::size_t at = hash & (entries_.size() - 1);
    while (entries_[at] != 0) {
      const std::uint64_t there = (entries_[at] & 0xFFFFFFFF) - 1;
      if ((entries_[at] ^ hash) >> 32 == 0 && label_of(there) == label) return;
      at = (at + 1) & (entries_.size() - 1);
    }
    entries_[at] = (hash & 0xFFFFFFFF00000000) | ++count_;
    text_ += label;
    ends_.push_back(text_.size());
  }
  std::uint64_t size() const { return count_; }

 private:
  static constexpr std::uint64_t seed = 0x5EED;

  std::string_view label_of(std::uint64_t i) const {
    return std::string_view(text_).substr(ends_[i], ends_[i + 1] - ends_[i]);
  }
  void grow() {
    std::vector<std::uint64_t> larger(entries_.size() * 2);
    for (std::uint64_t i = 0; i < count_; ++i) {
      const auto label = label_of(i);
      const std::uint64_t hash = XXH3_64bits_withSeed(label.data(), label.size(), seed);
      std::size_t at = hash & (larger.size() - 1);
      while (larger[at] != 0) at = (at + 1) & (larger.size() - 1);
      larger[at] = (hash & 0xFFFFFFFF00000000) | (i + 1);
    }
    entries_ = std::move(larger);
  }

  std::vector<std::uint64_t> entries_ = std::vector<std::uint64_t>(64);
  std::string text_{};
  std::vector<std::uint64_t> ends_{0};
  std::uint64_t count_ = 0;
};

}  // namespace

padded_text::padded_text(const std::string& text)
    : size_(text.size()), bytes_(new char[text.size() + SIMDJSON_PADDING]()) {
  std::memcpy(bytes_.get(), text.data(), text.size());
}

std::size_t padded_text::capacity() const { return size_ + SIMDJSON_PADDING; }

double bare_nested(const padded_text& text) {
  document doc(text);
  double sum = 0;
  for (ondemand::array row : (*doc)["values"])
    for (ondemand::value one : row) sum += one.get_double();
  return sum;
}

double bare_verbose(const padded_text& text) {
  document doc(text);
  double sum = 0;
  for (ondemand::object cell : (*doc)["cells"]) {
    ondemand::object address = cell["address"];
    sum += index_of(address["x"]) + index_of(address["y"]);
    sum += cell["value"].get_double();
  }
  return sum;
}

double bare_verbose_labels(const padded_text& text) {
  document doc(text);
  double sum = 0;
  for (ondemand::object cell : (*doc)["cells"]) {
    ondemand::object address = cell["address"];
    const std::string_view label = address["x"];
    sum += static_cast<double>(label.size());
    sum += cell["value"].get_double();
  }
  return sum;
}

double bare_blocks(const padded_text& text) {
  document doc(text);
  double sum = 0;
  for (ondemand::field block : (*doc)["blocks"].get_object()) {
    const std::string_view label = block.unescaped_key();
    sum += static_cast<double>(label.size());
    for (ondemand::value one : block.value().get_array()) sum += one.get_double();
  }
  return sum;
}

double bare_labels(const padded_text& text) {
  document doc(text);
  double sum = 0;
  for (ondemand::field cell : (*doc)["cells"].get_object()) {
    const std::string_view label = cell.unescaped_key();
    sum += static_cast<double>(label.size());
    sum += cell.value().get_double();
  }
  return sum;
}

double bare_label_table(const padded_text& text) {
  document doc(text);
  label_table labels;
  double sum = 0;
  for (ondemand::field cell : (*doc)["cells"].get_object()) {
    const std::string_view label = cell.unescaped_key();
    labels.insert(label);
    sum += cell.value().get_double();
  }
  return sum + static_cast<double>(labels.size());
}

std::uint64_t index_bytes(const padded_text& text) {
  std::unique_ptr<internal::dom_parser_implementation> scan;
  if (get_active_implementation()->create_dom_parser_implementation(text.size(), 1, scan)) return 0;
  if (scan->stage1(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), stage1_mode::regular)) return 0;
  return std::uint64_t{scan->n_structural_indexes} * sizeof(std::uint32_t);
}

}  // namespace tgmap_bench
