// SPDX-License-Identifier: Apache-2.0
// The insides of tens for those who fill it.
#pragma once

#include <algorithm>
#include <tgmap/zio/tens.hpp>

#include "zio/tens_events.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

struct tens_access {
  /// Dimensions beyond those that there can be are left out.
  static void place(tensor_view& view, const number_list& shape, const number_list* strides) noexcept {
    view.rank_ = std::min(shape.count, max_rank);
    for (std::size_t d = 0; d < view.rank_; ++d) {
      view.shape_[d] = shape.values[d];
      view.strides_[d] = strides == nullptr ? 0 : static_cast<std::int64_t>(strides->values[d]);
    }
  }

  static void clear(tens& all) noexcept {
    all.tensors_.clear();
    all.metadata_ = {};
    all.present_ = false;
  }
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
