// SPDX-License-Identifier: Apache-2.0
#include "constant/write/cell_address.hpp"

#include <charconv>

#include "constant/write/block_sequence.hpp"
#include "constant/write/json_string.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {
constexpr std::size_t most_digits = 20;
}

void cell_address::set_labels(const tensor_constant& from, std::uint64_t block, failure& why) {
  std::size_t mapped = 0;
  const auto all = type_.dimensions();
  for (std::size_t d = 0; d < all.size(); ++d) {
    indexes_[d] = 0;
    if (!all[d].is_mapped()) {
      last_ = d;
      continue;
    }
    const std::string_view label = written_label(from, block, mapped++, why);
    if (why) return;
    labels_[d].clear();
    spell_json(label, [&](std::string_view piece) { labels_[d].append(piece); });
  }
  put_together();
}

void cell_address::put_together() {
  before_.clear();
  behind_.clear();
  const auto all = type_.dimensions();
  for (std::size_t d = 0; d < all.size(); ++d) {
    std::string& to = last_ < d ? behind_ : before_;
    if (d > 0) to += ',';
    to.append("\"").append(all[d].name).append("\":");
    if (d == last_)
      (to += '"', behind_ += '"');
    else if (all[d].is_mapped())
      to += labels_[d];
    else
      to.append("\"").append(std::to_string(indexes_[d])).append("\"");
  }
}

void cell_address::put(output& out) const noexcept {
  out.put(before_);
  if (last_ == max_rank) return;
  char* const digits = out.room(most_digits);
  out.wrote(std::to_chars(digits, digits + most_digits, indexes_[last_]).ptr);
  out.put(behind_);
}

void cell_address::next() {
  const auto all = type_.dimensions();
  bool same_row = true;
  for (std::size_t d = last_ == max_rank ? 0 : last_ + 1; d-- > 0;) {
    if (all[d].is_mapped()) continue;
    if (++indexes_[d] < all[d].size) break;
    indexes_[d] = 0;
    same_row = false;
  }
  if (!same_row) put_together();
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
