// SPDX-License-Identifier: Apache-2.0
#include "collection/key_source.hpp"

#include <algorithm>

namespace tgmap::archives {

key_result key_source::find(const metadata_key& wanted) const {
  if (keys_ != nullptr) return keys_->find(wanted);
  const auto same = [&](const metadata_key& each) { return each.text() == wanted.text(); };
  const auto found = std::find_if(row_->keys.begin(), row_->keys.end(), same);
  if (found == row_->keys.end()) return {};
  const auto number = static_cast<std::size_t>(found - row_->keys.begin());
  return row_->object ? row_->values.find(number, row_->message, *row_->object)
                      : row_->values.find(number, row_->message);
}

std::string key_source::nearest_key(std::string_view wanted) const {
  if (keys_ != nullptr) return keys_->nearest_key(wanted);
  const message in = row_->from[row_->message];
  key_lookup keys = row_->object ? key_lookup(in, in[*row_->object]) : key_lookup(in);
  return keys.nearest_key(wanted);
}

}  // namespace tgmap::archives
